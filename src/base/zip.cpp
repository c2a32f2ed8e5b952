// SPDX-License-Identifier: Apache-2.0
#include "base/zip.hpp"

#include <algorithm>
#include <unordered_map>

#include <libdeflate.h>
#include <zlib.h>

#include "base/error.hpp"
#include "base/mapped_file.hpp"
#include "base/text.hpp"
#include "base/zip_central.hpp"
#include "base/zip_directory.hpp"
#include "base/zip_format.hpp"

namespace wheelforge {
namespace {

constexpr std::size_t piece = 1U << 20U;
constexpr std::uint64_t read_at_once = 8U << 20U;
constexpr std::size_t input_slice = 16U << 20U;

Error content_damaged(const ZipMember& member) {
    return zip_refused("zip-damaged", member.name, "has content that does not match its header");
}

struct FreeDecompressor {
    void operator()(libdeflate_decompressor* decompressor) const {
        libdeflate_free_decompressor(decompressor);
    }
};

libdeflate_decompressor* decompressor() {
    thread_local const std::unique_ptr<libdeflate_decompressor, FreeDecompressor> one(
        libdeflate_alloc_decompressor()
    );
    if (!one) {
        throw std::bad_alloc();
    }
    return one.get();
}

std::uint32_t crc32_of(std::uint32_t so_far, std::string_view bytes) {
    return libdeflate_crc32(so_far, bytes.data(), bytes.size());
}

/// Inflates a member in pieces and compares what comes out with what its header says.
class Inflater {
public:
    Inflater(const ZipMember& member, const std::function<void(std::string_view)>& sink)
        : member_(member), sink_(sink), output_(piece, '\0') {
        if (inflateInit2(&stream_, -MAX_WBITS) != Z_OK) {
            throw std::bad_alloc();
        }
    }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;
    ~Inflater() { inflateEnd(&stream_); }

    void feed(std::string_view input) {
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
        stream_.avail_in = static_cast<uInt>(input.size());
        while (stream_.avail_in != 0) {
            if (ended_) {
                throw content_damaged(member_);
            }
            step();
        }
    }

    void finish() {
        while (!ended_) {
            step();
        }
        if (size_ != member_.size || crc_ != member_.crc32) {
            throw content_damaged(member_);
        }
    }

private:
    void step() {
        stream_.next_out = reinterpret_cast<Bytef*>(output_.data());
        stream_.avail_out = static_cast<uInt>(output_.size());
        const int result = inflate(&stream_, Z_NO_FLUSH);
        const std::string_view got(output_.data(), output_.size() - stream_.avail_out);
        ended_ = result == Z_STREAM_END;
        const bool stuck = !ended_ && got.empty() && stream_.avail_in == 0;
        if ((result != Z_OK && !ended_ && result != Z_BUF_ERROR) || (stuck && result == Z_BUF_ERROR)
            || got.size() > member_.size - size_) {
            throw content_damaged(member_);
        }
        size_ += got.size();
        crc_ = crc32_of(crc_, got);
        if (!got.empty()) {
            sink_(got);
        }
    }

    const ZipMember& member_;
    const std::function<void(std::string_view)>& sink_;
    std::string output_;
    z_stream stream_ = {};
    std::uint64_t size_ = 0;
    std::uint32_t crc_ = 0;
    bool ended_ = false;
};

void pass_on(std::string_view bytes, const std::function<void(std::string_view)>& sink) {
    for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size()))) {
        sink(bytes.substr(0, piece));
    }
}

}  // namespace

struct ZipReader::State {
    MappedFile file;
    std::vector<ZipMember> members;
    std::unordered_map<std::string_view, const ZipMember*> by_name;

    void
    stream_stored(const ZipMember& member, const std::function<void(std::string_view)>& sink) const;
    void stream_deflated(const ZipMember& member, const std::function<void(std::string_view)>& sink)
        const;
    [[nodiscard]] std::string_view data(const ZipMember& member) const {
        return file.bytes().substr(member.data_offset, member.compressed_size);
    }
};

ZipReader::ZipReader(const std::filesystem::path& path, const ZipLimits& limits) {
    const auto opening = [&] { return "reading " + printable(path.filename().native()); };
    while_doing(opening, [&] {
        state_ = std::make_unique<State>(State{MappedFile(path), {}, {}});
        state_->members = read_zip_directory(state_->file.bytes(), limits);
    });
    state_->by_name.reserve(state_->members.size());
    for (const ZipMember& member : state_->members) {
        state_->by_name.emplace(member.name, &member);
    }
}

ZipReader::ZipReader(ZipReader&&) noexcept = default;
ZipReader& ZipReader::operator=(ZipReader&&) noexcept = default;
ZipReader::~ZipReader() = default;

const std::vector<ZipMember>& ZipReader::members() const noexcept {
    return state_->members;
}

const ZipMember* ZipReader::find(std::string_view name) const noexcept {
    const auto found = state_->by_name.find(name);
    return found == state_->by_name.end() ? nullptr : found->second;
}

std::string_view ZipReader::raw(const ZipMember& member) const {
    return state_->data(member);
}

void ZipReader::stream_raw(
    const ZipMember& member, const std::function<void(std::string_view)>& sink
) const {
    for (auto rest = raw(member); !rest.empty();
         rest.remove_prefix(std::min(input_slice, rest.size()))) {
        const auto slice = rest.substr(0, input_slice);
        sink(slice);
        state_->file.drop(slice);
    }
}

std::string ZipReader::read(const ZipMember& member, std::uint64_t limit) const {
    if (member.size > limit) {
        throw zip_refused(
            "zip-limit",
            member.name,
            "holds " + human_bytes(member.size) + ", more than the " + human_bytes(limit)
                + " that are reasonable here"
        );
    }
    const std::string_view data = raw(member);
    std::string content;
    if (member.method == zip_format::stored) {
        content = data;
    } else {
        content.resize(member.size);
        std::size_t used = 0;
        std::size_t made = 0;
        const auto result = libdeflate_deflate_decompress_ex(
            decompressor(), data.data(), data.size(), content.data(), content.size(), &used, &made
        );
        if (result != LIBDEFLATE_SUCCESS || used != data.size() || made != content.size()) {
            throw content_damaged(member);
        }
    }
    if (crc32_of(0, content) != member.crc32) {
        throw content_damaged(member);
    }
    return content;
}

void ZipReader::State::stream_stored(
    const ZipMember& member, const std::function<void(std::string_view)>& sink
) const {
    std::uint32_t crc = 0;
    for (auto rest = data(member); !rest.empty();
         rest.remove_prefix(std::min(piece, rest.size()))) {
        const auto part = rest.substr(0, piece);
        crc = crc32_of(crc, part);
        sink(part);
        file.drop(part);
    }
    if (crc != member.crc32) {
        throw content_damaged(member);
    }
}

void ZipReader::State::stream_deflated(
    const ZipMember& member, const std::function<void(std::string_view)>& sink
) const {
    Inflater inflater(member, sink);
    for (auto rest = data(member); !rest.empty();
         rest.remove_prefix(std::min(input_slice, rest.size()))) {
        const auto slice = rest.substr(0, input_slice);
        inflater.feed(slice);
        file.drop(slice);
    }
    inflater.finish();
}

void ZipReader::stream(const ZipMember& member, const std::function<void(std::string_view)>& sink)
    const {
    if (member.size <= read_at_once) {
        pass_on(read(member), sink);
    } else if (member.method == zip_format::stored) {
        state_->stream_stored(member, sink);
    } else {
        state_->stream_deflated(member, sink);
    }
}

}  // namespace wheelforge
