// SPDX-License-Identifier: Apache-2.0
// `pep_lines KIND < QUESTIONS > ANSWERS`: what `wheelforge pep KIND` does, without the program.
#include <cstdio>
#include <iostream>
#include <string>

#include "pep/json_lines.hpp"

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fputs("usage: pep_lines KIND\n", stderr);
        return 2;
    }
    std::ios::sync_with_stdio(false);
    for (std::string line; std::getline(std::cin, line);) {
        std::cout << wheelforge::pep::answer_json_line(argv[1], line) << '\n';
    }
    return std::cout.flush() ? 0 : 1;
}
