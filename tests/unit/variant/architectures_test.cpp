// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "support/thrown_error.hpp"
#include "support/working_directory.hpp"
#include "variant/arch_words.hpp"
#include "variant/variant.hpp"

namespace wheelforge::variant {
namespace {

using support::thrown_error;
using Names = std::vector<std::string>;

class ArchLists : public testing::Test {
protected:
    static Names parse(const std::string& family, const std::string& list) {
        return parse_arch_lists(load_variant(family).architectures, Names{list}, "--arch");
    }
    support::WorkingDirectory here;
};

TEST_F(ArchLists, KeepTheirOrder) {
    EXPECT_EQ(parse("rocm", "gfx950,gfx942;gfx90a gfx950"), (Names{"gfx950", "gfx942", "gfx90a"}));
}

TEST_F(ArchLists, PtxStandsBesideTheCodeOfItsArchitecture) {
    EXPECT_EQ(parse("cuda", "8.0,9.0+PTX"), (Names{"8.0", "9.0+PTX"}));
    EXPECT_EQ(parse("cuda", "sm_80,sm_90,compute_90"), (Names{"8.0", "9.0+PTX"}));
    EXPECT_EQ(parse("cuda", "compute_90,90"), Names{"9.0+PTX"});
}

TEST_F(ArchLists, ThatAreUnknownAreRefusedWithWhatIsNear) {
    const auto error = thrown_error([] { parse("cuda", "sm_91"); });
    EXPECT_EQ(error.id(), "unknown-arch");
    ASSERT_FALSE(error.advice().empty());
    EXPECT_NE(error.advice().front().find("9.0"), std::string::npos) << error.advice().front();
}

TEST_F(ArchLists, BelongToTheFamiliesThatHaveThem) {
    const auto rocm = load_variant("rocm").architectures;
    const auto cuda = load_variant("cuda").architectures;
    EXPECT_TRUE(has_arch(rocm, "mi300x"));
    EXPECT_FALSE(has_arch(cuda, "mi300x"));
    EXPECT_TRUE(has_arch(cuda, "sm_90a"));
    EXPECT_FALSE(has_arch(load_variant("cpu").architectures, "sm_90a"));
    EXPECT_EQ(arch_words(Names{"a, b;c", "", "d"}), (Names{"a", "b", "c", "d"}));
}

}  // namespace
}  // namespace wheelforge::variant
