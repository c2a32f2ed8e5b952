// SPDX-License-Identifier: Apache-2.0
#include "wheel/verify/module_name.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace wheelforge::wheel {

namespace {

bool is_ascii(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) {
        return static_cast<unsigned char>(c) < 0x80;
    });
}

/// Code points of valid UTF-8; what is not valid gives no result.
std::vector<std::uint32_t> code_points(std::string_view text) {
    std::vector<std::uint32_t> points;
    for (std::size_t i = 0; i < text.size();) {
        const auto first = static_cast<unsigned char>(text[i]);
        std::size_t length = 1;
        std::uint32_t point = first;
        if (first >= 0xf0) {
            length = 4;
            point = first & 0x07U;
        } else if (first >= 0xe0) {
            length = 3;
            point = first & 0x0fU;
        } else if (first >= 0xc0) {
            length = 2;
            point = first & 0x1fU;
        }
        for (std::size_t k = 1; k < length && i + k < text.size(); ++k) {
            point = point << 6U | (static_cast<unsigned char>(text[i + k]) & 0x3fU);
        }
        points.push_back(point);
        i += length;
    }
    return points;
}

std::uint32_t adapted_bias(std::uint32_t delta, std::uint32_t count, bool first) {
    delta = first ? delta / 700 : delta / 2;
    delta += delta / count;
    std::uint32_t k = 0;
    for (; delta > 455; k += 36) {
        delta /= 35;
    }
    return k + 36 * delta / (delta + 38);
}

char digit(std::uint32_t value) {
    return static_cast<char>(value < 26 ? 'a' + value : '0' + (value - 26));
}

void append_number(std::uint32_t delta, std::uint32_t bias, std::string& out) {
    for (std::uint32_t k = 36;; k += 36) {
        const std::uint32_t threshold = k <= bias ? 1 : std::min<std::uint32_t>(k - bias, 26);
        if (delta < threshold) {
            out += digit(delta);
            return;
        }
        out += digit(threshold + (delta - threshold) % (36 - threshold));
        delta = (delta - threshold) / (36 - threshold);
    }
}

/// RFC 3492, with '_' for the delimiter as PEP 489 wants it.
std::string punycode(std::string_view text) {
    constexpr std::size_t longest = 128;
    const std::vector<std::uint32_t> points = code_points(text.substr(0, longest));
    if (std::any_of(points.begin(), points.end(), [](auto point) { return point > 0x10ffff; })) {
        return "";
    }
    std::string out;
    for (const std::uint32_t point : points) {
        if (point < 0x80) {
            out += static_cast<char>(point);
        }
    }
    auto handled = static_cast<std::uint32_t>(out.size());
    const std::uint32_t basic = handled;
    out += basic > 0 ? "_" : "";
    std::uint32_t last = 128;
    std::uint32_t delta = 0;
    std::uint32_t bias = 72;
    while (handled < points.size()) {
        std::uint32_t next = 0x110000;
        for (const std::uint32_t point : points) {
            next = point >= last ? std::min(next, point) : next;
        }
        delta += (next - last) * (handled + 1);
        last = next;
        for (const std::uint32_t point : points) {
            delta += point < last ? 1U : 0U;
            if (point == last) {
                append_number(delta, bias, out);
                bias = adapted_bias(delta, handled + 1, handled == basic);
                delta = 0;
                ++handled;
            }
        }
        ++delta;
        ++last;
    }
    return out;
}

}  // namespace

std::optional<ModuleName> parse_module_name(std::string_view path) {
    constexpr std::string_view so = ".so";
    const std::string_view name = path.substr(path.rfind('/') + 1);
    if (!name.ends_with(so)) {
        return std::nullopt;
    }
    const std::string_view stem = name.substr(0, name.size() - so.size());
    const std::size_t dot = stem.find('.');
    ModuleName module;
    module.module = std::string(stem.substr(0, dot));
    const std::string_view suffix = dot == std::string_view::npos ? "" : stem.substr(dot + 1);
    constexpr std::string_view cpython = "cpython-";
    if (suffix.starts_with(cpython)) {
        const std::string_view rest = suffix.substr(cpython.size());
        const std::size_t dash = rest.find('-');
        module.abi = ModuleName::Abi::version_specific;
        module.tag = std::string(rest.substr(0, dash));
        module.machine = dash == std::string_view::npos ? "" : std::string(rest.substr(dash + 1));
    } else if (suffix == "abi3") {
        module.abi = ModuleName::Abi::stable;
    } else if (suffix == "abi3t") {
        module.abi = ModuleName::Abi::stable_free_threaded;
    } else if (!suffix.empty() || module.module.starts_with("lib")) {
        return std::nullopt;
    }
    return module;
}

std::pair<std::string, std::string> init_functions(const ModuleName& module) {
    if (is_ascii(module.module)) {
        return {"PyInit_" + module.module, "PyModExport_" + module.module};
    }
    const std::string encoded = punycode(module.module);
    return {"PyInitU_" + encoded, "PyModExportU_" + encoded};
}

}  // namespace wheelforge::wheel
