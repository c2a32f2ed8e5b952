// SPDX-License-Identifier: Apache-2.0
#include "build/host_environment.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <sys/stat.h>

#include <fmt/core.h>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "base/zip.hpp"
#include "pep/name.hpp"
#include "wheel/wheel_file.hpp"

namespace wheelforge::build {
namespace {

constexpr std::string_view ending = ".dist-info";
constexpr std::uint64_t largest_text = 256U << 20U;
constexpr std::uint64_t largest_file = 16ULL << 30U;

Error unusable(const HostDistribution& distribution, const std::string& why) {
    return Error(
               ExitCode::usage,
               "host-distribution",
               fmt::format(
                   "{} {} in {} cannot be used: {}",
                   distribution.name,
                   distribution.version.text(),
                   printable(distribution.dist_info.parent_path().string()),
                   why
               )
    )
        .advise("install it there by pip, from a wheel");
}

std::vector<fs::path> dist_infos(const fs::path& folder) {
    std::vector<fs::path> found;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        if (entry.path().filename().string().ends_with(ending)) {
            found.push_back(entry.path());
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

/// "torch_sendnn-1.0.0.dist-info"
std::optional<HostDistribution> read_name(const fs::path& dist_info, const fs::path& prefix) {
    const auto stem = dist_info.stem().string();
    const auto dash = stem.rfind('-');
    if (dash == std::string::npos) {
        return std::nullopt;
    }
    auto name = pep::parse_name(stem.substr(0, dash));
    auto version = pep::Version::parse(stem.substr(dash + 1));
    if (!name || !version) {
        return std::nullopt;
    }
    return HostDistribution{std::move(*name), std::move(*version), dist_info, prefix};
}

bool belongs_to_environment(const std::string& name) {
    return name == "pip" || name == "setuptools" || name == "wheel";
}

/// Values of a header that may come several times.
std::vector<std::string> values_of(const std::string& text, std::string_view header) {
    std::vector<std::string> values;
    for (const auto line : lines(text)) {
        const auto colon = line.find(':');
        if (colon != std::string_view::npos && trim(line.substr(0, colon)) == header) {
            values.emplace_back(trim(line.substr(colon + 1)));
        }
    }
    return values;
}

/// "py2.py3-none-any" of the tags of WHEEL.
std::string compressed_tags(const std::vector<std::string>& tags) {
    std::set<std::string> parts[3];
    for (const auto& tag : tags) {
        const auto words = split(tag, '-');
        for (std::size_t i = 0; i < 3 && words.size() == 3; ++i) {
            parts[i].emplace(words[i]);
        }
    }
    std::vector<std::string> joined;
    for (const auto& part : parts) {
        joined.push_back(join(std::vector<std::string>(part.begin(), part.end()), "."));
    }
    return join(joined, "-");
}

bool is_made_by_installer(const fs::path& path) {
    const auto name = path.filename().string();
    return name == "RECORD" || name == "INSTALLER" || name == "REQUESTED"
           || name == "direct_url.json" || path.extension() == ".pyc";
}

/// The wheel of one distribution, while it is written.
class Packing {
public:
    Packing(const HostDistribution& distribution, ZipWriter& zip)
        : distribution_(distribution), zip_(zip),
          site_(distribution.dist_info.parent_path().lexically_normal()),
          prefix_(fs::canonical(distribution.prefix)),
          stem_(distribution.dist_info.stem().string()) {
        const auto text =
            read_file_if_there(distribution.dist_info / "entry_points.txt", largest_text)
                .value_or("");
        for (const auto& line : lines(text)) {
            const auto equals = line.find('=');
            if (equals != std::string_view::npos) {
                scripts_.emplace(trim(line.substr(0, equals)));
            }
        }
    }

    void add(const std::string& recorded) {
        const auto path = (site_ / recorded).lexically_normal();
        if (is_made_by_installer(path)) {
            return;
        }
        const auto member = member_of(path);
        if (!member.empty() && !members_.contains(member)) {
            members_[member] = path;
        }
    }

    void finish() {
        std::string record;
        for (const auto& [member, path] : members_) {
            const auto content = content_of(member, path);
            zip_.add(member, content, is_executable(path) ? 0755 : 0644);
            record += wheel::record_line(member, sha256(content), content.size());
        }
        const auto own = stem_ + std::string(ending) + "/RECORD";
        record += wheel::unhashed_record_line(own);
        zip_.add(own, record);
        zip_.commit();
    }

private:
    /// Empty for what an installer makes anew.
    std::string member_of(const fs::path& path) const {
        const auto below_site = path.lexically_relative(site_).string();
        if (!below_site.starts_with("..")) {
            return below_site;
        }
        const auto below = path.lexically_relative(distribution_.prefix.lexically_normal());
        if (below.empty() || below.string().starts_with("..")) {
            throw unusable(distribution_, "its RECORD names " + printable(path.string()));
        }
        if (*below.begin() == "bin") {
            const auto name = below.filename().string();
            return scripts_.contains(name) ? "" : stem_ + ".data/scripts/" + name;
        }
        return stem_ + ".data/data/" + below.string();
    }

    std::string content_of(const std::string& member, const fs::path& path) const {
        std::error_code error;
        const auto real = fs::canonical(path, error);
        if (error || !fs::is_regular_file(real)) {
            throw unusable(distribution_, printable(path.string()) + " is not there");
        }
        if (real.lexically_relative(prefix_).string().starts_with("..")) {
            throw unusable(
                distribution_, printable(path.string()) + " leads to " + printable(real.string())
            );
        }
        auto content = read_file(real, largest_file);
        const auto end = content.find('\n');
        if (member.find(".data/scripts/") != std::string::npos && content.starts_with("#!")
            && end != std::string::npos && content.substr(0, end).find("python") != content.npos) {
            content = "#!python" + content.substr(end);
        }
        return content;
    }

    static bool is_executable(const fs::path& path) {
        struct stat found {};
        return ::stat(path.c_str(), &found) == 0 && (found.st_mode & 0111U) != 0;
    }

    const HostDistribution& distribution_;
    ZipWriter& zip_;
    fs::path site_;
    fs::path prefix_;
    std::string stem_;
    std::set<std::string, std::less<>> scripts_;
    std::map<std::string, fs::path> members_;
};

/// Changes with every file, whatever RECORD says of them.
std::string
identity_of(const HostDistribution& distribution, const std::vector<wheel::RecordEntry>& entries) {
    const auto site = distribution.dist_info.parent_path();
    auto text = distribution.dist_info.string() + "\n";
    for (const auto& entry : entries) {
        struct stat found {};
        if (::stat((site / entry.path).c_str(), &found) == 0) {
            text += fmt::format(
                "{} {} {}.{}\n",
                entry.path,
                found.st_size,
                found.st_mtim.tv_sec,
                found.st_mtim.tv_nsec
            );
        }
    }
    return text;
}

std::string required_file(const HostDistribution& distribution, const char* name) {
    auto text = read_file_if_there(distribution.dist_info / name, largest_text);
    if (!text) {
        throw unusable(distribution, fmt::format("it has no {}", name));
    }
    return *std::move(text);
}

}  // namespace

std::vector<HostDistribution>
host_distributions(const fs::path& folder, const Interpreter& interpreter) {
    const auto root = fs::absolute(folder).lexically_normal();
    const auto site = root / interpreter.site_packages;
    std::error_code error;
    const bool is_environment = fs::is_directory(site, error);
    const auto infos = dist_infos(is_environment ? site : root);
    if (!is_environment && infos.empty()) {
        throw Error(
            ExitCode::usage,
            "host-environment",
            fmt::format(
                "{} is neither an environment with {} nor a folder with *.dist-info",
                printable(root.string()),
                interpreter.site_packages
            )
        )
            .advise("name the folder that has bin/python in it, and its Python by --python");
    }
    std::vector<HostDistribution> found;
    for (const auto& info : infos) {
        auto distribution = read_name(info, root);
        if (distribution && !belongs_to_environment(distribution->name)) {
            found.push_back(*std::move(distribution));
        }
    }
    return found;
}

fs::path pack_distribution(const HostDistribution& distribution, const fs::path& folder) {
    const auto record = required_file(distribution, "RECORD");
    const auto tags = values_of(required_file(distribution, "WHEEL"), "Tag");
    if (tags.empty()) {
        throw unusable(distribution, "its WHEEL names no tag");
    }
    // An editable installation is a pointer to a tree that changes.
    const auto origin =
        read_file_if_there(distribution.dist_info / "direct_url.json", largest_text).value_or("");
    if (origin.find("\"editable\": true") != std::string::npos
        || origin.find("\"editable\":true") != std::string::npos) {
        throw unusable(distribution, "it is an editable installation");
    }
    const auto entries = wheel::parse_record(record);
    const auto home = folder / sha256(identity_of(distribution, entries));
    const auto target =
        home
        / fmt::format("{}-{}.whl", distribution.dist_info.stem().string(), compressed_tags(tags));
    if (fs::exists(target)) {
        return target;
    }
    make_directories(home);
    ZipWriter zip(target);
    Packing packing(distribution, zip);
    for (const auto& entry : entries) {
        packing.add(entry.path);
    }
    packing.finish();
    return target;
}

}  // namespace wheelforge::build
