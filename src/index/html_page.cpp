// SPDX-License-Identifier: Apache-2.0
// PEP 503 pages by libxml2's SAX interface: no tree is built, so a page costs what its links cost.
#include <exception>
#include <limits>
#include <memory>

#include <libxml/HTMLparser.h>
#include <libxml/parser.h>

#include "base/http.hpp"
#include "base/text.hpp"
#include "index/html_limits.hpp"
#include "index/link.hpp"

namespace wheelforge::index {

namespace {

constexpr std::size_t max_attribute = 8192;
constexpr std::size_t max_text = 1024;
/// The parser searches its stack of open elements at every end tag.
constexpr int max_depth = 256;

std::string_view view(const xmlChar* text) {
    return text == nullptr ? std::string_view() : reinterpret_cast<const char*>(text);
}

/// The attributes of one element; values are decoded by the parser.
class Attributes {
public:
    explicit Attributes(const xmlChar** pairs) : pairs_(pairs) {}
    /// nullopt if absent or longer than any honest value.
    [[nodiscard]] std::optional<std::string> find(std::string_view name) const {
        for (const xmlChar** pair = pairs_; pair != nullptr && *pair != nullptr; pair += 2) {
            if (view(pair[0]) == name) {
                const auto value = view(pair[1]);
                return value.size() > max_attribute ? std::nullopt
                                                    : std::optional<std::string>(value);
            }
        }
        return std::nullopt;
    }

private:
    const xmlChar** pairs_;
};

class Reader {
public:
    explicit Reader(std::string_view page_url) : base_(page_url) {
        page_.url = page_url;
        refuse_long_base();
    }

    RawPage read(std::string_view body);

private:
    static Reader& self(void* context) { return *static_cast<Reader*>(context); }
    static void on_start(void* context, const xmlChar* name, const xmlChar** attributes) {
        self(context).guard([&](Reader& reader) {
            reader.start(view(name), Attributes(attributes));
        });
    }
    static void on_end(void* context, const xmlChar* name) {
        self(context).guard([&](Reader& reader) { reader.end(view(name)); });
    }
    static void on_text(void* context, const xmlChar* text, int length) {
        self(context).guard([&](Reader& reader) {
            reader.text({reinterpret_cast<const char*>(text), static_cast<std::size_t>(length)});
        });
    }
    /// No exception may cross the C code of the parser.
    template <typename Work>
    void guard(Work&& work) noexcept {
        if (failure_) {
            return;
        }
        try {
            work(*this);
        } catch (...) {
            failure_ = std::current_exception();
            xmlStopParser(parser_);
        }
    }

    void refuse_long_base() const;
    void start(std::string_view name, const Attributes& attributes);
    void start_link(const Attributes& attributes);
    void end(std::string_view name);
    void text(std::string_view bytes);
    void take_meta(const Attributes& attributes);
    void finish_link();

    RawPage page_;
    std::string base_;
    bool has_base_ = false;
    std::optional<Link> open_;
    htmlParserCtxtPtr parser_ = nullptr;
    std::exception_ptr failure_;
};

void Reader::refuse_long_base() const {
    if (base_.size() > max_base) {
        throw_bad_page(page_.url.substr(0, max_base), "its URL or its base is too long");
    }
}

RawPage Reader::read(std::string_view body) {
    if (body.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())
        || exceeds_html_limits(body)) {
        throw_bad_page(page_.url, "it has tags of hundreds of attributes");
    }
    htmlSAXHandler handler{};
    handler.startElement = &Reader::on_start;
    handler.endElement = &Reader::on_end;
    handler.characters = &Reader::on_text;
    const std::unique_ptr<htmlParserCtxt, decltype(&htmlFreeParserCtxt)> parser(
        htmlCreatePushParserCtxt(&handler, this, nullptr, 0, nullptr, XML_CHAR_ENCODING_UTF8),
        &htmlFreeParserCtxt
    );
    if (!parser) {
        throw std::bad_alloc();
    }
    parser_ = parser.get();
    htmlCtxtUseOptions(
        parser_, HTML_PARSE_RECOVER | HTML_PARSE_NONET | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING
    );
    htmlParseChunk(parser_, body.data(), static_cast<int>(body.size()), 1);
    if (failure_) {
        std::rethrow_exception(failure_);
    }
    finish_link();
    return std::move(page_);
}

void Reader::start(std::string_view name, const Attributes& attributes) {
    if (parser_->nameNr > max_depth) {
        throw_bad_page(page_.url, "its elements are nested more than 256 deep");
    }
    if (name == "a") {
        finish_link();
        start_link(attributes);
    } else if (name == "base" && !has_base_) {
        if (const auto href = attributes.find("href")) {
            base_ = resolve_url(page_.url, *href);
            has_base_ = true;
            refuse_long_base();
        }
    } else if (name == "meta") {
        take_meta(attributes);
    }
}

void Reader::start_link(const Attributes& attributes) {
    const auto href = attributes.find("href");
    if (!href) {
        return;
    }
    Link& link = open_.emplace();
    set_location(link, base_, *href);
    link.requires_python = attributes.find("data-requires-python");
    link.yanked = attributes.find("data-yanked");
    link.upload_time = attributes.find("data-upload-time");
    // PEP 714: the new name wins, the old one is the same thing.
    for (const auto* name : {"data-core-metadata", "data-dist-info-metadata"}) {
        if (const auto value = attributes.find(name)) {
            link.metadata_hashes = metadata_hashes_in(*value);
            break;
        }
    }
}

void Reader::end(std::string_view name) {
    if (name == "a") {
        finish_link();
    }
}

void Reader::text(std::string_view bytes) {
    if (open_ && open_->text.size() < max_text) {
        open_->text.append(bytes.substr(0, max_text));
    }
}

void Reader::take_meta(const Attributes& attributes) {
    const auto name = attributes.find("name").value_or("");
    const auto content = attributes.find("content").value_or("");
    if (name == "pypi:repository-version") {
        check_api_version(page_.url, content);
    } else if (name == "pypi:project-status") {
        page_.status = content;
    } else if (name == "pypi:project-status-reason") {
        page_.status_reason = content;
    }
}

void Reader::finish_link() {
    if (!open_) {
        return;
    }
    if (page_.links.size() >= max_links) {
        throw_bad_page(page_.url, "it lists more than 200000 files");
    }
    open_->text = trim(open_->text);
    page_.links.push_back(*std::move(open_));
    open_.reset();
}

}  // namespace

RawPage read_html_page(std::string_view page_url, std::string_view body) {
    // Before the first use on several threads; the static makes it once.
    [[maybe_unused]] static const bool ready = (xmlInitParser(), true);
    return Reader(page_url).read(body);
}

}  // namespace wheelforge::index
