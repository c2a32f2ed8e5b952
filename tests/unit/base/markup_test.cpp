// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/markup.hpp"

namespace wheelforge {
namespace {

TEST(Markup, TextCannotEndAnAttributeOrBeginAnElement) {
    EXPECT_EQ(escape_markup(R"(a"><script>)"), "a&quot;&gt;&lt;script&gt;");
}

TEST(Markup, WhatLooksEscapedIsEscapedAgain) {
    EXPECT_EQ(escape_markup("&lt;"), "&amp;lt;");
}

}  // namespace
}  // namespace wheelforge
