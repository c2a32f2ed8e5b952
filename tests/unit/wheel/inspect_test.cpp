// SPDX-License-Identifier: Apache-2.0
#include "device_reader.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "support/device_builder.hpp"
#include "support/thrown_error.hpp"
#include "support/wheel_builder.hpp"
#include "support/working_directory.hpp"
#include "wheel/inspect.hpp"
#include "wheel/weights.hpp"

using namespace wheelforge::support;
using namespace wheelforge::wheel;
using wheelforge::Json;

namespace {

std::string hip_extension() {
    HipLibrary library;
    library.section = ccob(
        hip_bundle_for(
            {{"gfx90a", code_object(gfx90a, {{"_Z1aPf"}, {"_Z1bPf", true}})},
             {"gfx942", code_object(gfx942, {{"_Z1aPf"}, {"_Z1bPf"}})}}
        ),
        3,
        1
    );
    library.handles = {"_Z1aPf", "_Z1bPf"};
    return hip_library(library);
}

}  // namespace

TEST(Inspect, OpensAWheelAndLooks) {
    const WorkingDirectory folder;
    WheelBuilder wheel("pkg", "1.0", "cp311-cp311-linux_x86_64");
    wheel.file("pkg/_C.so", hip_extension()).file("pkg/data.bin", "nothing");
    wheel.file("pkg/broken.co", "not a code object");
    const InspectReport report = inspect_path(wheel.save(folder.path()));
    ASSERT_EQ(report.files.size(), 2U);
    EXPECT_EQ(report.files[0].path, "pkg/_C.so");
    EXPECT_EQ(archs_of(report.files[0]), (std::vector<std::string>{"gfx90a", "gfx942"}));
    EXPECT_EQ(report.files[1].path, "pkg/broken.co");
    EXPECT_TRUE(report.has_errors());
}

TEST(Inspect, JsonSaysWhatTheSchemaSays) {
    const WorkingDirectory folder;
    folder.write("_C.so", hip_extension());
    const InspectReport report = inspect_path(folder.path() / "_C.so");
    const Json json = *wheelforge::parse_json(inspect_json(report, true));
    EXPECT_EQ(json["format"], "wheelforge inspect 1");
    const Json& file = json["files"][0];
    EXPECT_EQ(file["path"], (folder.path() / "_C.so").string());
    EXPECT_TRUE(file["archive"].is_null());
    const Json& code = file["device_code"][0];
    EXPECT_EQ(code["arch"], "gfx90a");
    EXPECT_EQ(code["format"], "ccob");
    EXPECT_EQ(code["objects"], 1);
    EXPECT_EQ(code["kernels"], Json::array({"_Z1aPf", "_Z1bPf"}));
    EXPECT_EQ(code["empty_kernels"], Json::array({"_Z1bPf"}));
    EXPECT_GT(code["bytes"].get<int>(), 0);
    EXPECT_EQ(file["elf"]["machine"], "x86_64");
    EXPECT_EQ(file["elf"]["needed"][0], "libamdhip64.so.7");
    EXPECT_TRUE(file["errors"].empty());
    EXPECT_FALSE(file["weights"].empty());
}

TEST(Inspect, TheTableNamesArchsAndCounts) {
    const WorkingDirectory folder;
    folder.write("_C.so", hip_extension());
    const std::string table = inspect_table(inspect_path(folder.path() / "_C.so"), false);
    EXPECT_NE(table.find("gfx942  ccob          1        2      0"), std::string::npos) << table;
}

TEST(Inspect, AFolderIsReadAsATree) {
    const WorkingDirectory folder;
    folder.write("a/b/_C.so", hip_extension());
    folder.write("a/readme.txt", "text");
    const InspectReport report = inspect_path(folder.path());
    ASSERT_EQ(report.files.size(), 1U);
    EXPECT_EQ(report.files[0].path, "a/b/_C.so");
}

TEST(Inspect, ARefusedArchiveIsOneError) {
    const WorkingDirectory folder;
    folder.write("bad.whl", std::string("PK\x03\x04") + "rest is missing");
    const InspectReport report = inspect_path(folder.path() / "bad.whl");
    ASSERT_EQ(report.files.size(), 1U);
    EXPECT_TRUE(report.has_errors());
    const auto error =
        thrown_error([&] { static_cast<void>(inspect_path(folder.path() / "none")); });
    EXPECT_EQ(error.id(), "file-not-found");
}

TEST(Weights, AddUpToTheFile) {
    const FileReport file = read_file_of("_C.so", hip_extension());
    std::uint64_t total = 0;
    std::uint64_t device = 0;
    for (const Weight& weight : weights_of(file)) {
        total += weight.bytes;
        device += weight.section == ".hip_fatbin" ? weight.bytes : 0;
    }
    EXPECT_EQ(device, file.elf->section_bytes.at(".hip_fatbin"));
    EXPECT_LE(total, file.size);
}
