// SPDX-License-Identifier: Apache-2.0
#include "wheel/verify/kernel_sources.hpp"

#include <algorithm>
#include <array>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/text.hpp"
#include "wheel/identifier.hpp"

namespace wheelforge::wheel {

namespace fs = std::filesystem;

namespace {

/// Text with comments and literals blanked out; offsets and lines stay.
std::string code_only(std::string_view text) {
    std::string code(text);
    const auto blank = [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < std::min(to, code.size()); ++i) {
            code[i] = code[i] == '\n' ? '\n' : ' ';
        }
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        std::size_t end = i;
        if (text.substr(i, 2) == "//") {
            end = std::min(text.find('\n', i), text.size());
        } else if (text.substr(i, 2) == "/*") {
            end = std::min(text.find("*/", i + 2), text.size() - 2) + 2;
        } else if (text[i] == '"') {
            for (end = i + 1; end < text.size() && text[end] != '"' && text[end] != '\n'; ++end) {
                end += text[end] == '\\' ? 1U : 0U;
            }
            ++end;
        }
        if (end > i) {
            blank(i, end);
            i = end - 1;
        }
    }
    return code;
}

std::string_view word_at(std::string_view code, std::size_t at) {
    std::size_t end = at;
    while (end < code.size() && is_word(code[end])) {
        ++end;
    }
    return code.substr(at, end - at);
}

/// Offset behind a balanced pair of brackets that opens at `at`.
std::size_t behind_brackets(std::string_view code, std::size_t at) {
    int depth = 0;
    for (; at < code.size(); ++at) {
        depth += code[at] == '(' ? 1 : 0;
        depth -= code[at] == ')' ? 1 : 0;
        if (depth == 0) {
            return at + 1;
        }
    }
    return at;
}

/// The function declared behind `__global__`: the last word before its parameters. Attributes with
/// arguments of their own are stepped over.
std::string declared_name(std::string_view code, std::size_t at) {
    std::string name;
    while (at < code.size()) {
        const char c = code[at];
        if (is_word(c)) {
            const std::string_view word = word_at(code, at);
            name = std::string(word);
            at += word.size();
        } else if (c == '(') {
            const bool is_attribute = name == "__launch_bounds__" || name == "__attribute__"
                                      || name == "__cluster_dims__" || name.empty();
            if (!is_attribute) {
                return name;
            }
            at = behind_brackets(code, at);
        } else if (c == ';' || c == '{' || c == '}' || c == '#') {
            return "";
        } else {
            ++at;
        }
    }
    return "";
}

int line_of(std::string_view text, std::size_t at) {
    return 1
           + static_cast<int>(
               std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n')
           );
}

bool is_kernel_source(const fs::path& path) {
    constexpr std::array<std::string_view, 7> endings = {
        ".cu", ".hip", ".cuh", ".cpp", ".cc", ".hpp", ".h"
    };
    const std::string extension = path.extension().string();
    return std::find(endings.begin(), endings.end(), extension) != endings.end();
}

/// Regular files of the tree, sorted; links are not followed.
std::vector<fs::path> files_below(const fs::path& tree) {
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(tree)) {
        if (entry.is_regular_file() && !entry.is_symlink()) {
            files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

std::string read_small(const fs::path& path) {
    constexpr std::uint64_t largest_source = 16U << 20U;
    return fs::file_size(path) > largest_source ? "" : read_file(path, largest_source);
}

/// A mangled name holds the identifier behind its length: "_Z5k_addPf", "_ZN2ns5k_addE...".
bool holds(const std::vector<std::string>& held, const std::string& name) {
    const std::string mangled = std::to_string(name.size()) + name;
    return std::any_of(held.begin(), held.end(), [&](const std::string& kernel) {
        return kernel == name || kernel.find(mangled) != std::string::npos;
    });
}

void add_unset(
    const std::vector<VariableRead>& reads,
    const std::map<std::string, std::string>& environment,
    std::vector<VariableRead>& unset
) {
    for (const VariableRead& read : reads) {
        const bool known = std::any_of(unset.begin(), unset.end(), [&](const VariableRead& other) {
            return other.name == read.name;
        });
        if (!known && !environment.contains(read.name)) {
            unset.push_back(read);
        }
    }
}

}  // namespace

std::vector<SourceKernel> kernels_in_source(const std::string& file, std::string_view text) {
    constexpr std::string_view keyword = "__global__";
    std::vector<SourceKernel> kernels;
    if (text.find(keyword) == std::string_view::npos) {
        return kernels;
    }
    const std::string code = code_only(text);
    for (std::size_t at = code.find(keyword); at != std::string::npos;
         at = code.find(keyword, at + keyword.size())) {
        const std::string name = declared_name(code, at + keyword.size());
        if (!name.empty()) {
            kernels.push_back({file, line_of(code, at), name});
        }
    }
    return kernels;
}

KernelSourceAudit audit_kernel_sources(
    const fs::path& source_tree,
    const std::vector<std::string>& held,
    const std::map<std::string, std::string>& environment
) {
    KernelSourceAudit audit;
    for (const fs::path& path : files_below(source_tree)) {
        const std::string relative = path.lexically_relative(source_tree).string();
        if (is_kernel_source(path)) {
            const std::vector<SourceKernel> kernels = kernels_in_source(relative, read_small(path));
            audit.kernels += kernels.size();
            const bool covered =
                std::any_of(kernels.begin(), kernels.end(), [&](const SourceKernel& kernel) {
                    return holds(held, kernel.name);
                });
            if (!covered) {
                audit.uncovered.insert(audit.uncovered.end(), kernels.begin(), kernels.end());
            }
        } else if (is_script(path) && path.parent_path() == source_tree) {
            add_unset(variables_in_script(relative, read_small(path)), environment, audit.unset);
        }
    }
    return audit;
}

}  // namespace wheelforge::wheel
