// SPDX-License-Identifier: Apache-2.0
#include "wheel/device/ptx.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>

#include <fmt/format.h>

#include "base/text.hpp"
#include "wheel/device/arch.hpp"

namespace wheelforge::wheel {

namespace {

constexpr std::string_view version_prefix = "PTX ";

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// The text without comments, from `at` on, one token at a time. Punctuation is a token each.
class Tokens {
public:
    explicit Tokens(std::string_view text) : text_(text) {}

    std::string_view next() {
        skip();
        if (at_ >= text_.size()) {
            return {};
        }
        constexpr std::string_view punctuation = "{}()[],;:<>|";
        const std::size_t start = at_;
        if (text_[at_] == '"') {
            at_ = std::min(text_.find('"', at_ + 1), text_.size() - 1) + 1;
        } else if (punctuation.find(text_[at_]) != std::string_view::npos) {
            ++at_;
        } else {
            while (at_ < text_.size() && !is_space(text_[at_])
                   && punctuation.find(text_[at_]) == std::string_view::npos) {
                ++at_;
            }
        }
        return text_.substr(start, at_ - start);
    }

    /// Goes straight to the next `word` that does not stand behind a comment or quote on its line;
    /// false at the end.
    bool seek(std::string_view word) {
        while (jump_to(word)) {
            const std::size_t line = text_.rfind('\n', at_) + 1;
            const std::string_view before = text_.substr(line, at_ - line);
            const bool is_code = before.find("//") == std::string_view::npos
                                 && before.find("/*") == std::string_view::npos
                                 && before.find('"') == std::string_view::npos;
            if (is_code) {
                return true;
            }
            at_ += word.size();
        }
        return false;
    }

private:
    bool jump_to(std::string_view word) {
        const std::string_view rest = text_.substr(std::min(at_, text_.size()));
        const void* found = ::memmem(rest.data(), rest.size(), word.data(), word.size());
        at_ = found == nullptr
                  ? text_.size()
                  : static_cast<std::size_t>(static_cast<const char*>(found) - text_.data());
        return found != nullptr;
    }

    void skip() {
        while (at_ < text_.size()) {
            if (is_space(text_[at_])) {
                ++at_;
            } else if (text_.substr(at_, 2) == "//") {
                at_ = std::min(text_.find('\n', at_), text_.size());
            } else if (text_.substr(at_, 2) == "/*") {
                at_ = std::min(text_.find("*/", at_), text_.size() - 2) + 2;
            } else {
                return;
            }
        }
    }
    std::string_view text_;
    std::size_t at_ = 0;
};

std::string_view directive(std::string_view text, std::string_view name) {
    Tokens tokens(text);
    while (tokens.seek(name)) {
        if (tokens.next() == name) {
            return tokens.next();
        }
    }
    return {};
}

/// Whether a body is nothing but `ret;`. `tokens` stands behind the kernel's name.
bool body_is_empty(Tokens& tokens) {
    std::string_view token = tokens.next();
    while (!token.empty() && token != "{" && token != ";") {
        token = tokens.next();
    }
    if (token != "{") {
        return false;
    }
    for (token = tokens.next(); !token.empty(); token = tokens.next()) {
        if (token == "}") {
            return true;
        }
        if (token != "ret" && token != ";") {
            return false;
        }
    }
    return false;
}

/// `.file 1 "/path/of/source.cu"` of code compiled with line information.
void note_files(std::string_view text, DeviceCollector& out) {
    constexpr std::string_view file = ".file";
    Tokens tokens(text);
    while (tokens.seek(file)) {
        if (tokens.next() == file) {
            tokens.next();
            out.build_note(tokens.next());
        }
    }
}

void read_entries(std::string_view text, DeviceCode& code, DeviceCollector& out) {
    constexpr std::string_view entry = ".entry";
    Tokens tokens(text);
    while (tokens.seek(entry)) {
        if (tokens.next() != entry) {
            continue;
        }
        const std::string_view name = tokens.next();
        if (name.empty()) {
            throw ReadError("PTX ends after .entry");
        }
        out.kernel(code, name, {0, body_is_empty(tokens)});
    }
}

}  // namespace

bool is_ptx(std::string_view text) noexcept {
    const std::string_view start = text.substr(0, 4096);
    return start.find('\0') == std::string_view::npos
           && start.find(".version") != std::string_view::npos
           && text.substr(0, 8192).find(".target") != std::string_view::npos;
}

void read_ptx(std::string_view text, const ObjectOrigin& origin, DeviceCollector& out) {
    text = text.substr(0, text.find('\0'));
    const std::string_view version = directive(text, ".version");
    const std::string_view target = directive(text, ".target");
    if (version.empty() || !target.starts_with("sm_")) {
        throw ReadError("PTX without .version or .target");
    }
    const std::string arch = "compute_" + std::string(target.substr(3));
    if (!origin.declared_arch.empty() && origin.declared_arch != arch) {
        out.error(fmt::format("its container says {}, .target says {}", origin.declared_arch, arch)
        );
    }
    DeviceCode& code = out.object(arch, origin.format);
    code.bytes += text.size();
    code.stored_bytes += origin.stored_bytes;
    code.details.insert(version_prefix.data() + std::string(version));
    if (!origin.detail.empty()) {
        code.details.insert(origin.detail);
    }
    read_entries(text, code, out);
    note_files(text, out);
}

unsigned newest_ptx(const DeviceCode& code) {
    unsigned newest = 0;
    for (const std::string_view detail : code.details) {
        if (!detail.starts_with(version_prefix)) {
            continue;
        }
        const std::vector<std::string_view> parts =
            split(detail.substr(version_prefix.size()), '.');
        unsigned major = 0;
        unsigned minor = 0;
        std::from_chars(parts[0].data(), parts[0].data() + parts[0].size(), major);
        if (parts.size() > 1) {
            std::from_chars(parts[1].data(), parts[1].data() + parts[1].size(), minor);
        }
        newest = std::max(newest, major * 10 + minor);
    }
    return newest;
}

}  // namespace wheelforge::wheel
