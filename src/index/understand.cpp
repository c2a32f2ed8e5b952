// SPDX-License-Identifier: Apache-2.0
// Which of the files a page names are distributions of the project, and which are not and why.
#include <algorithm>
#include <array>

#include "base/http.hpp"
#include "base/text.hpp"
#include "index/hashes.hpp"
#include "index/link.hpp"
#include "pep/filename.hpp"
#include "pep/name.hpp"

namespace wheelforge::index {

namespace {

constexpr std::size_t max_skipped = 200;
constexpr std::array<std::string_view, 7> sdist_endings = {
    ".tar.gz", ".zip", ".tar.bz2", ".tar.xz", ".tgz", ".tar.z", ".tar"
};

bool is_sdist_name(std::string_view filename) {
    const auto name = to_lower(filename);
    return std::ranges::any_of(sdist_endings, [&](std::string_view ending) {
        return name.ends_with(ending);
    });
}

bool is_wheel_name(std::string_view filename) {
    return to_lower(filename).ends_with(".whl");
}

/// The name in the URL, which is what a download would be called, unless the page says better.
std::string filename_of(const Link& link) {
    auto name = filename_in(link.url);
    return link.is_named && !is_sdist_name(name) && !is_wheel_name(name) ? link.text
                                                                         : std::move(name);
}

/// Why a link is no distribution of the project; "" where it is one after all.
using Reason = std::string;

class Judge {
public:
    Judge(const RawPage& page, const LinkRules& rules)
        : rules_(rules), page_is_secure_(url_scheme(page.url) == "https") {}

    /// The file, or the reason why there is none.
    Parsed<DistributionFile> judge(const Link& link) const;

private:
    [[nodiscard]] Reason refuse_url(const Link& link) const;
    [[nodiscard]] Reason refuse_name(const Link& link, const std::string& filename) const;
    [[nodiscard]] Reason take_name(DistributionFile& file) const;
    [[nodiscard]] Reason take_wheel(DistributionFile& file) const;
    [[nodiscard]] Reason take_sdist(DistributionFile& file) const;

    const LinkRules& rules_;
    bool page_is_secure_;
};

Reason Judge::refuse_url(const Link& link) const {
    const auto scheme = url_scheme(link.url);
    if (scheme == "file") {
        return rules_.allow_file && path_of_file_url(link.url) ? ""
                                                               : "file URLs are not allowed here";
    }
    if (!origin_of(link.url)) {
        return "not a usable http or https URL";
    }
    if (page_is_secure_ && scheme == "http" && !has_strong_hash(link.hashes)) {
        return "an http URL without a hash on an https page";
    }
    return "";
}

Reason Judge::refuse_name(const Link& link, const std::string& filename) const {
    if (filename.empty() || filename.size() > 255) {
        return "not a file name";
    }
    const bool has_odd_byte = std::ranges::any_of(filename, [](char c) {
        return static_cast<unsigned char>(c) <= 0x20 || c == 0x7f || c == '/' || c == '\\';
    });
    if (has_odd_byte || filename.front() == '-' || filename.front() == '.') {
        return "not a safe file name";
    }
    const bool disagrees =
        !link.text.empty() && link.text != filename && percent_decode(link.text) != filename;
    return disagrees && !rules_.find_links ? "the page calls it " + printable(link.text) : "";
}

Reason Judge::take_wheel(DistributionFile& file) const {
    auto parsed = pep::WheelFilename::parse(file.filename);
    if (!parsed) {
        return parsed.error().message;
    }
    if (parsed->name != rules_.project) {
        return "belongs to " + parsed->name;
    }
    file.kind = DistributionFile::Kind::wheel;
    file.version = std::move(parsed->version);
    file.tags = std::move(parsed->tags);
    if (parsed->build) {
        std::tie(file.build_number, file.build_suffix) = *parsed->build;
    }
    return "";
}

Reason Judge::take_sdist(DistributionFile& file) const {
    auto parsed = pep::SdistFilename::parse(file.filename, rules_.project);
    if (!parsed) {
        return parsed.error().message;
    }
    if (parsed->name != rules_.project) {
        return "belongs to " + parsed->name;
    }
    file.kind = DistributionFile::Kind::sdist;
    file.version = std::move(parsed->version);
    return "";
}

Reason Judge::take_name(DistributionFile& file) const {
    if (is_wheel_name(file.filename)) {
        return take_wheel(file);
    }
    return is_sdist_name(file.filename) ? take_sdist(file) : "neither an sdist nor a wheel";
}

Parsed<DistributionFile> Judge::judge(const Link& link) const {
    DistributionFile file;
    file.filename = filename_of(link);
    for (auto reason :
         {refuse_name(link, file.filename), refuse_url(link), refuse_hashes(link.hashes)}) {
        if (!reason.empty()) {
            return parse_error(std::move(reason));
        }
    }
    if (auto reason = take_name(file); !reason.empty()) {
        return parse_error(std::move(reason));
    }
    file.url = link.url;
    file.hashes = link.hashes;
    if (link.requires_python) {
        if (auto parsed = pep::SpecifierSet::parse(*link.requires_python)) {
            file.requires_python = *std::move(parsed);
        }
    }
    file.yanked = link.yanked.has_value();
    file.yanked_reason = link.yanked.value_or("");
    file.size = link.size;
    file.upload_time = link.upload_time;
    file.metadata_hashes = link.metadata_hashes;
    file.index_url = rules_.index_url;
    return file;
}

/// Cheaply: could this file of a find-links page be one of the project at all?
bool may_belong(std::string_view filename, std::string_view project) {
    const auto name = pep::normalize_name(filename);
    return name.starts_with(project) && name.size() > project.size() && name[project.size()] == '-';
}

}  // namespace

ProjectPage understand(const RawPage& page, const LinkRules& rules) {
    const Judge judge(page, rules);
    ProjectPage result;
    result.name = rules.project;
    result.status = page.status;
    result.status_reason = page.status_reason;
    for (const auto& link : page.links) {
        const auto filename = filename_of(link);
        if (rules.find_links && !may_belong(filename, rules.project)) {
            continue;
        }
        if (auto file = judge.judge(link)) {
            result.files.push_back(*std::move(file));
        } else if (result.skipped.size() < max_skipped) {
            const auto shown = filename.empty() ? masked_url(link.url) : filename;
            result.skipped.push_back(printable(shown.substr(0, 300)) + ": " + file.error().message);
        }
    }
    return result;
}

}  // namespace wheelforge::index
