// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <set>
#include <string_view>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "base/json.hpp"
#include "bom/cyclonedx.hpp"

using wheelforge::Json;
using wheelforge::bom::cyclonedx_json;
using wheelforge::bom::purl;
using wheelforge::bom::WheelBom;

namespace {

WheelBom sample() {
    WheelBom bom;
    bom.name = "demo";
    bom.version = "1.0+cpu";
    bom.license_expression = "Apache-2.0 OR MIT";
    bom.supplier_note = "wheelforge";
    bom.description = "A demonstration";
    bom.build_key = std::string(64, 'a');
    bom.timestamp = 1'700'000'000;
    bom.tool_version = "0.1.0";
    bom.source = {"demo", "1.0", std::string(64, 'b')};
    bom.source_url = "https://index.example/files/demo-1.0.tar.gz";
    bom.requires_ = {{"click", "8.1.7", std::string(64, 'c')}, {"attrs", "25.1.0", ""}};
    bom.build_tools = {{"setuptools", "80.9.0", std::string(64, 'd')}};
    return bom;
}

Json parsed(const WheelBom& bom) {
    return wheelforge::parse_json(cyclonedx_json(bom)).value();
}

/// WHEELFORGE_ACCEPT=1 rewrites the fixture instead.
void expect_fixture(const std::string& name, const WheelBom& bom) {
    std::string path = WHEELFORGE_SOURCE_DIR "/tests/fixtures/bom/" + name;
    const char* accept = std::getenv("WHEELFORGE_ACCEPT");
    if (accept != nullptr && std::string_view(accept) == "1") {
        wheelforge::write_file(path, cyclonedx_json(bom));
    }
    EXPECT_EQ(cyclonedx_json(bom), wheelforge::read_file(path));
}

std::set<std::string> connected(const Json& document) {
    std::set<std::string> references;
    for (const Json& dependency : document["dependencies"]) {
        references.insert(dependency["ref"].get<std::string>());
    }
    return references;
}

}  // namespace

TEST(Purl, EncodesWhatTheSpecificationReserves) {
    EXPECT_EQ(purl("torch", "2.10.0"), "pkg:pypi/torch@2.10.0");
    EXPECT_EQ(purl("torch", "2.10.0+cpu"), "pkg:pypi/torch@2.10.0%2Bcpu");
    EXPECT_EQ(purl("zope-interface", "1!2.0"), "pkg:pypi/zope-interface@1%212.0");
}

// The fixtures are what tests/integration/bom/validate.py gives to an independent validator.
TEST(CycloneDx, IsTheTextInTheFixtures) {
    expect_fixture("demo.cdx.json", sample());

    WheelBom minimal;
    minimal.name = "minimal";
    minimal.version = "0";
    expect_fixture("minimal.cdx.json", minimal);

    WheelBom old = sample();
    old.version = "1!2.0.post1";
    old.license_expression.clear();
    old.license_text = "Permission is granted\nto anybody\n";
    old.build_tools.push_back({"attrs", "25.1.0", ""});
    expect_fixture("old-license.cdx.json", old);
}

TEST(CycloneDx, SameInputsGiveTheSameBytesInAnyOrder) {
    WheelBom other = sample();
    std::swap(other.requires_[0], other.requires_[1]);
    EXPECT_EQ(cyclonedx_json(sample()), cyclonedx_json(other));
    other.build_key = std::string(64, 'f');
    EXPECT_NE(parsed(sample())["serialNumber"], parsed(other)["serialNumber"]);
}

TEST(CycloneDx, ConnectsEveryComponentToTheSubject) {
    WheelBom bom = sample();
    bom.build_tools.push_back({"attrs", "25.1.0", ""});
    Json document = parsed(bom);
    std::set<std::string> references = connected(document);
    std::set<std::string> seen;
    for (const Json& component : document["components"]) {
        auto reference = component["bom-ref"].get<std::string>();
        EXPECT_TRUE(seen.insert(reference).second) << reference << " twice";
        EXPECT_TRUE(references.contains(reference)) << reference;
    }
    EXPECT_EQ(seen.size(), 4U);
    EXPECT_TRUE(references.contains("pkg:pypi/demo@1.0%2Bcpu"));
    EXPECT_EQ(document["dependencies"][0]["dependsOn"].size(), 4U);
}

TEST(CycloneDx, BuildToolsAreExcludedAndPinsRequired) {
    Json document = parsed(sample());
    for (const Json& component : document["components"]) {
        bool tool = component["name"] == "setuptools";
        EXPECT_EQ(component["scope"], tool ? "excluded" : "required");
    }
}

TEST(CycloneDx, LeavesOutItselfRequiredThroughAnExtra) {
    WheelBom bom = sample();
    bom.requires_.push_back({"demo", "1.0+cpu", ""});
    EXPECT_EQ(parsed(bom)["components"].size(), 3U);
}

TEST(CycloneDx, KeepsAnOldLicenseFieldAsTextNotAsExpression) {
    WheelBom bom = sample();
    bom.license_expression.clear();
    bom.license_text = " BSD-ish \n";
    Json license = parsed(bom)["metadata"]["component"]["licenses"][0];
    EXPECT_EQ(license["license"]["name"], "BSD-ish");
    EXPECT_FALSE(license.contains("expression"));

    bom.license_text = "Permission is granted\nto anybody\n";
    license = parsed(bom)["metadata"]["component"]["licenses"][0];
    EXPECT_EQ(license["license"]["text"]["content"], "Permission is granted\nto anybody");
    EXPECT_EQ(license["license"]["name"], "License field of demo");
}

TEST(CycloneDx, SaysNothingAboutWhatIsUnknown) {
    WheelBom bom;
    bom.name = "demo";
    bom.version = "1.0";
    Json component = parsed(bom)["metadata"]["component"];
    for (const char* field : {"licenses", "description", "supplier", "pedigree"}) {
        EXPECT_FALSE(component.contains(field)) << field;
    }
    EXPECT_EQ(parsed(bom)["metadata"]["timestamp"], "1970-01-01T00:00:00Z");
}

TEST(CycloneDx, HostileTextStaysInsideItsString) {
    WheelBom bom = sample();
    bom.description = "a\"}],\n\x01\xff";
    bom.license_expression.clear();
    bom.license_text = "\xc3\x28";
    Json document = parsed(bom);
    EXPECT_EQ(document["components"].size(), 3U);
    EXPECT_EQ(
        document["metadata"]["component"]["description"].get<std::string>(),
        "a\"}],\n\x01\xef\xbf\xbd"
    );
}
