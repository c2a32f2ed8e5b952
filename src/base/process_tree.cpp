// SPDX-License-Identifier: Apache-2.0
#include "base/process_tree.hpp"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace wheelforge {

namespace {

/// What Linux lists in /proc/PID/task/TID/children; empty where the process is gone.
void append_children(pid_t parent, std::vector<pid_t>& out) {
    namespace fs = std::filesystem;
    std::error_code error;
    fs::directory_iterator task("/proc/" + std::to_string(parent) + "/task", error);
    for (const fs::directory_iterator end; !error && task != end; task.increment(error)) {
        std::ifstream list(task->path() / "children");
        pid_t child = 0;
        while (list >> child) {
            out.push_back(child);
        }
    }
}

}  // namespace

void kill_tree(pid_t leader, int signal) {
    // Collected before the first signal: afterwards orphans hang on init.
    std::vector<pid_t> tree{leader};
    for (std::size_t i = 0; i < tree.size(); ++i) {
        append_children(tree[i], tree);
    }
    ::kill(-leader, signal);
    for (std::size_t i = 1; i < tree.size(); ++i) {
        if (::getpgid(tree[i]) != leader) {
            ::kill(tree[i], signal);
        }
    }
}

}  // namespace wheelforge
