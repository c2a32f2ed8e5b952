// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "wheel/msgpack.hpp"

using wheelforge::wheel::Msgpack;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    wheelforge::wheel::ReadBudget budget(64U << 20U);
    try {
        const std::string_view bytes(reinterpret_cast<const char*>(data), size);
        const Msgpack document(wheelforge::wheel::ByteView(bytes), budget);
        std::vector<Msgpack::Cursor> open{document.root()};
        while (!open.empty()) {
            const Msgpack::Cursor node = open.back();
            open.pop_back();
            static_cast<void>(node.find("key"));
            for (const Msgpack::Cursor& child : node.pairs()) {
                open.push_back(child);
            }
            for (const Msgpack::Cursor& child : node.elements()) {
                open.push_back(child);
            }
        }
    } catch (const wheelforge::wheel::ReadError&) {
        return 0;
    }
    return 0;
}
