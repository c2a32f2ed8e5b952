// SPDX-License-Identifier: Apache-2.0
#include "wheel/device/kernel_index.hpp"

#include <libdeflate.h>

#include "base/text.hpp"
#include "wheel/decompress.hpp"
#include "wheel/msgpack.hpp"

namespace wheelforge::wheel {

namespace {

std::string_view file_name(std::string_view path) {
    return path.substr(path.rfind('/') + 1);
}

bool is_tensile(std::string_view path) {
    const std::string_view name = file_name(path);
    return name.starts_with("TensileLibrary") || name.starts_with("TensileLiteLibrary");
}

bool is_aiter(std::string_view path) {
    return path.ends_with(".csv") && path.find("hsa/gfx") != std::string_view::npos;
}

/// The unpacked size is not stored: it is found by trying.
std::string unpack_unknown(ByteView packed, ReadBudget& budget) {
    for (std::uint64_t size = 16 * packed.size() + 4096;; size *= 4) {
        refuse_bomb(packed.size(), size);
        budget.spend_bytes(size);
        std::string room(size, '\0');
        libdeflate_decompressor* inflater = libdeflate_alloc_decompressor();
        std::size_t produced = 0;
        const libdeflate_result result = libdeflate_zlib_decompress(
            inflater, packed.text().data(), packed.size(), room.data(), room.size(), &produced
        );
        libdeflate_free_decompressor(inflater);
        if (result == LIBDEFLATE_SUCCESS) {
            room.resize(produced);
            return room;
        }
        if (result != LIBDEFLATE_INSUFFICIENT_SPACE) {
            throw ReadError("zlib data is broken");
        }
    }
}

/// Lazy libraries stand for others by {type: Placeholder, value: STEM}; those that hold solutions
/// themselves need a code file of their own stem.
void read_tensile(std::string_view stem, ByteView bytes, DeviceCollector& out) {
    const Msgpack library(bytes, out.budget());
    std::vector<Msgpack::Cursor> open{library.root()};
    while (!open.empty()) {
        const Msgpack::Cursor node = open.back();
        open.pop_back();
        if (node.text_of("type") == "Placeholder") {
            out.report().index_files.push_back(std::string(node.text_of("value")) + ".dat");
        }
        for (const Msgpack::Cursor& child : node.pairs()) {
            open.push_back(child);
        }
        for (const Msgpack::Cursor& child : node.elements()) {
            open.push_back(child);
        }
    }
    const auto solutions = library.root().find("solutions");
    if (solutions && !solutions->elements().empty()) {
        out.report().index_files.emplace_back(stem);
    }
}

void read_aiter(std::string_view text, DeviceCollector& out) {
    constexpr std::string_view separators = ", \t\"'\r\n";
    std::size_t at = 0;
    while ((at = text.find_first_not_of(separators, at)) != std::string_view::npos) {
        const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
        const std::string_view word = text.substr(at, end - at);
        if (word.ends_with(".co") || word.ends_with(".hsaco")) {
            out.budget().spend_objects();
            out.report().index_files.emplace_back(word);
        }
        at = end;
    }
}

}  // namespace

bool is_kernel_index(std::string_view path) noexcept {
    const bool is_library = path.ends_with(".dat") || path.ends_with(".dat.zlib");
    return (is_library && is_tensile(path)) || is_aiter(path);
}

void read_kernel_index(std::string_view path, ByteView bytes, DeviceCollector& out) {
    if (path.ends_with(".csv")) {
        read_aiter(bytes.text(), out);
        return;
    }
    const std::string_view name = file_name(path);
    const std::string_view stem = name.substr(0, name.find(".dat"));
    if (path.ends_with(".zlib")) {
        const std::string whole = unpack_unknown(bytes, out.budget());
        read_tensile(stem, ByteView(whole), out);
    } else {
        read_tensile(stem, bytes, out);
    }
}

}  // namespace wheelforge::wheel
