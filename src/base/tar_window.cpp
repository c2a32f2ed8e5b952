// SPDX-License-Identifier: Apache-2.0
#include "base/tar_window.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "base/archive_limits.hpp"
#include "base/text.hpp"

namespace wheelforge {
namespace {

constexpr std::size_t chunk = 1U << 20U;
constexpr std::size_t largest_header = 8U << 20U;
constexpr std::uint64_t header_allowance = 4096;  // headers and padding that a member may cost

}  // namespace

TarWindow::TarWindow(
    const std::filesystem::path& archive, ArchiveKind kind, const ArchiveLimits& limits
)
    : stream_(open_stream(archive, kind)), packed_(std::filesystem::file_size(archive)),
      limits_(limits) {}

void TarWindow::forget() {
    const auto count = std::min<std::uint64_t>(keep_from_ - begin_, bytes_.size());
    bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(count));
    begin_ += count;
    if (bytes_.size() > largest_header + chunk) {
        throw limit_exceeded("a header in the tar archive is above 8 MiB");
    }
}

std::string_view TarWindow::advance() {
    forget();
    const std::size_t kept = bytes_.size();
    bytes_.resize(kept + chunk);
    const std::size_t got = stream_->read(std::span(bytes_).subspan(kept));
    bytes_.resize(kept + got);
    const std::string_view fresh(bytes_.data() + kept, got);
    if (const auto last = fresh.find_last_not_of('\0'); last != std::string_view::npos) {
        last_nonzero_ = total_ + last + 1;
    }
    total_ += got;
    check_limits();
    return fresh;
}

void TarWindow::keep_from(std::uint64_t offset) noexcept {
    keep_from_ = std::max(keep_from_, offset);
}

std::string_view TarWindow::kept(std::uint64_t end) const noexcept {
    if (keep_from_ < begin_ || end < keep_from_ || end - begin_ > bytes_.size()) {
        return {};
    }
    return {bytes_.data() + (keep_from_ - begin_), static_cast<std::size_t>(end - keep_from_)};
}

void TarWindow::check_limits() const {
    if (ratio_exceeded(total_, packed_, limits_.ratio)) {
        throw ratio_refused(limits_.ratio);
    }
    const std::uint64_t headers = limits_.files * header_allowance + 2 * chunk;
    if (total_ > headers && total_ - headers > limits_.unpacked_bytes) {
        throw limit_exceeded(
            "the archive unpacks to more than " + human_bytes(limits_.unpacked_bytes)
        );
    }
}

}  // namespace wheelforge
