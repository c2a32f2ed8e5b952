// SPDX-License-Identifier: Apache-2.0
// One strand of a story: the facts of a core under some assumptions ("with flask 3.1.0"), followed
// by propagation alone, and told from the user's lines down to where they meet.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "resolve/core.hpp"
#include "resolve/phrases.hpp"

namespace wheelforge::resolve {

struct Assumption {
    PackageId package = nobody;  ///< by its number in the core
    StateSet states;
};

class Scene {
public:
    Scene(const Model& model, const Core& core, const std::vector<Assumption>& assumptions);
    /// Whether propagation alone finds the contradiction.
    [[nodiscard]] bool contradicts() const noexcept { return violated_.has_value(); }
    [[nodiscard]] const Search& search() const noexcept { return search_; }

    /// What has been told before and need not be told again.
    void assume_told(const std::set<ClauseId>& told) { told_ = told; }
    [[nodiscard]] const std::set<ClauseId>& told() const noexcept { return told_; }
    /// Tells the contradiction.
    void tell_contradiction();
    /// Tells why the package is in the states it is in.
    void tell_package(PackageId package);

    [[nodiscard]] std::string text() const;  ///< sentences, without a period at the end
    [[nodiscard]] std::vector<Link> links() const;

private:
    enum class Join { comma, and_, but, leaves, stop };
    struct Utterance {
        Join join;
        Phrase phrase;
    };
    /// A clause that narrows a package, seen from a position of the trail.
    struct Step {
        ClauseId clause = no_clause;
        PackageId package = nobody;
        std::uint32_t position = 0;
        StateSet allowed;  ///< what it leaves of the package
        StateSet about;    ///< what it removes that nothing before it did
        StateSet left;     ///< what there was to remove from
        [[nodiscard]] bool wants() const { return !allowed.has_absent(); }
    };

    [[nodiscard]] std::vector<Step> steps_to(
        PackageId package,
        const StateSet& states,
        std::uint32_t before,
        std::optional<ClauseId> last = std::nullopt
    ) const;
    [[nodiscard]] Step step(PackageId package, ClauseId clause, std::uint32_t position) const;
    [[nodiscard]] StateSet known_before(PackageId package, std::uint32_t position) const;
    [[nodiscard]] const Fact* fact(ClauseId clause) const { return search_.clause(clause).fact(); }
    /// The package a clause speaks about, if somebody speaks; nobody if that term always holds.
    [[nodiscard]] PackageId object_of(ClauseId clause) const;
    [[nodiscard]] StateSet versions_told(const Step& step) const;

    [[nodiscard]] PackageId package_of_conflict(ClauseId clause) const;
    bool narrate(PackageId package, std::vector<Step> steps);
    void narrate_wants(const std::vector<Step>& wants, bool opposed);
    void narrate_blocks(const std::vector<Step>& blocks, bool wanted);
    [[nodiscard]] std::vector<std::vector<Step>> grouped(const std::vector<Step>& blocks) const;
    [[nodiscard]] bool same_object(const Step& a, const Step& b) const;
    void narrate_group(const std::vector<Step>& group);
    void tell_reason(const Step& step);
    void tell_opposition(const Step& step);
    bool because(PackageId package, const StateSet& states, std::uint32_t before);
    void utter(const Step& step);
    void utter_rest(PackageId package, const StateSet& versions, const std::string& verb);
    [[nodiscard]] bool has_uttered(const Link& link) const;
    [[nodiscard]] static std::string joint(Join join, const Phrase& phrase);

    const Model* model_;
    const Core* core_;
    Search search_;
    std::vector<Assumption> assumptions_;
    std::optional<ClauseId> violated_;
    std::set<ClauseId> told_;
    std::set<ClauseId> opposed_;  ///< those whose opposition has been told
    std::vector<Utterance> utterances_;
    Join join_ = Join::comma;
};

}  // namespace wheelforge::resolve
