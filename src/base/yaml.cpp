// SPDX-License-Identifier: Apache-2.0
#include "base/yaml.hpp"

#include <algorithm>
#include <sstream>
#include <unordered_set>

#include <fmt/core.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/text.hpp"

namespace wheelforge::yaml {

namespace {

constexpr std::size_t max_bytes = 4U << 20U;
constexpr std::size_t max_depth = 64;

[[noreturn]] void refuse(const Position& position, std::string_view why) {
    throw Error{ExitCode::usage, "bad-yaml", fmt::format("{}: {}", position.text(), why)};
}

/// Gathers the parser's events into a tree and refuses what the header says.
class Builder : public YAML::EventHandler {
public:
    explicit Builder(std::string file) : file_(std::move(file)) {}

    void OnDocumentStart(const YAML::Mark& mark) override {
        if (documents_++ > 0) {
            refuse(
                at(mark),
                "a second document begins, or a line does not belong to what stands before it"
            );
        }
    }
    void OnDocumentEnd() override {}
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
        refuse(at(mark), "aliases are not accepted");
    }
    void OnAnchor(const YAML::Mark& mark, const std::string& /*name*/) override {
        refuse(at(mark), "anchors are not accepted");
    }
    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        refuse_anchor(mark, anchor);
        if (expects_key()) {
            refuse(at(mark), "a key must be text; quote it if it is meant");
        }
        Node& node = place(mark);
        if (!node.key.empty()) {
            node.position = node.key_position;  // the parser names whatever comes next
        }
    }
    void OnScalar(
        const YAML::Mark& mark,
        const std::string& tag,
        YAML::anchor_t anchor,
        const std::string& value
    ) override {
        refuse_anchor(mark, anchor);
        const bool quoted = tag == "!";
        refuse_tag(mark, quoted ? "?" : tag);
        if (value.find('\0') != std::string::npos) {
            refuse(at(mark), "NUL character in text");
        }
        if (expects_key()) {
            take_key(mark, value, quoted);
            return;
        }
        Node& node = place(mark);
        node.kind = Node::Kind::scalar;
        node.scalar = value;
        node.quoted = quoted;
    }
    void OnSequenceStart(
        const YAML::Mark& mark,
        const std::string& tag,
        YAML::anchor_t anchor,
        YAML::EmitterStyle::value /*style*/
    ) override {
        open(mark, tag, anchor, Node::Kind::sequence);
    }
    void OnSequenceEnd() override { frames_.pop_back(); }
    void OnMapStart(
        const YAML::Mark& mark,
        const std::string& tag,
        YAML::anchor_t anchor,
        YAML::EmitterStyle::value /*style*/
    ) override {
        open(mark, tag, anchor, Node::Kind::mapping);
    }
    void OnMapEnd() override { frames_.pop_back(); }

    [[nodiscard]] Position at(const YAML::Mark& mark) const {
        return {file_, mark.is_null() ? 1 : mark.line + 1, mark.is_null() ? 1 : mark.column + 1};
    }
    Node take_root() { return std::move(root_); }

private:
    struct Frame {
        Node* node = nullptr;
        bool has_key = false;
        std::string key;
        Position key_position;
        std::unordered_set<std::string> keys;
    };

    [[nodiscard]] bool expects_key() const {
        return !frames_.empty() && frames_.back().node->kind == Node::Kind::mapping
               && !frames_.back().has_key;
    }

    void take_key(const YAML::Mark& mark, const std::string& key, bool quoted) {
        Frame& frame = frames_.back();
        if (key == "<<" && !quoted) {
            refuse(at(mark), "merge keys are not accepted");
        }
        if (!frame.keys.insert(key).second) {
            refuse(at(mark), fmt::format("key '{}' stands twice", key));
        }
        frame.has_key = true;
        frame.key = key;
        frame.key_position = at(mark);
    }

    /// The place of the next value: the root, an item, or the value of the key just read.
    Node& place(const YAML::Mark& mark) {
        if (frames_.empty()) {
            root_.position = at(mark);
            return root_;
        }
        Frame& frame = frames_.back();
        if (frame.node->kind == Node::Kind::sequence) {
            Node& item = frame.node->sequence.emplace_back();
            item.position = item.key_position = at(mark);
            return item;
        }
        frame.has_key = false;
        Node& value = frame.node->mapping.emplace_back(Node::Entry{frame.key, {}}).value;
        value.position = at(mark);
        value.key_position = frame.key_position;
        value.key = std::move(frame.key);
        return value;
    }

    void
    open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, Node::Kind kind) {
        refuse_anchor(mark, anchor);
        refuse_tag(mark, tag);
        if (expects_key()) {
            refuse(at(mark), "a key must be text, not a list or a mapping");
        }
        if (frames_.size() >= max_depth) {
            refuse(at(mark), fmt::format("nested deeper than {}", max_depth));
        }
        Node& node = place(mark);
        node.kind = kind;
        frames_.push_back({&node, false, {}, {}, {}});
    }

    void refuse_anchor(const YAML::Mark& mark, YAML::anchor_t anchor) const {
        if (anchor != 0) {
            refuse(at(mark), "anchors are not accepted");
        }
    }
    /// "?" is what the parser calls no tag.
    void refuse_tag(const YAML::Mark& mark, std::string_view tag) const {
        if (tag != "?" && !tag.empty()) {
            refuse(at(mark), fmt::format("tags ({}) are not accepted", tag));
        }
    }

    std::string file_;
    int documents_ = 0;
    Node root_;
    std::vector<Frame> frames_;
};

/// What the parser would guess about: other encodings, control characters.
void check_characters(std::string_view text, const std::string& file) {
    if (text.size() > max_bytes) {
        refuse({file, 1, 1}, fmt::format("longer than {} bytes", max_bytes));
    }
    if (!is_valid_utf8(text)) {
        refuse({file, 1, 1}, "not valid UTF-8");
    }
    Position position{file, 1, 0};
    for (const char c : text) {
        ++position.column;
        const auto byte = static_cast<unsigned char>(c);
        if (c == '\n') {
            ++position.line;
            position.column = 0;
        } else if ((byte < 0x20U && c != '\t' && c != '\r') || byte == 0x7FU) {
            refuse(position, fmt::format("control character 0x{:02x}", byte));
        }
    }
}

}  // namespace

Node parse(std::string_view text, std::string file) {
    check_characters(text, file);
    std::istringstream stream{std::string(text)};
    Builder builder(std::move(file));
    try {
        YAML::Parser parser(stream);
        while (parser.HandleNextDocument(builder)) {
        }
    } catch (const YAML::Exception& problem) {
        refuse(builder.at(problem.mark), problem.msg);
    }
    return builder.take_root();
}

Node load(const std::string& path) {
    const auto text = read_file_if_there(path, max_bytes);
    if (!text) {
        throw Error{ExitCode::usage, "file-not-found", fmt::format("{} does not exist", path)};
    }
    return parse(*text, path);
}

}  // namespace wheelforge::yaml
