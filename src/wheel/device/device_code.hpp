// SPDX-License-Identifier: Apache-2.0
// What the readers of device code find: per (arch, format) the objects and their kernels, and in
// plain words what could not be read.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wheel/byte_view.hpp"

namespace wheelforge::wheel {

struct KernelBody {
    std::uint64_t code_bytes = 0;  ///< largest seen; 0 where the object does not tell
    bool empty = true;             ///< every copy ends at its first instruction
};

struct DeviceCode {
    std::string arch;    ///< "gfx942:xnack-", "sm_90a", "compute_90"
    std::string format;  ///< "hip-bundle", "ccob", "code-object", "cubin", "ptx", ...
    std::uint64_t objects = 0;
    std::map<std::string, KernelBody, std::less<>> kernels;  ///< by unique name
    std::uint64_t bytes = 0;                                 ///< of the objects, unpacked
    std::uint64_t stored_bytes = 0;                          ///< what they take in the file
    std::set<std::string> details;  ///< "ccob v3 zstd", "code object v6", "PTX 9.5"

    [[nodiscard]] std::vector<std::string> empty_kernels() const;
};

/// A library whose device code was moved to a .kpack archive.
struct KpackReference {
    std::string kernel_name;
    std::vector<std::string> search_paths;
};

struct DeviceReport {
    std::vector<DeviceCode> code;  ///< sorted by arch, then format
    std::vector<std::string> errors;
    std::vector<KpackReference> kpack_references;
    std::set<std::string> kpack_names;        ///< what a .kpack archive holds code for
    std::vector<std::string> index_files;     ///< files that a kernel index (Tensile, AITER) names
    std::vector<std::string> failed_kernels;  ///< slots of kernels that did not compile (AOTriton)
    std::vector<std::string> empty_containers;  ///< containers without any object
    std::set<std::string> build_notes;   ///< texts in which compilers noted paths and options
    std::set<std::string> host_kernels;  ///< kernels that the host side means to launch
    bool registers_kernels = false;      ///< calls __hipRegisterFunction or __cudaRegisterFunction
    bool has_concat_group = false;       ///< a fat binary that drivers before CUDA 13.5 do not read

    [[nodiscard]] std::size_t kernel_count() const;
};

/// Whether the digest that a container carries of its contents is compared with them. That takes
/// about as long as all the rest, and what is broken is mostly found without it.
enum class Digests : std::uint8_t { ignored, compared };

/// Takes what readers find in one file, and keeps the place they are at for error texts.
class DeviceCollector {
public:
    explicit DeviceCollector(ReadBudget budget = ReadBudget(), Digests digests = Digests::compared)
        : budget_(budget), digests_(digests) {}

    [[nodiscard]] ReadBudget& budget() noexcept { return budget_; }
    [[nodiscard]] bool compares_digests() const noexcept { return digests_ == Digests::compared; }
    /// The entry for (arch, format), one object more.
    DeviceCode& object(const std::string& arch, const std::string& format);
    void kernel(DeviceCode& code, std::string_view name, KernelBody body);
    void error(std::string_view what);
    /// Keeps a text that a compiler left behind; a few per file are enough.
    void build_note(std::string_view text);
    /// Runs `work`; a ReadError becomes an error that names `place` and ends only this part.
    template <typename Work>
    void inside(std::string place, Work&& work) {
        places_.push_back(std::move(place));
        try {
            std::forward<Work>(work)();
        } catch (const ReadError& failure) {
            error(failure.what());
        }
        places_.pop_back();
    }
    [[nodiscard]] DeviceReport& report() noexcept { return report_; }
    [[nodiscard]] DeviceReport finish();

private:
    ReadBudget budget_;
    Digests digests_;
    DeviceReport report_;
    std::vector<std::string> places_;
    std::map<std::pair<std::string, std::string>, DeviceCode> code_;
};

/// What a walk over containers that stand one after the other found.
struct ContainerWalk {
    std::vector<std::uint64_t> starts;  ///< offsets of the containers
    std::uint64_t end = 0;              ///< offset behind the last one
};

/// Whether something else may follow the last container.
enum class Trailing : std::uint8_t { refused, allowed };

/// Throws ReadError naming the place, unless it is allowed.
void refuse_trailing(ByteView bytes, std::uint64_t at, Trailing trailing);

/// How an object came to stand where it stands.
struct ObjectOrigin {
    std::string format;
    std::string detail;         ///< of the container, "" for none
    std::string declared_arch;  ///< what the container says, "" for nothing
    std::uint64_t stored_bytes = 0;
};

}  // namespace wheelforge::wheel
