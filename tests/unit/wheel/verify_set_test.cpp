// SPDX-License-Identifier: Apache-2.0
// Wheels against each other, against what was accepted before, against their sources; policies and
// reports.
#include "verify_fixture.hpp"

#include <nlohmann/json.hpp>

#include "base/files.hpp"
#include "base/json.hpp"
#include "support/thrown_error.hpp"
#include "wheel/verify/catalogue.hpp"
#include "wheel/verify/kernel_sources.hpp"

namespace wheelforge::wheel {

using namespace support;

class VerifySet : public Verify {};

TEST_F(VerifySet, LosingAnArchOrKernelsIsRefused) {
    const fs::path before = folder.path() / "before";
    fs::create_directories(before);
    request.baseline = load_baseline(
        binary_wheel().file(
                          "pkg/libk.so", hip_extension({{"gfx90a", gfx90a}, {"gfx942", gfx942}})
        ).save(before)
    );
    request.baseline_origin = "before";
    HipLibrary library;
    library.section = hip_bundle_for({{"gfx942", code_object(gfx942, {{"_Z1aPf"}})}});
    library.handles = {"_Z1aPf"};
    save(binary_wheel().file("pkg/libk.so", hip_library(library)));
    run();
    EXPECT_EQ(
        found(), (Strings{"error arch-lost", "error kernels-lost pkg/libk.so", "warn size-drop"})
    );
    EXPECT_NE(finding("kernels-lost").evidence.find("_Z1bPf"), std::string::npos);
    EXPECT_NE(finding("arch-lost").evidence.find("gfx90a"), std::string::npos);
}

TEST_F(VerifySet, ALockRemembersWhatWasAccepted) {
    save(binary_wheel().file("pkg/libk.so", hip_extension({{"gfx942", gfx942}})));
    run();
    const std::string text = kernels_lock_text(result.lock);
    EXPECT_EQ(kernels_lock_text(parse_kernels_lock(text, "lock")), text);
    request.baseline = parse_kernels_lock(text, "lock");
    request.baseline_origin = "kernels.lock";
    run();
    EXPECT_EQ(found(), Strings{}) << "the same wheel";

    request.inputs.clear();
    save(binary_wheel().file(
        "pkg/libk.so", hip_extension({{"gfx942", gfx942}}, {{"_Z1aPf"}, {"_Z1bPf", true}})
    ));
    run();
    EXPECT_EQ(found(), (Strings{"error empty-kernel pkg/libk.so", "warn empty-kernel pkg/libk.so"}))
        << "a kernel lost its body";
}

TEST_F(VerifySet, AnotherInterpreterIsTheSameFile) {
    const auto wheel = [](const std::string& tag, const std::string& suffix) {
        return WheelBuilder("pkg", "1.0", tag)
            .file("pkg/_k" + suffix, hip_extension({{"gfx942", gfx942}}));
    };
    save(wheel("cp311-cp311-linux_x86_64", ".cpython-311-x86_64-linux-gnu.so"));
    run();
    request.baseline = result.lock;
    request.inputs.clear();
    save(wheel("cp312-cp312-linux_x86_64", ".cpython-312-x86_64-linux-gnu.so"));
    run();
    EXPECT_EQ(count("kernels-lost", Level::error), 0U);
}

TEST_F(VerifySet, LosingAllCompiledFilesIsSaid) {
    HostLibrary plain;
    save(binary_wheel().file("pkg/libx.so", host_library(plain)));
    run();
    request.baseline = result.lock;
    request.inputs.clear();
    save(WheelBuilder("pkg", "1.0"));
    run();
    EXPECT_EQ(found(), Strings{"warn pure-but-compiled-upstream"});
    request.baseline.reset();
    request.compiled_upstream = {"pkg"};
    run();
    EXPECT_EQ(found(), Strings{"warn pure-but-compiled-upstream"});
}

TEST_F(VerifySet, TwoDistributionsMustNotOwnAFile) {
    save(WheelBuilder("one", "1.0").file("shared/__init__.py", ""));
    save(WheelBuilder("two", "1.0").file("shared/__init__.py", ""));
    run();
    EXPECT_EQ(
        found(),
        (Strings{"error file-conflict shared/__init__.py", "error file-conflict shared/__init__.py"}
        )
    );
}

TEST_F(VerifySet, NvidiaRequirementsStayInCuda) {
    save(WheelBuilder("pkg", "1.0")
             .info(
                 "METADATA",
                 "Metadata-Version: 2.1\nName: pkg\nVersion: 1.0\nProvides-Extra: gpu\n"
                 "Requires-Dist: nvidia-cublas-cu12\nRequires-Dist: nvidia-x; extra == 'gpu'\n"
             ));
    with_variant("cuda");
    run();
    EXPECT_EQ(found(), Strings{});
    with_variant("rocm");
    run();
    EXPECT_EQ(found(), Strings{"error nvidia-requirement"});
}

TEST_F(VerifySet, ABrokenWheelIsAFindingLikeOthers) {
    folder.write("pkg-1.0-py3-none-any.whl", "this is no zip file");
    request.inputs = {folder.path()};
    run();
    EXPECT_EQ(found(), Strings{"error bad-wheel"});
}

TEST_F(VerifySet, NothingToVerifyIsAnError) {
    request.inputs = {folder.path()};
    const Error error = thrown_error([&] { run(); });
    EXPECT_EQ(error.id(), "no-wheels");
}

TEST_F(VerifySet, RecordIsChecked) {
    save(WheelBuilder("pkg", "1.0").record("pkg/__init__.py,sha256=AAAA,1\n"));
    run();
    EXPECT_GT(result.count(Level::error), 0U);
}

TEST_F(VerifySet, ASmokeTestSpeaksThroughFindings) {
    save(WheelBuilder("pkg", "1.0"));
    request.policy = parse_policy("packages: {pkg: {smoke: {imports: [pkg.ops]}}}", "policy.yaml");
    Strings asked;
    request.smoke = [&](const SmokeRequest& smoke) {
        asked = smoke.imports;
        return std::vector<SmokeOutcome>{{"import pkg.ops", false, "No module named pkg.ops"}};
    };
    run();
    EXPECT_EQ(asked, Strings{"pkg.ops"});
    EXPECT_EQ(found(), Strings{"error smoke"});
}

TEST_F(VerifySet, AFromagerTreeHasItsWheelsInTwoFolders) {
    fs::create_directories(folder.path() / "wheels-repo" / "downloads");
    fs::create_directories(folder.path() / "wheels-repo" / "prebuilt");
    EXPECT_EQ(fromager_folders(folder.path()).size(), 2U);
    const Error error =
        thrown_error([&] { static_cast<void>(fromager_folders(folder.path() / "wheels-repo")); });
    EXPECT_EQ(error.id(), "file-not-found");
}

TEST_F(VerifySet, LevelsCanBeSetWithAReason) {
    save(binary_wheel().file(
        "pkg/libk.so", hip_extension({{"gfx942", gfx942}}, {{"_Z1aPf"}, {"_Z1bPf", true}})
    ));
    request.policy = parse_policy(
        "packages:\n  pkg:\n    levels:\n      empty-kernel: {level: error, because: none is "
        "known}\n",
        "policy.yaml"
    );
    run();
    EXPECT_EQ(found(), Strings{"error empty-kernel pkg/libk.so"});
    request.policy = parse_policy(
        "packages:\n  '*':\n    levels:\n      empty-kernel: {level: 'off', because: by design}\n",
        "policy.yaml"
    );
    run();
    EXPECT_EQ(found(), Strings{});
}

TEST(Policy, RefusesWhatItDoesNotUnderstand) {
    const auto id = [](const std::string& text) {
        return thrown_error([&] { static_cast<void>(parse_policy(text, "p.yaml")); }).id();
    };
    EXPECT_EQ(id("packages: {a: {levels: {empty-kernel: {level: warn}}}}"), "bad-value");
    EXPECT_EQ(
        id("packages: {a: {levels: {empty-kernal: {level: warn, because: x}}}}"), "unknown-id"
    );
    EXPECT_EQ(id("packages: {a: {levels: {rpath: {level: loud, because: x}}}}"), "bad-value");
    EXPECT_EQ(id("packages: {a: {kernels: maybe}}"), "bad-value");
    EXPECT_EQ(id("packages: {a: {archs: [banana]}}"), "bad-value");
    EXPECT_EQ(id("packages: {a: {kernel: none}}"), "unknown-key");
    EXPECT_EQ(id("package: {}"), "unknown-key");
}

TEST(KernelSources, AreFoundWithTheirLines) {
    const auto kernels = kernels_in_source(
        "k.cu",
        "// __global__ void no1(int);\n"
        "const char* text = \"__global__ void no2()\";\n"
        "template <typename T>\n"
        "__global__ void __launch_bounds__(256, 2) scale(T* x) {}\n"
        "extern \"C\" __global__ void plain(int* x);\n"
        "/* __global__ void\n no3(); */\n"
        "#define KERNEL __global__\n"
    );
    ASSERT_EQ(kernels.size(), 2U);
    EXPECT_EQ(kernels[0].name, "scale");
    EXPECT_EQ(kernels[0].line, 4);
    EXPECT_EQ(kernels[1].name, "plain");
    EXPECT_EQ(kernels[1].line, 5);
}

TEST(KernelSources, VariablesAreFoundWithTheirLines) {
    const auto reads = variables_in_script(
        "setup.py",
        "import os\n"
        "if os.getenv('FORCE_CUDA', '0') == '1' or os.environ.get(\"HIP_ARCHITECTURES\"):\n"
        "    x = os.environ[\"A_B\"]\n"
        "# os.getenv('COMMENT')\n"
        "if 'IN_IT' in os.environ:\n"
        "    pass\n"
    );
    Strings found;
    for (const VariableRead& read : reads) {
        found.push_back(read.name + ":" + std::to_string(read.line));
    }
    EXPECT_EQ(found, (Strings{"FORCE_CUDA:2", "HIP_ARCHITECTURES:2", "A_B:3", "IN_IT:5"}));
}

TEST_F(VerifySet, SourcesThatNoCodeCoversAreNamedWithTheUnsetSwitch) {
    const fs::path tree = folder.path() / "tree";
    folder.write(
        "tree/setup.py", "import os\nhip = os.getenv('HIP_ARCHITECTURES')\nos.getenv('HOME_X')\n"
    );
    folder.write("tree/csrc/add.cu", "\n__global__ void a(float* x) {}\n");
    HostLibrary plain;
    save(binary_wheel().file("pkg/libx.so", host_library(plain)));
    ask_for("gfx942");
    BuildFacts build;
    build.source_tree = tree;
    build.environment = {{"HOME_X", "1"}};
    request.builds[request.inputs[0].filename().string()] = build;
    run();
    EXPECT_EQ(found(), Strings{"error kernel-source-uncovered"});
    const Finding& one = finding("kernel-source-uncovered");
    EXPECT_NE(one.evidence.find("gfx942"), std::string::npos);
    EXPECT_NE(one.evidence.find("a (csrc/add.cu:2)"), std::string::npos) << one.evidence;
    EXPECT_NE(one.advice.find("HIP_ARCHITECTURES (setup.py:2)"), std::string::npos) << one.advice;
    EXPECT_EQ(one.advice.find("HOME_X"), std::string::npos);

    request.inputs.clear();
    save(binary_wheel().file("pkg/libx.so", hip_extension({{"gfx942", gfx942}})));
    run();
    EXPECT_EQ(found(), Strings{}) << "with the code in it";
}

TEST_F(VerifySet, ReportsSayTheSameInEveryForm) {
    save(binary_wheel().file("pkg/x.hsaco", "<bad>"));
    run();
    const std::string text = render(result, VerifyFormat::text);
    EXPECT_NE(text.find("error: bad-code-object pkg/x.hsaco"), std::string::npos) << text;
    EXPECT_NE(text.find("1 wheel: 1 error"), std::string::npos) << text;
    const Json json = *parse_json(render(result, VerifyFormat::json));
    EXPECT_EQ(json["format"], "wheelforge verify 1");
    EXPECT_EQ(json["accepted"], false);
    EXPECT_EQ(json["wheels"][0]["name"], "pkg");
    EXPECT_EQ(json["wheels"][0]["findings"][0]["id"], "bad-code-object");
    const std::string junit = render(result, VerifyFormat::junit);
    EXPECT_NE(junit.find("failures=\"1\""), std::string::npos) << junit;
    EXPECT_NE(junit.find("<failure type=\"bad-code-object\""), std::string::npos) << junit;
}

TEST(CheckCatalogue, ExplainsEveryCheck) {
    for (const char* id :
         {"arch-missing",
          "kernel-missing",
          "kernels-lost",
          "arch-lost",
          "empty-kernel",
          "jit-only",
          "ptx-too-new",
          "bad-code-object",
          "path-arch",
          "needed-unresolved",
          "undef-symbol",
          "soname-major",
          "glibc-floor",
          "plat-tag",
          "pytag",
          "abi3",
          "init-symbol",
          "torch-abi",
          "rpath",
          "path-leak",
          "execstack",
          "record",
          "metadata",
          "pure-but-compiled-upstream",
          "nvidia-requirement",
          "file-conflict",
          "smoke"}) {
        ASSERT_TRUE(explain_check(id)) << id;
        EXPECT_NE(explain_check(id)->find(id), std::string::npos);
    }
    EXPECT_FALSE(explain_check("no-such-check"));
    const auto ids = check_ids();
    EXPECT_TRUE(std::is_sorted(ids.begin(), ids.end()));
}

}  // namespace wheelforge::wheel
