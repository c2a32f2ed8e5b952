// SPDX-License-Identifier: Apache-2.0
// Writes the seeds of every fuzz target: good files of each kind, small.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include "support/device_builder.hpp"
#include "support/wheel_builder.hpp"

using namespace wheelforge::support;
namespace fs = std::filesystem;

namespace {

class Corpus {
public:
    explicit Corpus(fs::path root) : root_(std::move(root)) {}
    void add(const std::string& reader, const std::string& name, const std::string& bytes) const {
        fs::create_directories(root_ / reader);
        std::ofstream file(root_ / reader / name, std::ios::binary);
        file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    }

private:
    fs::path root_;
};

std::string small_bundle() {
    return hip_bundle_for({{"gfx942", code_object(gfx942, {{"a"}, {"b", true}})}});
}

void add_amd(const Corpus& corpus) {
    const std::string object =
        code_object(gfx90a | xnack_on, {{"a"}}, 3, "amdgcn-amd-amdhsa--gfx90a:xnack+");
    corpus.add("hip_bundle", "object", object);
    corpus.add("hip_bundle", "bundle", small_bundle());
    for (const unsigned version : {1U, 2U, 3U}) {
        for (const unsigned method : {0U, 1U}) {
            corpus.add(
                "ccob",
                std::to_string(version) + "-" + std::to_string(method),
                ccob(small_bundle(), version, method)
            );
        }
    }
    corpus.add("aks2", "two", aks2({{"a", object}, {"failed", ""}}));
    for (const bool zstd : {false, true}) {
        corpus.add("kpack", zstd ? "zstd" : "plain", kpack({{"x#0", "gfx942", object}}, zstd));
    }
}

void add_cuda(const Corpus& corpus) {
    const std::string binary = cubin({80, {{"_Z1aPf"}, {"_Z1bPf", true}}});
    const std::string text = ptx("8.5", "sm_90a", {{"_Z1aPf"}, {"_Z1bPf", true}});
    corpus.add("cubin", "new", binary);
    corpus.add("cubin", "old", cubin({86, {{"k"}}, false}));
    corpus.add("ptx", "text", text);
    for (const std::string compression : {"", "lz4", "zstd"}) {
        corpus.add(
            "cuda_fatbin",
            "two-" + compression,
            fatbin({{2, 80, binary, compression}, {1, 90, text, compression, 'a'}})
        );
    }
}

void add_host(const Corpus& corpus) {
    HipLibrary hip;
    hip.section = ccob(small_bundle(), 3, 1);
    hip.handles = {"a", "b"};
    corpus.add("elf", "hip", hip_library(hip));
    hip.section_headers = false;
    hip.stripped = true;
    corpus.add("elf", "hip-without-sections", hip_library(hip));
    CudaLibrary cuda;
    cuda.section = fatbin({{2, 80, cubin({80, {{"_Z1aPf"}}})}});
    cuda.kernels = {"_Z1aPf"};
    corpus.add("elf", "cuda", cuda_library(cuda));
    corpus.add("elf", "plain", host_library({}));
}

void add_containers(const Corpus& corpus) {
    const std::string library = mp_map(
        {{"library", mp_map({{"type", mp_text("Placeholder")}, {"value", mp_text("X_gfx942")}})},
         {"solutions", mp_array({mp_map({{"name", mp_text("k")}, {"index", mp_number(7)}})})}}
    );
    corpus.add("msgpack", "library", library);
    corpus.add("kernel_index", "library", library);
    corpus.add("zip", "wheel", WheelBuilder().bytes());
    corpus.add("zip", "shuffled", WheelBuilder().shuffled().bytes());
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::cerr << "usage: fuzz_make_seeds FOLDER\n";
        return 2;
    }
    const Corpus corpus(argv[1]);
    add_amd(corpus);
    add_cuda(corpus);
    add_host(corpus);
    add_containers(corpus);
    return 0;
}
