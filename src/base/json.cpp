// SPDX-License-Identifier: Apache-2.0
#include "base/json.hpp"

#include <cmath>
#include <cstddef>
#include <iterator>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/text.hpp"

namespace wheelforge {

namespace {

constexpr std::size_t max_depth = 200;

/// Reads the text and tells how far the parser has come, which its events do not say.
class CountingIterator {
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    CountingIterator(const char* at, std::size_t* count) : at_(at), count_(count) {}
    reference operator*() const { return *at_; }
    CountingIterator& operator++() {
        ++at_;
        ++*count_;
        return *this;
    }
    bool operator==(const CountingIterator& other) const { return at_ == other.at_; }
    bool operator!=(const CountingIterator& other) const { return at_ != other.at_; }

private:
    const char* at_;
    std::size_t* count_;
};

/// Takes the parser's events and builds the tree; stops at what the parser itself would let pass.
class Builder : public nlohmann::json_sax<Json> {
public:
    bool null() override { return put(Json(nullptr)); }
    bool boolean(bool value) override { return put(Json(value)); }
    bool number_integer(number_integer_t value) override { return put(Json(value)); }
    bool number_unsigned(number_unsigned_t value) override { return put(Json(value)); }
    bool number_float(number_float_t value, const string_t& text) override {
        return std::isfinite(value) ? put(Json(value)) : refuse("number out of range: " + text);
    }
    bool string(string_t& value) override { return put(Json(std::move(value))); }
    bool binary(binary_t& /*value*/) override { return refuse("binary value"); }

    bool start_object(std::size_t /*size*/) override { return open(Json::object()); }
    bool start_array(std::size_t /*size*/) override { return open(Json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }

    bool key(string_t& name) override {
        auto& frame = frames_.back();
        if (!frame.add_key(name)) {
            return refuse("key \"" + name + "\" stands twice in one object");
        }
        frame.pending_key = std::move(name);
        return true;
    }

    bool parse_error(
        std::size_t /*position*/,
        const std::string& /*token*/,
        const nlohmann::detail::exception& why
    ) override {
        const std::string_view text = why.what();
        const auto id_end = text.find("] ");
        return refuse(text.substr(id_end == std::string_view::npos ? 0 : id_end + 2));
    }

    Json take_root() { return std::move(root_); }
    [[nodiscard]] const std::string& message() const { return message_; }

private:
    struct Frame {
        Json* container = nullptr;
        std::string pending_key;
        std::unordered_set<std::string> many_keys;

        /// False if the object has it already. A set only where a scan would be slow.
        bool add_key(const std::string& name) {
            constexpr std::size_t few = 24;
            const auto& members = container->get_ref<const Json::object_t&>();
            if (members.size() < few) {
                return members.find(name) == members.end();
            }
            if (many_keys.empty()) {
                for (const auto& member : members) {
                    many_keys.insert(member.first);
                }
            }
            return many_keys.insert(name).second;
        }
    };

    Json* place(Json value) {
        if (frames_.empty()) {
            root_ = std::move(value);
            return &root_;
        }
        auto& frame = frames_.back();
        if (frame.container->is_array()) {
            return &frame.container->get_ref<Json::array_t&>().emplace_back(std::move(value));
        }
        auto& members = frame.container->get_ref<Json::object_t&>();
        return &members.emplace_back(std::move(frame.pending_key), std::move(value)).second;
    }
    bool put(Json value) {
        place(std::move(value));
        return true;
    }
    bool open(Json container) {
        if (frames_.size() >= max_depth) {
            return refuse(fmt::format("nested deeper than {}", max_depth));
        }
        frames_.push_back({place(std::move(container)), {}, {}});
        return true;
    }
    bool close() {
        frames_.pop_back();
        return true;
    }
    bool refuse(std::string_view why) {
        message_ = printable(why);
        return false;
    }

    Json root_;
    std::vector<Frame> frames_;
    std::string message_;
};

}  // namespace

Parsed<Json> parse_json(std::string_view text) {
    Builder builder;
    std::size_t read = 0;
    const CountingIterator begin(text.data(), &read);
    const CountingIterator end(text.data() + text.size(), &read);
    if (!Json::sax_parse(begin, end, &builder)) {
        return parse_error(builder.message(), read > 0 ? read - 1 : 0);
    }
    return builder.take_root();
}

std::string dump_json(const Json& value) {
    return value.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string dump_json_line(const Json& value) {
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json text_or_null(const std::string& text) {
    return text.empty() ? Json(nullptr) : Json(text);
}

}  // namespace wheelforge
