// SPDX-License-Identifier: Apache-2.0
#include <map>

#include <gtest/gtest.h>

#include "config/tree_requirements.hpp"
#include "support/thrown_error.hpp"

namespace wheelforge::config {
namespace {

using Texts = std::vector<std::string>;
using Files = std::map<std::string, std::string>;

Texts read(const Files& files, const std::string& path = "requirements/rocm.txt") {
    Texts texts;
    for (const auto& each : read_tree_requirements(path, [&](const std::string& name) {
             const auto file = files.find(name);
             return file == files.end() ? std::nullopt : std::optional(file->second);
         })) {
        texts.push_back(each.text());
    }
    return texts;
}

std::string refusal(const Files& files) {
    const auto error = support::thrown_error([&] { (void)read(files); });
    EXPECT_EQ(error.id(), "bad-requires-from");
    EXPECT_EQ(error.code(), ExitCode::build_failed);
    return error.message();
}

TEST(TreeRequirements, FollowTheFilesBesideThem) {
    const Files files{
        {"requirements/rocm.txt",
         "-r common.txt  # shared\n--extra-index-url https://host/whl\npeft\nx[a]>=1 ; "
         "python_version>'3'"},
        {"requirements/common.txt", "-r rocm.txt\n\nnumpy\n"},
    };
    EXPECT_EQ(read(files), (Texts{"numpy", "peft", "x[a]>=1; python_version > \"3\""}));
}

TEST(TreeRequirements, StayInTheTree) {
    EXPECT_NE(
        refusal({{"requirements/rocm.txt", "\n-r /etc/passwd\n"}}).find("requirements/rocm.txt:2"),
        std::string::npos
    );
    EXPECT_NE(
        refusal({{"requirements/rocm.txt", "-r ../../x.txt\n"}}).find("leads out"),
        std::string::npos
    );
    (void)refusal({{"requirements/rocm.txt", "-r https://host/x.txt\n"}});
}

TEST(TreeRequirements, ThatAreMissingOrMalformedAreNamed) {
    EXPECT_EQ(refusal({}), "requirements/rocm.txt: is not in the source tree");
    (void)refusal({{"requirements/rocm.txt", "-r none.txt\n"}});
    EXPECT_TRUE(refusal({{"requirements/rocm.txt", "a\nnot a name\n"}}
    ).starts_with("requirements/rocm.txt:2: "));
    (void)refusal({{"requirements/rocm.txt", "a==${HOME}\n"}});
}

}  // namespace
}  // namespace wheelforge::config
