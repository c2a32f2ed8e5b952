// SPDX-License-Identifier: Apache-2.0
// All wheels given, as one place to resolve against: who has which library, who requires whom.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "wheel/verify/subject.hpp"

namespace wheelforge::wheel {

struct Library {
    const Subject* wheel = nullptr;
    const FileReport* file = nullptr;
};

class Closure {
public:
    /// The subjects must outlive this.
    explicit Closure(const std::vector<Subject>& subjects);

    /// The library a DT_NEEDED entry of `from` finds: in its own wheel before others.
    [[nodiscard]] const Library* find(std::string_view soname, const Subject& from) const;
    [[nodiscard]] const Subject* subject(std::string_view name) const;
    /// Whether `from` requires the distribution, itself or through wheels of the closure. Markers
    /// are taken as true, extras as not asked for.
    [[nodiscard]] bool requires_distribution(const Subject& from, const std::string& name) const;
    /// Whether every distribution that `from` needs at run time is in the closure.
    [[nodiscard]] bool is_complete_for(const Subject& from) const;
    /// file path -> wheels that install it, where there is more than one.
    [[nodiscard]] const std::map<std::string, std::vector<const Subject*>>& shared_files() const {
        return shared_files_;
    }

private:
    [[nodiscard]] std::set<std::string> requirements_of(const Subject& from) const;

    std::multimap<std::string, Library, std::less<>> libraries_;
    std::map<std::string, const Subject*, std::less<>> by_name_;
    std::map<std::string, std::vector<const Subject*>> shared_files_;
};

/// Normalised names a wheel requires without extras.
[[nodiscard]] std::set<std::string> direct_requirements(const pep::Metadata& metadata);

}  // namespace wheelforge::wheel
