// SPDX-License-Identifier: Apache-2.0
#include "bom/cyclonedx.hpp"

#include <algorithm>
#include <cstddef>
#include <ctime>
#include <tuple>

#include <nlohmann/json.hpp>

#include "base/hash.hpp"
#include "base/json.hpp"
#include "base/text.hpp"

namespace wheelforge::bom {

namespace {

// A licence field of old metadata may hold the whole licence; a name is at most this long.
constexpr std::size_t longest_license_name = 120;

bool is_unreserved(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-'
           || c == '.' || c == '_' || c == '~';
}

std::string percent_encoded(std::string_view text) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string encoded;
    for (char c : text) {
        if (is_unreserved(c)) {
            encoded += c;
        } else {
            auto byte = static_cast<unsigned char>(c);
            encoded += '%';
            encoded += digits[byte >> 4U];
            encoded += digits[byte & 0xFU];
        }
    }
    return encoded;
}

std::string iso_time(std::int64_t timestamp) {
    std::time_t time = timestamp;
    std::tm parts{};
    gmtime_r(&time, &parts);
    std::string text(32, '\0');
    text.resize(std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts));
    return text;
}

Json sha256_hashes(const std::string& digest) {
    return Json::array({Json{{"alg", "SHA-256"}, {"content", digest}}});
}

Json property(std::string_view name, std::string_view value) {
    return Json{{"name", name}, {"value", value}};
}

Json component(const BomComponent& part, const std::string& reference, const char* scope) {
    Json json;
    json["type"] = "library";
    json["bom-ref"] = reference;
    json["name"] = part.name;
    json["version"] = part.version;
    json["scope"] = scope;
    if (!part.sha256.empty()) {
        json["hashes"] = sha256_hashes(part.sha256);
    }
    json["purl"] = purl(part.name, part.version);
    if (part.provided) {
        json["properties"] =
            Json::array({property("wheelforge:provided", "installed by others, used as it was")});
    }
    return json;
}

/// `license` is an SPDX expression, or free text kept as such: old fields say "BSD" or a page.
Json licenses(const WheelBom& bom) {
    if (!bom.license_expression.empty()) {
        return Json::array({Json{{"expression", bom.license_expression}}});
    }
    std::string_view text = trim(bom.license_text);
    if (text.size() <= longest_license_name && text.find('\n') == std::string_view::npos) {
        return Json::array({Json{{"license", Json{{"name", text}}}}});
    }
    Json whole;
    whole["name"] = "License field of " + bom.name;
    whole["text"] = Json{{"contentType", "text/plain"}, {"content", text}};
    return Json::array({Json{{"license", whole}}});
}

Json ancestor(const BomComponent& source, const std::string& url) {
    Json json;
    json["type"] = "library";
    json["name"] = source.name;
    json["version"] = source.version;
    if (!source.sha256.empty()) {
        json["hashes"] = sha256_hashes(source.sha256);
    }
    json["purl"] = purl(source.name, source.version);
    if (!url.empty()) {
        json["externalReferences"] =
            Json::array({Json{{"url", url}, {"type", "source-distribution"}}});
    }
    return json;
}

Json subject(const WheelBom& bom) {
    Json json;
    json["type"] = "library";
    json["bom-ref"] = purl(bom.name, bom.version);
    if (!bom.supplier_note.empty()) {
        json["supplier"] = Json{{"name", bom.supplier_note}};
    }
    json["name"] = bom.name;
    json["version"] = bom.version;
    if (!bom.description.empty()) {
        json["description"] = bom.description;
    }
    if (!bom.license_expression.empty() || !trim(bom.license_text).empty()) {
        json["licenses"] = licenses(bom);
    }
    json["purl"] = purl(bom.name, bom.version);
    if (!bom.source.name.empty()) {
        json["pedigree"] = Json{{"ancestors", Json::array({ancestor(bom.source, bom.source_url)})}};
    }
    json["properties"] = Json::array({property("wheelforge:build-key", bom.build_key)});
    return json;
}

Json metadata(const WheelBom& bom) {
    Json tool;
    tool["type"] = "application";
    tool["name"] = "wheelforge";
    tool["version"] = bom.tool_version;
    Json json;
    json["timestamp"] = iso_time(bom.timestamp);
    json["lifecycles"] = Json::array({Json{{"phase", "build"}}});
    json["tools"] = Json{{"components", Json::array({tool})}};
    json["component"] = subject(bom);
    return json;
}

/// Components and who depends on whom grow together, so that every component is connected.
class Parts {
public:
    explicit Parts(const WheelBom& bom) : subject_(purl(bom.name, bom.version)) {
        add(bom.requires_, "", "required", bom.name);
        add(bom.build_tools, "build:", "excluded", "");
    }

    [[nodiscard]] Json components() const { return components_; }

    [[nodiscard]] Json dependencies() const {
        Json all = Json::array();
        all.push_back(Json{{"ref", subject_}, {"dependsOn", references_}});
        for (const std::string& reference : references_) {
            all.push_back(Json{{"ref", reference}});
        }
        return all;
    }

private:
    /// @param prefix  of references: the same version may be both required and a build tool
    /// @param except  a name that is left out: "foo[all]" required by foo is foo itself
    void
    add(std::vector<BomComponent> parts,
        const std::string& prefix,
        const char* scope,
        const std::string& except) {
        std::sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) {
            return std::tie(a.name, a.version) < std::tie(b.name, b.version);
        });
        for (const BomComponent& part : parts) {
            std::string reference = prefix + purl(part.name, part.version);
            bool known =
                std::find(references_.begin(), references_.end(), reference) != references_.end();
            if (part.name != except && !known) {
                references_.push_back(reference);
                components_.push_back(component(part, reference, scope));
            }
        }
    }

    std::string subject_;
    std::vector<std::string> references_;
    Json components_ = Json::array();
};

}  // namespace

std::string purl(std::string_view name, std::string_view version) {
    return "pkg:pypi/" + percent_encoded(name) + "@" + percent_encoded(version);
}

std::string cyclonedx_json(const WheelBom& bom) {
    Parts parts(bom);
    Json document;
    document["$schema"] = "http://cyclonedx.org/schema/bom-1.6.schema.json";
    document["bomFormat"] = "CycloneDX";
    document["specVersion"] = "1.6";
    document["serialNumber"] =
        "urn:uuid:" + uuid5("wheelforge", bom.name + " " + bom.version + " " + bom.build_key);
    document["version"] = 1;
    document["metadata"] = metadata(bom);
    document["components"] = parts.components();
    document["dependencies"] = parts.dependencies();
    return dump_json(document);
}

}  // namespace wheelforge::bom
