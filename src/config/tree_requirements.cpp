// SPDX-License-Identifier: Apache-2.0
#include "config/tree_requirements.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/core.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "config/logical_line.hpp"
#include "config/requirement_options.hpp"

namespace wheelforge::config {

namespace {

constexpr std::size_t max_files = 64;

class TreeReader {
public:
    explicit TreeReader(const ReadInTree& read) : read_(read) {}

    std::vector<pep::Requirement> take(const std::string& path) {
        read_file(path);
        return std::move(requirements_);
    }

private:
    void read_file(const std::string& path) {
        if (!seen_.insert(path).second) {
            return;
        }
        const auto text = seen_.size() > max_files ? std::nullopt : read_(path);
        if (!text) {
            throw bad(path, "is not in the source tree");
        }
        const auto none = [](const std::string&) { return std::nullopt; };
        for (const auto& line : logical_lines(*text, none)) {
            read_line(line, path);
        }
    }

    void read_line(const LogicalLine& line, const std::string& path) {
        const auto where = fmt::format("{}:{}", path, line.position(0).line);
        const auto start = options_start(line.text());
        const auto options = parse_line_options(std::string_view(line.text()).substr(start));
        if (!options) {
            throw bad(where, options.error().message);
        }
        for (const auto& option : *options) {
            if (option.kind == OptionKind::requirement) {
                read_file(beside(path, option.value, where));
            }
        }
        const auto written = trim(std::string_view(line.text()).substr(0, start));
        if (written.empty()) {
            return;
        }
        auto requirement = pep::Requirement::parse(written);
        if (!requirement) {
            throw bad(where, requirement.error().message);
        }
        requirements_.push_back(std::move(*requirement));
    }

    static std::string
    beside(const std::string& file, const std::string& named, const std::string& where) {
        namespace fs = std::filesystem;
        const auto path = (fs::path(file).parent_path() / named).lexically_normal();
        if (path.is_absolute() || path.empty() || *path.begin() == ".."
            || named.find("://") != std::string::npos) {
            throw bad(where, "-r " + named + " leads out of the source tree");
        }
        return path.string();
    }

    static Error bad(const std::string& where, std::string_view why) {
        return {
            ExitCode::build_failed,
            "bad-requires-from",
            fmt::format("{}: {}", printable(where), printable(why))
        };
    }

    const ReadInTree& read_;
    std::set<std::string> seen_;
    std::vector<pep::Requirement> requirements_;
};

}  // namespace

std::vector<pep::Requirement>
read_tree_requirements(const std::string& path, const ReadInTree& read) {
    return TreeReader(read).take(path);
}

}  // namespace wheelforge::config
