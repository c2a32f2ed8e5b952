// SPDX-License-Identifier: Apache-2.0
#include "pep/specifier.hpp"

#include <algorithm>

#include "pep/characters.hpp"
#include "pep/specifier_grammar.hpp"
#include "pep/version_builder.hpp"

namespace wheelforge::pep {

namespace {

using Operator = Specifier::Operator;

/// The first version of all that begin with `release`: 1.2 -> 1.2.dev0.
Version first_of(const Number& epoch, std::vector<Number> release) {
    VersionBuilder builder;
    builder.epoch() = epoch;
    builder.release() = std::move(release);
    builder.dev() = Number();
    return builder.finish();
}

/// The first version behind all that begin with `release`: 1.2 -> 1.3.dev0.
Version first_behind(const Number& epoch, std::vector<Number> release) {
    release.back() = release.back().next();
    return first_of(epoch, std::move(release));
}

/// The bound of "<V": a final release keeps its own pre-releases out.
Version bound_of_less(const Version& version) {
    if (version.is_prerelease()) {
        return version;
    }
    VersionBuilder builder(version);
    builder.dev() = Number();
    return builder.finish();
}

/// The least version that ">V" takes, where V is a development or a post-release.
Version bound_of_greater(const Version& version) {
    VersionBuilder builder(version);
    if (version.dev()) {
        builder.dev() = version.dev()->next();
    } else {
        builder.post() = version.post()->next();
        builder.dev() = Number();
    }
    return builder.finish();
}

Version without_trailing_zeros(const Version& version) {
    VersionBuilder builder(version);
    std::vector<Number>& release = builder.release();
    while (release.size() > 1 && release.back().is_zero()) {
        release.pop_back();
    }
    return builder.finish();
}

}  // namespace

struct SpecifierBuilder {
    const ScannedSpecifier& scanned;
    Specifier made;

    Specifier build() {
        made.operator_ = scanned.op.op;
        made.wildcard_ = scanned.wildcard;
        made.text_ = std::string(scanned.op.text) + std::string(scanned.version_text);
        if (scanned.version) {
            made.version_ = to_version(*scanned.version);
            set_bounds();
        } else {
            made.lower_ = lower(scanned.version_text);
        }
        set_policy();
        set_canonical();
        return std::move(made);
    }

private:
    /// What each operator compares with; contains() reads it back.
    void set_bounds() {
        const Version& version = *made.version_;
        std::vector<Number> release = version.release();
        made.lower_ = version.sort_key();
        if (made.wildcard_) {
            made.lower_ = first_of(version.epoch(), release).sort_key();
            made.upper_ = first_behind(version.epoch(), std::move(release)).sort_key();
        } else if (made.operator_ == Operator::compatible) {
            release.pop_back();
            made.upper_ = first_behind(version.epoch(), std::move(release)).sort_key();
        } else if (made.operator_ == Operator::less) {
            made.upper_ = bound_of_less(version).sort_key();
        } else if (made.operator_ == Operator::greater) {
            set_bounds_of_greater(version);
        }
    }

    /// ">V" leaves V's post-releases and local versions out: by a plain bound where there is a
    /// least greater version, else by the key that the whole family begins with.
    void set_bounds_of_greater(const Version& version) {
        if (version.dev() || version.post()) {
            made.lower_ = bound_of_greater(version).sort_key();
        } else {
            made.upper_ = version.family_sort_key();
        }
    }

    void set_policy() {
        if (made.operator_ == Operator::not_equal || made.wildcard_) {
            return;
        }
        if (made.version_) {
            made.opts_in_ = made.version_->is_prerelease();
        } else if (const auto version = Version::parse(scanned.version_text)) {
            made.opts_in_ = version->is_prerelease();
        }
    }

    void set_canonical() {
        made.canonical_ = made.text_;
        if (made.version_ && !made.wildcard_) {
            const bool length_matters = made.operator_ == Operator::compatible;
            made.canonical_ = scanned.op.text;
            made.canonical_ += length_matters ? made.version_->text()
                                              : without_trailing_zeros(*made.version_).text();
        }
    }
};

WrittenVersion WrittenVersion::of(std::string text) {
    auto parsed = Version::parse(text);
    std::optional<Version> version;
    if (parsed) {
        version = *std::move(parsed);
    }
    return {std::move(text), std::move(version)};
}

Parsed<Specifier> Specifier::parse(std::string_view text) {
    const auto scanned = scan_specifier(text, skip_spaces(text, 0));
    if (!scanned) {
        return tl::unexpected(scanned.error());
    }
    if (skip_spaces(text, scanned->end) != text.size()) {
        return parse_error(
            std::string(why_specifier_ends(text, scanned->end, *scanned)), scanned->end
        );
    }
    return SpecifierBuilder{*scanned, {}}.build();
}

/// Local versions equal their public one unless the specifier names a local version itself.
bool Specifier::equals(const Version& version) const {
    const std::string& key = version.sort_key();
    if (wildcard_) {
        return key >= lower_ && key < upper_;
    }
    return version_->has_local() ? key == lower_ : version.public_sort_key() == lower_;
}

bool Specifier::contains(const Version& version) const {
    const std::string& key = version.sort_key();
    switch (operator_) {
    case Operator::equal:
        return equals(version);
    case Operator::not_equal:
        return !equals(version);
    case Operator::compatible:
        return key >= lower_ && key < upper_;
    case Operator::less_equal:
        return version.public_sort_key() <= lower_;
    case Operator::greater_equal:
        return key >= lower_;
    case Operator::less:
        return key < upper_;
    case Operator::greater:
        return upper_.empty() ? key >= lower_ : key > lower_ && !key.starts_with(upper_);
    case Operator::arbitrary:
        return equal_ignoring_case(version.text(), lower_);
    }
    return false;
}

bool Specifier::contains(const WrittenVersion& version) const {
    if (operator_ == Operator::arbitrary) {
        return equal_ignoring_case(version.text, lower_);
    }
    return version.version && contains(*version.version);
}

}  // namespace wheelforge::pep
