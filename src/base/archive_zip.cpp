// SPDX-License-Identifier: Apache-2.0
#include "base/archive_zip.hpp"

#include "base/archive_limits.hpp"
#include "base/archive_rules.hpp"
#include "base/zip.hpp"

namespace wheelforge {
namespace {

class ZipMembers final : public MemberSource {
public:
    ZipMembers(const std::filesystem::path& archive, const ArchiveLimits& limits)
        : zip_(archive, ZipLimits{limits.unpacked_bytes, limits.files, ZipLimits{}.ratio}) {
        check_ratio(std::filesystem::file_size(archive), limits.ratio);
    }

    std::optional<SourceMember> next() override {
        if (position_ == zip_.members().size()) {
            return std::nullopt;
        }
        const ZipMember& from = zip_.members()[position_++];
        SourceMember member;
        member.name = from.name;
        member.kind =
            from.is_directory() ? SourceMember::Kind::directory : SourceMember::Kind::file;
        member.size = from.size;
        member.executable = from.is_executable();
        member.mtime = clamp_mtime(from.mtime);
        return member;
    }

    void content(const std::function<void(std::string_view)>& sink) override {
        zip_.stream(zip_.members()[position_ - 1], sink);
    }

private:
    void check_ratio(std::uint64_t packed, std::uint64_t ratio) const {
        std::uint64_t total = 0;
        for (const ZipMember& member : zip_.members()) {
            total += member.size;
        }
        if (ratio_exceeded(total, packed, ratio)) {
            throw ratio_refused(ratio);
        }
    }

    ZipReader zip_;
    std::size_t position_ = 0;
};

}  // namespace

std::unique_ptr<MemberSource>
open_zip(const std::filesystem::path& archive, const ArchiveLimits& limits) {
    return std::make_unique<ZipMembers>(archive, limits);
}

}  // namespace wheelforge
