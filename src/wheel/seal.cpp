// SPDX-License-Identifier: Apache-2.0
#include "wheel/seal.hpp"

#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "pep/name.hpp"
#include "wheel/build_tag.hpp"
#include "wheel/wheel_file.hpp"

namespace wheelforge::wheel {
namespace {

/// Judges a raw wheel against what was asked for.
class Expectation {
public:
    Expectation(const WheelFile& wheel, std::vector<Finding>& findings)
        : wheel_(wheel), findings_(findings) {}

    void check_name(const std::string& expected) {
        if (wheel_.filename().name != expected) {
            add(Level::error,
                "name-mismatch",
                "is a wheel of " + wheel_.filename().name + ", expected was " + expected);
        }
    }

    void check_version(const pep::Version& expected) {
        const pep::Version& built = wheel_.filename().version;
        if (built == expected) {
            return;
        }
        if (!expected.has_local() && built.without_local() == expected) {
            add(Level::info,
                "local-version",
                "the build added the local version " + built.local_text());
            return;
        }
        add(Level::error,
            "version-mismatch",
            "is version " + built.text() + ", expected was " + expected.text());
    }

    void check_tags(const pep::Target& target) {
        if (target.rank(wheel_.filename().tags) < 0) {
            add(Level::error,
                "tag-foreign",
                wheel_.filename().tag_set + " does not run on CPython " + target.python.text()
                    + ", Linux " + target.machine);
        }
    }

private:
    void add(Level level, const char* id, std::string evidence) {
        findings_.push_back({id, level, "", std::move(evidence), ""});
    }

    const WheelFile& wheel_;
    std::vector<Finding>& findings_;
};

/// A member of the sealed wheel: copied from the raw one, or new.
struct Part {
    const ZipMember* member = nullptr;
    const std::string* content = nullptr;
    std::string sha256;
    std::uint64_t size = 0;
};

/// .dist-info comes last in the file (PEP 427 recommends it), otherwise by name.
struct SealOrder {
    std::string dist_info;  ///< with its '/'
    bool operator()(const std::string& a, const std::string& b) const {
        const bool a_inside = a.starts_with(dist_info);
        const bool b_inside = b.starts_with(dist_info);
        return a_inside != b_inside ? b_inside : a < b;
    }
};

using Parts = std::map<std::string, Part, SealOrder>;

bool may_replace(std::string_view below_dist_info) {
    return below_dist_info.starts_with("sboms/") || below_dist_info.starts_with("wheelforge/");
}

Parts raw_parts(const WheelFile& wheel, const RawWheelFacts& facts) {
    Parts parts(SealOrder{wheel.dist_info() + "/"});
    for (const FileDigest& file : facts.files) {
        const ZipMember* member = wheel.zip().find(file.name);
        if (member == nullptr || member->size != file.size) {
            throw Error{
                ExitCode::bug,
                "seal-changed",
                "the raw wheel changed between its examination and its sealing"
            };
        }
        if (!is_record_file(file.name, wheel.dist_info())) {
            parts.emplace(file.name, Part{member, nullptr, file.sha256, file.size});
        }
    }
    return parts;
}

void add_extra_files(Parts& parts, const SealRequest& request, const std::string& dist_info) {
    for (const auto& [below, content] : request.extra_files) {
        const std::string name = dist_info + "/" + below;
        if (is_record_file(name, dist_info) || (parts.contains(name) && !may_replace(below))) {
            throw Error{
                ExitCode::bug, "seal-clash", "the wheel has a file of its own at " + printable(name)
            };
        }
        parts.insert_or_assign(name, Part{nullptr, &content, sha256(content), content.size()});
    }
}

/// Puts a WHEEL file with the build number among `parts`, which point to the text returned.
void tag_wheel_file(const WheelFile& wheel, unsigned number, Parts& parts, std::string& text) {
    const std::string name = wheel.dist_info() + "/WHEEL";
    text = wheel_file_with_build(wheel.zip().read(*wheel.zip().find(name)), number);
    parts.insert_or_assign(name, Part{nullptr, &text, sha256(text), text.size()});
}

/// The payload digest of what the parts have become.
std::string
payload_with(std::vector<FileDigest> files, const Parts& parts, const std::string& dist_info) {
    for (auto& file : files) {
        const auto part = parts.find(file.name);
        if (part != parts.end()) {
            file.sha256 = part->second.sha256;
            file.size = part->second.size;
        }
    }
    return payload_digest(files, dist_info);
}

void write(const std::filesystem::path& target, const WheelFile& wheel, const Parts& parts) {
    ZipWriter zip(target);
    std::string record;
    for (const auto& [name, part] : parts) {
        if (part.member != nullptr) {
            zip.add_raw(wheel.zip(), *part.member);
        } else {
            zip.add(name, *part.content);
        }
        record += record_line(name, part.sha256, part.size);
    }
    const std::string record_name = wheel.dist_info() + "/RECORD";
    record += unhashed_record_line(record_name);
    zip.add(record_name, record);
    zip.commit();
}

}  // namespace

RawWheelFacts examine(
    const std::filesystem::path& raw,
    const std::string& expected_name,
    const pep::Version& expected_version,
    const pep::Target* target
) {
    const WheelFile wheel(raw);
    RawWheelFacts facts;
    facts.filename = raw.filename();
    facts.version = wheel.filename().version;
    facts.metadata = wheel.metadata();
    facts.metadata_text = wheel.metadata_text();
    facts.files = digest_files(wheel);
    facts.payload = payload_digest(facts.files, wheel.dist_info());
    facts.findings = check_structure(wheel, facts.files);
    Expectation expectation(wheel, facts.findings);
    expectation.check_name(expected_name);
    expectation.check_version(expected_version);
    if (target != nullptr) {
        expectation.check_tags(*target);
    }
    return facts;
}

SealedWheel seal(const SealRequest& request) {
    return seal(
        request,
        examine(request.raw, request.expected_name, request.expected_version, request.target)
    );
}

SealedWheel seal(const SealRequest& request, const RawWheelFacts& facts) {
    SealedWheel sealed;
    sealed.filename = facts.filename;
    sealed.version = facts.version;
    sealed.payload = facts.payload;
    sealed.metadata = facts.metadata;
    sealed.findings = facts.findings;
    if (has_errors(facts.findings)) {
        return sealed;
    }
    const WheelFile wheel(request.raw);
    Parts parts = raw_parts(wheel, facts);
    std::string wheel_file;
    if (request.build_tag > 0) {
        sealed.filename = with_build_tag(facts.filename, request.build_tag);
        tag_wheel_file(wheel, request.build_tag, parts, wheel_file);
        sealed.payload = payload_with(facts.files, parts, wheel.dist_info());
    }
    add_extra_files(parts, request, wheel.dist_info());
    const auto target = request.folder / sealed.filename;
    write(target, wheel, parts);
    sealed.path = target;
    sealed.sha256 = sha256_file(target);
    return sealed;
}

}  // namespace wheelforge::wheel
