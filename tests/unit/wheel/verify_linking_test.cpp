// SPDX-License-Identifier: Apache-2.0
// Libraries, symbols, ABI and hygiene.
#include "verify_fixture.hpp"

#include "support/elf_builder.hpp"

namespace wheelforge::wheel {

using namespace support;

namespace {

constexpr const char* extension_path = "pkg/_C.cpython-311-x86_64-linux-gnu.so";

ElfBuilder extension(const std::vector<std::string>& needed = {"libc.so.6"}) {
    ElfBuilder elf;
    elf.needed = needed;
    elf.dynamic_tags = {{24, 0}};  // bind now
    elf.section({".text", std::string(64, '\xc3'), 1, 6, 16});
    elf.dynamic_symbols.push_back({"PyInit__C", ".text", 0, 16});
    return elf;
}

}  // namespace

class VerifyLinking : public Verify {
protected:
    void save_module(ElfBuilder elf, const std::string& path = extension_path) {
        save(binary_wheel().file(path, elf.bytes()));
    }
};

TEST_F(VerifyLinking, AGoodExtensionIsAccepted) {
    save_module(extension({"libc.so.6", "libstdc++.so.6", "libcudart.so.12"}));
    run();
    EXPECT_EQ(found(Level::info), Strings{});
}

TEST_F(VerifyLinking, ALibraryThatNobodyHasIsRefused) {
    save_module(extension({"libc.so.6", "libnowhere.so.3"}));
    run();
    EXPECT_EQ(found(), Strings{std::string("error needed-unresolved ") + extension_path});
}

TEST_F(VerifyLinking, ADeclaredLibraryIsThere) {
    save_module(extension({"libc.so.6", "libnowhere.so.3"}));
    request.policy = parse_policy("packages: {pkg: {externals: ['libnowhere.so.*']}}", "p.yaml");
    run();
    EXPECT_EQ(found(), Strings{});
}

TEST_F(VerifyLinking, ALibraryMayStandInTheWheelOrInOneItRequires) {
    ElfBuilder own;
    own.soname = "libown.so.1";
    ElfBuilder other;
    other.soname = "libother.so.2";
    save(binary_wheel()
             .file(extension_path, extension({"libown.so.1", "libother.so.2"}).bytes())
             .file("pkg.libs/libown-abcd.so.1", own.bytes())
             .info(
                 "METADATA",
                 "Metadata-Version: 2.1\nName: pkg\nVersion: 1.0\nRequires-Dist: other\n"
             ));
    run();
    EXPECT_EQ(count("needed-unresolved", Level::warn), 1U) << "other was not given";
    save(binary_wheel("other").file("other/libother.so.2", other.bytes()));
    run();
    EXPECT_EQ(found(), Strings{});
}

TEST_F(VerifyLinking, ALibraryOfAWheelThatIsNotRequiredIsAWarning) {
    ElfBuilder other;
    other.soname = "libother.so.2";
    save_module(extension({"libother.so.2"}));
    save(binary_wheel("other").file("other/libother.so.2", other.bytes()));
    run();
    EXPECT_EQ(found(), Strings{std::string("warn needed-unresolved ") + extension_path});
}

TEST_F(VerifyLinking, TorchMustBeRequired) {
    save_module(extension({"libtorch.so", "libc10.so"}));
    run();
    EXPECT_EQ(count("needed-unresolved", Level::warn), 2U);
}

TEST_F(VerifyLinking, LibrariesOfAnotherAcceleratorAreRefused) {
    save_module(extension({"libcudart.so.12"}));
    with_variant("rocm");
    run();
    EXPECT_EQ(count("needed-unresolved", Level::error), 1U);
}

TEST_F(VerifyLinking, TheMajorOfTheToolkitMustFit) {
    save_module(extension({"libamdhip64.so.6"}));
    with_variant("rocm");
    request.variant->toolkit = "7.1";
    request.plugins["pkg"] = read_expectation(yaml::parse("kernels: none", "plugin.yaml"));
    run();
    EXPECT_EQ(found(), Strings{std::string("error soname-major ") + extension_path});
    request.variant->toolkit = "6.4";
    run();
    EXPECT_EQ(found(), Strings{});
}

TEST_F(VerifyLinking, SymbolsThatNobodyDefinesAreRefused) {
    ElfBuilder elf = extension({"libown.so.1", "libc.so.6"});
    elf.dynamic_symbols.push_back({"there"});
    elf.dynamic_symbols.push_back({"not_there"});
    elf.dynamic_symbols.push_back({"PyObject_Call"});
    elf.dynamic_symbols.push_back({"perhaps", "", 0, 0, 2, 2});
    elf.dynamic_symbols.push_back({"memcpy", "", 0, 0, 2, 1, 0, "GLIBC_2.14", "libc.so.6"});
    ElfBuilder own;
    own.soname = "libown.so.1";
    own.section({".text", std::string(64, '\xc3'), 1, 6, 16});
    own.dynamic_symbols.push_back({"there", ".text", 0, 16});
    save(binary_wheel().file(extension_path, elf.bytes()).file("pkg/libown.so.1", own.bytes()));
    run();
    EXPECT_EQ(found(), Strings{std::string("error undef-symbol ") + extension_path});
    EXPECT_NE(finding("undef-symbol").evidence.find(": not_there"), std::string::npos)
        << finding("undef-symbol").evidence;
}

TEST_F(VerifyLinking, SymbolsAreNotJudgedWhenALibraryIsElsewhere) {
    ElfBuilder elf = extension({"libcudart.so.12"});
    elf.dynamic_symbols.push_back({"something"});
    save_module(elf);
    run();
    EXPECT_EQ(found(), Strings{});
}

TEST_F(VerifyLinking, CallingARuntimeWithoutNeedingItIsAWarning) {
    ElfBuilder elf = extension();
    elf.dynamic_symbols.push_back({"hipMalloc"});
    save_module(elf);
    run();
    EXPECT_EQ(found(), Strings{std::string("warn underlinked ") + extension_path});
}

TEST_F(VerifyLinking, SymbolVersionsMustFitTheTag) {
    ElfBuilder elf = extension();
    elf.dynamic_symbols.push_back({"fstat", "", 0, 0, 2, 1, 0, "GLIBC_2.34", "libc.so.6"});
    save(WheelBuilder("pkg", "1.0", "cp311-cp311-manylinux_2_28_x86_64")
             .file(extension_path, elf.bytes()));
    run();
    EXPECT_EQ(found(), Strings{std::string("error glibc-floor ") + extension_path});
}

TEST_F(VerifyLinking, SymbolVersionsMustFitTheTargetOfTheVariant) {
    ElfBuilder elf = extension();
    elf.dynamic_symbols.push_back({"fstat", "", 0, 0, 2, 1, 0, "GLIBC_2.36", "libc.so.6"});
    save_module(elf);
    with_variant("cpu");
    request.variant->target.glibc = "2.36";
    run();
    EXPECT_EQ(found(), Strings{});
    request.variant->target.glibc = "2.34";
    run();
    EXPECT_EQ(found(), Strings{std::string("error glibc-floor ") + extension_path});
}

TEST_F(VerifyLinking, BinariesMustFitThePlatformTag) {
    save(WheelBuilder("pkg", "1.0").file("pkg/lib.so", extension().bytes()));
    run();
    EXPECT_EQ(found(), Strings{"error plat-tag pkg/lib.so"});
}

TEST_F(VerifyLinking, MachinesMustFitThePlatformTag) {
    ElfBuilder arm(183);
    arm.dynamic_tags = {{24, 0}};
    save(binary_wheel().file("pkg/libarm.so", arm.bytes()));
    run();
    EXPECT_EQ(found(), Strings{"error plat-tag pkg/libarm.so"});
}

TEST_F(VerifyLinking, ModulesMustFitThePythonTag) {
    save_module(extension(), "pkg/_C.cpython-312-x86_64-linux-gnu.so");
    run();
    EXPECT_EQ(found(), Strings{"error pytag pkg/_C.cpython-312-x86_64-linux-gnu.so"});
}

TEST_F(VerifyLinking, FreeThreadedModulesWantTheirTag) {
    save_module(extension(), "pkg/_C.cpython-311t-x86_64-linux-gnu.so");
    run();
    EXPECT_EQ(count("pytag", Level::error), 1U);
}

TEST_F(VerifyLinking, TheStableAbiIsKept) {
    ElfBuilder elf = extension();
    elf.dynamic_symbols.push_back({"PyModule_Create2"});
    elf.dynamic_symbols.push_back({"PyBuffer_Release"});     // 3.11
    elf.dynamic_symbols.push_back({"_PyObject_GetMethod"});  // not in it
    save(WheelBuilder("pkg", "1.0", "cp39-abi3-linux_x86_64").file("pkg/_C.abi3.so", elf.bytes()));
    run();
    EXPECT_EQ(found(), (Strings{"error abi3 pkg/_C.abi3.so", "error abi3 pkg/_C.abi3.so"}));
}

TEST_F(VerifyLinking, ModulesMustExportTheirFunction) {
    save(binary_wheel().file("pkg/other.cpython-311-x86_64-linux-gnu.so", extension().bytes()));
    run();
    EXPECT_EQ(found(), Strings{"error init-symbol pkg/other.cpython-311-x86_64-linux-gnu.so"});
}

TEST_F(VerifyLinking, ModulesMustNotNeedLibpython) {
    save_module(extension({"libc.so.6", "libpython3.11.so.1.0"}));
    request.policy = parse_policy("packages: {pkg: {externals: ['libpython3*']}}", "policy.yaml");
    run();
    EXPECT_EQ(found(), Strings{std::string("error libpython ") + extension_path});
}

TEST_F(VerifyLinking, TorchHasOneStringAbi) {
    ElfBuilder elf = extension({"libtorch.so"});
    elf.dynamic_symbols.push_back({"_ZN3c105ErrorC1ENS_14SourceLocationESs"});
    elf.dynamic_symbols.push_back(
        {"_ZN5torch3foo3barERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE"}
    );
    save_module(elf);
    run();
    EXPECT_EQ(count("torch-abi", Level::error), 1U);
}

TEST_F(VerifyLinking, SearchPathsStayInsideTheWheel) {
    ElfBuilder elf = extension();
    elf.runpath = "$ORIGIN/../pkg.libs:/opt/rocm/lib:";
    save_module(elf);
    run();
    EXPECT_EQ(count("rpath", Level::warn), 2U);
    BuildFacts build;
    build.private_paths = {"/opt/rocm"};
    request.builds[request.inputs[0].filename().string()] = build;
    run();
    EXPECT_EQ(count("rpath", Level::error), 1U);
}

TEST_F(VerifyLinking, AnExecutableStackIsRefused) {
    ElfBuilder elf = extension();
    elf.executable_stack = true;
    save_module(elf);
    run();
    EXPECT_EQ(found(), Strings{std::string("error execstack ") + extension_path});
}

TEST_F(VerifyLinking, HardeningIsLookedAt) {
    ElfBuilder elf = extension();
    elf.relro = false;
    elf.dynamic_tags = {{22, 0}};
    save_module(elf);
    run();
    EXPECT_EQ(
        found(Level::info),
        (Strings{
            std::string("error textrel ") + extension_path,
            "info bindnow",
            std::string("warn relro ") + extension_path
        })
    );
}

TEST_F(VerifyLinking, PathsOfTheBuildMachineLeak) {
    ElfBuilder elf = extension();
    elf.section(
        {".rodata", std::string("assert failed at /__w/pkg/pkg/csrc/a.cpp\0/tmp/x\0", 49), 1, 2, 1}
    );
    save_module(elf);
    run();
    EXPECT_EQ(found(), Strings{std::string("warn path-leak ") + extension_path});
    EXPECT_NE(finding("path-leak").evidence.find("/__w/pkg/pkg/csrc/a.cpp"), std::string::npos);
}

TEST_F(VerifyLinking, FoldersOfTheBuildLeakAnywhere) {
    save(WheelBuilder("pkg", "1.0").file("pkg/config.py", "ROOT = '/srv/build-17/pkg'\n"));
    BuildFacts build;
    build.private_paths = {"/srv/build-17"};
    request.builds[request.inputs[0].filename().string()] = build;
    run();
    EXPECT_EQ(found(), Strings{"warn path-leak pkg/config.py"});
}

}  // namespace wheelforge::wheel
