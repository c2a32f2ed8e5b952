// SPDX-License-Identifier: Apache-2.0
// Requirements and constraints files that name others.
#include <gtest/gtest.h>

#include "config/requirements_file.hpp"
#include "support/thrown_error.hpp"
#include "support/working_directory.hpp"

namespace wheelforge::config {
namespace {

using support::thrown_error;
using Texts = std::vector<std::string>;

class RequirementsTree : public testing::Test {
protected:
    static Texts told(const std::vector<RequirementLine>& lines) {
        Texts out;
        for (const auto& line : lines) {
            out.push_back(line.origin + " " + line.requirement.text());
        }
        return out;
    }
    support::WorkingDirectory here;
};

TEST_F(RequirementsTree, NamesFilesRelativeToTheOneThatNamesThem) {
    here.write("r.txt", "-r sub/more.txt\na\n-c sub/c.txt\n");
    here.write("sub/more.txt", "b\n-r deep.txt\n--constraint=../top.txt\n");
    here.write("sub/deep.txt", "d\n");
    here.write("sub/c.txt", "c==1\n");
    here.write("top.txt", "t<2\n");
    const auto file = read_requirements_file("r.txt");
    EXPECT_EQ(
        told(file.requirements), (Texts{"sub/more.txt:1 b", "sub/deep.txt:1 d", "r.txt:2 a"})
    );
    EXPECT_EQ(told(file.constraints), (Texts{"sub/../top.txt:1 t<2", "sub/c.txt:1 c==1"}));
}

TEST_F(RequirementsTree, MakesConstraintsOfAllThatConstraintsName) {
    here.write("c.txt", "a==1\n-c more.txt\n-r even-more.txt\n");
    here.write("more.txt", "b==1\n");
    here.write("even-more.txt", "c==1\n");
    const auto file = read_constraints_file("c.txt");
    EXPECT_TRUE(file.requirements.empty());
    EXPECT_EQ(
        told(file.constraints), (Texts{"c.txt:1 a==1", "more.txt:1 b==1", "even-more.txt:1 c==1"})
    );
    here.write("r.txt", "-c c.txt\n");
    EXPECT_EQ(read_requirements_file("r.txt").constraints.size(), 3U);
}

TEST_F(RequirementsTree, TakesAbsolutePathsAndFileUrls) {
    here.write("with space.txt", "a\n");
    const std::string folder = here.path().string();
    here.write("r.txt", "-r \"" + folder + "/with space.txt\"\n");
    EXPECT_EQ(read_requirements_file("r.txt").requirements.size(), 1U);
    here.write("r.txt", "-r file://" + folder + "/with%20space.txt\n");
    EXPECT_EQ(read_requirements_file("r.txt").requirements.size(), 1U);
    EXPECT_EQ(read_requirements_file(here.path() / "r.txt").requirements.size(), 1U);
}

TEST_F(RequirementsTree, RefusesARing) {
    here.write("a.txt", "x\n-r b.txt\n");
    here.write("b.txt", "  -r ./a.txt\n");
    const auto error = thrown_error([] { (void)read_requirements_file("a.txt"); });
    EXPECT_EQ(error.id(), "bad-requirement");
    EXPECT_EQ(error.message().substr(0, 10), "b.txt:1:3:");
    here.write("self.txt", "-r self.txt\n");
    EXPECT_EQ(
        thrown_error([] { (void)read_requirements_file("self.txt"); }).id(), "bad-requirement"
    );
}

TEST_F(RequirementsTree, ReadsAFileOnceThatIsNamedOften) {
    // Read each time, the last of these would be read a million times.
    for (int i = 0; i < 20; ++i) {
        const auto next = "f" + std::to_string(i + 1) + ".txt\n";
        here.write("f" + std::to_string(i) + ".txt", "-r " + next + "-r " + next);
    }
    here.write("f20.txt", "a\n");
    EXPECT_EQ(read_requirements_file("f0.txt").requirements.size(), 1U);
}

TEST_F(RequirementsTree, ReadsAFileTwiceForTwoRoles) {
    here.write("r.txt", "-r x.txt\n-c x.txt\n");
    here.write("x.txt", "a==1\n");
    const auto file = read_requirements_file("r.txt");
    EXPECT_EQ(file.requirements.size(), 1U);
    EXPECT_EQ(file.constraints.size(), 1U);
}

TEST_F(RequirementsTree, RefusesToGoTooDeep) {
    for (int i = 0; i < 70; ++i) {
        here.write("f" + std::to_string(i), "-r f" + std::to_string(i + 1) + "\n");
    }
    here.write("f70", "a\n");
    const auto error = thrown_error([] { (void)read_requirements_file("f0"); });
    EXPECT_NE(error.message().find("deeper than 64"), std::string::npos) << error.message();
    EXPECT_EQ(read_requirements_file("f10").requirements.size(), 1U);
}

TEST_F(RequirementsTree, NamesTheLineThatNamesAMissingFile) {
    here.write("r.txt", "a\n\n-r none.txt\n");
    const auto error = thrown_error([] { (void)read_requirements_file("r.txt"); });
    EXPECT_EQ(error.id(), "file-not-found");
    EXPECT_EQ(error.message(), "r.txt:3:1: none.txt does not exist");
}

TEST_F(RequirementsTree, FindsLinksBesideTheFileFirst) {
    fs::create_directories(here.path() / "sub" / "wheels");
    here.write("sub/r.txt", "-f wheels\n-f elsewhere\n-f https://host/links\n");
    EXPECT_EQ(
        read_requirements_file("sub/r.txt").find_links,
        (Texts{"sub/wheels", "elsewhere", "https://host/links"})
    );
}

TEST_F(RequirementsTree, ReadsUrlsByTheGivenFunctionOnly) {
    here.write("r.txt", "a\n-c https://user:pw@host/x/c.txt\n");
    const auto error = thrown_error([] { (void)read_requirements_file("r.txt"); });
    EXPECT_EQ(error.id(), "bad-requirement");
    EXPECT_EQ(error.message().find("pw"), std::string::npos) << error.message();

    Texts asked;
    const auto fetch = [&asked](const std::string& url) -> std::string {
        asked.push_back(url);
        return url.ends_with("c.txt") ? "c==1\n-c more.txt\n" : "m==1\n";
    };
    const auto file = read_requirements_file("r.txt", fetch);
    EXPECT_EQ(asked, (Texts{"https://user:pw@host/x/c.txt", "https://user:pw@host/x/more.txt"}));
    ASSERT_EQ(file.constraints.size(), 2U);
}

}  // namespace
}  // namespace wheelforge::config
