// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "build/signatures.hpp"

namespace wheelforge::build {
namespace {

TEST(Signatures, ShippedOnesLoad) {
    const Signatures& signatures = Signatures::shipped();
    EXPECT_GT(signatures.all.size(), 50U);
    EXPECT_GT(signatures.tables.at("headers").size(), 40U);
    for (const Signature& signature : signatures.all) {
        EXPECT_TRUE(signature.table.empty() || signatures.tables.contains(signature.table))
            << signature.id;
        EXPECT_FALSE(signature.advice.empty()) << signature.id;
        EXPECT_NE(signature.exit_code.has_value(), !signature.literal.empty()) << signature.id;
    }
}

TEST(Signatures, LookUpByNameThenByFolder) {
    const Signatures& signatures = Signatures::shipped();
    const auto header = [&](const char* name) {
        return signatures.look_up("headers", name).value_or("unknown");
    };
    EXPECT_EQ(header("yaml.h"), "apt-get install libyaml-dev, or dnf install libyaml-devel");
    EXPECT_EQ(header("openssl/evp.h"), "apt-get install libssl-dev, or dnf install openssl-devel");
    EXPECT_EQ(header("openssl/deep/er.h"), header("openssl/evp.h"));
    EXPECT_EQ(header("sub/yaml.h"), "unknown");
    EXPECT_EQ(header("/evil.h"), "unknown");
    EXPECT_EQ(signatures.look_up("nonsense", "x"), std::nullopt);
    EXPECT_EQ(
        signatures.look_up("modules", "mesonpy"),
        "add meson-python to the package's build requirements in its settings"
    );
}

TEST(Signatures, AreRefusedWithTheirPlace) {
    const auto message = [](const char* text) {
        try {
            static_cast<void>(Signatures::parse(text, "s.yaml"));
            return std::string();
        } catch (const Error& error) {
            return error.message();
        }
    };
    EXPECT_EQ(message("signatures: []\n"), "");
    EXPECT_TRUE(message("signatures:\n  - id: a\n    class: odd\n").starts_with("s.yaml:3:"));
    EXPECT_TRUE(message("signatures:\n  - id: a\n    class: weak\n    cause: c\n    advice: a\n"
                        "    literal: l\n    pattern: \"(\"\n")
                    .starts_with("s.yaml:7:"));
    EXPECT_NE(message("signatures: []\nheaders:\n  a.h: {apt: x}\n"), "");
    EXPECT_NE(message("signature: []\n"), "");
}

}  // namespace
}  // namespace wheelforge::build
