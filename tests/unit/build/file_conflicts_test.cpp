// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/files.hpp"
#include "build/file_conflicts.hpp"

namespace wheelforge::build {
namespace {

class FileConflicts : public ::testing::Test {
protected:
    void add(const std::string& layer, const std::map<std::string, std::string>& files) {
        Layer made{layer, folder_.path() / layer, {}};
        for (const auto& [path, content] : files) {
            write_file(made.root / path, content);
            made.files.push_back(path);
        }
        layers_.push_back(made);
    }
    [[nodiscard]] std::string conflict() const {
        try {
            require_no_conflict(layers_);
            return "";
        } catch (const Error& error) {
            return error.id() + ": " + error.message();
        }
    }

private:
    TempDir folder_{fs::temp_directory_path(), "wheelforge-unit-"};
    std::vector<Layer> layers_;
};

TEST_F(FileConflicts, AreNoneBetweenSeparateFiles) {
    add("a", {{"x/a", "1"}, {"x/y/a", "1"}});
    add("b", {{"x/b", "2"}, {"x/y/b", "1"}});
    EXPECT_EQ(conflict(), "");
}

TEST_F(FileConflicts, AreNoneWhereContentsAreEqual) {
    add("a", {{"ns/__init__.py", "# same"}});
    add("b", {{"ns/__init__.py", "# same"}});
    EXPECT_EQ(conflict(), "");
}

TEST_F(FileConflicts, NameBothOwners) {
    add("a", {{"ns/__init__.py", "# this"}});
    add("b", {{"ns/__init__.py", "# that"}});
    EXPECT_EQ(conflict(), "file-conflict: a and b both own ns/__init__.py");
}

TEST_F(FileConflicts, SeeAFileWhereAnotherHasAFolder) {
    add("a", {{"deep/er/x/file", "1"}});
    add("b", {{"deep", "1"}});
    EXPECT_EQ(conflict(), "file-conflict: b and a both own deep");
}

}  // namespace
}  // namespace wheelforge::build
