// SPDX-License-Identifier: Apache-2.0
// A check: a function with a name that looks at one wheel in its surroundings and says what it
// finds.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wheel/finding.hpp"
#include "wheel/verify/closure.hpp"
#include "wheel/verify/request.hpp"
#include "wheel/verify/subject.hpp"

namespace wheelforge::wheel {

/// What one wheel has to hold, after request, variant, plugin, policy and package were heard.
struct WheelExpectation {
    Kernels kernels = Kernels::automatic;
    std::vector<Arch> archs;
    std::string origin;  ///< of the archs: "--arch", "variant rocm", "xformers/cpp_lib.json"
    bool asked_by_name = false;  ///< one wheel and an arch were named: the answer is owed
    std::vector<FileExpectation> files;
    std::map<std::string, std::vector<std::string>> aliases;
    std::vector<std::string> externals;
};

struct CheckContext {
    const Subject& subject;
    const Closure& closure;
    const VerifyRequest& request;
    const WheelExpectation& expected;
    const LockedPackage* baseline = nullptr;
    const BuildFacts* build = nullptr;
};

/// Gathers findings of one wheel, with the level the catalogue gives or a check decides on, and the
/// policy's last word.
class FindingSink {
public:
    FindingSink(const Policy& policy, std::string package)
        : policy_(policy), package_(std::move(package)) {}

    void add(Finding finding);
    /// At the level of the catalogue.
    void add(std::string_view id, std::string file, std::string evidence, std::string advice = "");
    void add_at(
        Level level,
        std::string_view id,
        std::string file,
        std::string evidence,
        std::string advice = ""
    );
    [[nodiscard]] std::vector<Finding> take() { return std::move(findings_); }

private:
    const Policy& policy_;
    std::string package_;
    std::vector<Finding> findings_;
};

using CheckFunction = void (*)(const CheckContext&, FindingSink&);

struct Check {
    std::string_view name;
    CheckFunction run;
};

// The table, by subject; every function is found in the file of its group.
[[nodiscard]] std::span<const Check> device_checks();       // checks_device.cpp
[[nodiscard]] std::span<const Check> device_file_checks();  // checks_device_files.cpp
[[nodiscard]] std::span<const Check> baseline_checks();     // checks_baseline.cpp
[[nodiscard]] std::span<const Check> linking_checks();      // checks_linking.cpp
[[nodiscard]] std::span<const Check> abi_checks();          // checks_abi.cpp
[[nodiscard]] std::span<const Check> hygiene_checks();      // checks_hygiene.cpp
[[nodiscard]] std::span<const Check> packaging_checks();    // checks_packaging.cpp

/// "a, b, c and 12 more", made safe to print.
[[nodiscard]] std::string some_of(const std::vector<std::string>& names, std::size_t most = 4);

}  // namespace wheelforge::wheel
