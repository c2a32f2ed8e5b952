// SPDX-License-Identifier: Apache-2.0
// The target of a CPython on Linux with glibc, made from a table: no interpreter is asked.
#include <array>
#include <limits>
#include <utility>

#include "pep/tags.hpp"
#include "pep/version_builder.hpp"

namespace wheelforge::pep {

namespace {

struct Glibc {
    int major;
    int minor;
    auto operator<=>(const Glibc&) const = default;
};

struct LegacyPlatform {
    Glibc glibc;
    std::string_view name;
};

// Names from before PEP 600 (PEP 513, 571, 599).
constexpr std::array<LegacyPlatform, 3> legacy_platforms{{
    {{2, 17}, "manylinux2014"},
    {{2, 12}, "manylinux2010"},
    {{2, 5}, "manylinux1"},
}};

constexpr std::array<std::string_view, 9> manylinux_machines{
    "x86_64",
    "aarch64",
    "ppc64",
    "ppc64le",
    "s390x",
    "loongarch64",
    "riscv64",
    "i686",
    "armv7l",
};

bool has_manylinux(std::string_view machine) {
    for (const std::string_view known : manylinux_machines) {
        if (machine == known) {
            return true;
        }
    }
    return false;
}

/// A minor number or 0; numbers beyond any real interpreter are cut off.
int small_number(const std::vector<Number>& release, std::size_t index) {
    constexpr std::uint64_t most = 999;
    if (index >= release.size()) {
        return 0;
    }
    const auto value = release[index].small();
    return static_cast<int>(value && *value < most ? *value : most);
}

void append_manylinux(
    std::vector<std::string>& platforms, const std::string& machine, Glibc newest
) {
    const bool is_x86 = machine == "x86_64" || machine == "i686";
    const Glibc oldest = is_x86 ? Glibc{2, 5} : Glibc{2, 17};
    constexpr int last_minor = 50;  // of a major version that is over; none is so far
    for (int major = newest.major; major >= oldest.major; --major) {
        const int first = major == newest.major ? newest.minor : last_minor;
        for (int minor = first; minor >= (major == oldest.major ? oldest.minor : 0); --minor) {
            platforms.push_back(
                "manylinux_" + std::to_string(major) + "_" + std::to_string(minor) + "_" + machine
            );
            for (const LegacyPlatform& legacy : legacy_platforms) {
                if (legacy.glibc == Glibc{major, minor}) {
                    platforms.push_back(std::string(legacy.name) + "_" + machine);
                }
            }
        }
    }
}

/// Platform tags, the nearest first.
std::vector<std::string> platforms_of(const std::string& machine, Glibc glibc) {
    std::vector<std::string> machines{machine};
    if (machine == "armv8l") {
        machines.emplace_back("armv7l");  // a 32-bit program on a 64-bit kernel
    }
    std::vector<std::string> platforms;
    platforms.reserve(machines.size());
    for (const std::string& each : machines) {
        platforms.push_back("linux_" + each);
    }
    if (has_manylinux(machines.back())) {
        for (const std::string& each : machines) {
            append_manylinux(platforms, each, glibc);
        }
    }
    return platforms;
}

class TagList {
public:
    TagList(int major, int minor, bool free_threaded, std::vector<std::string> platforms)
        : major_(major), minor_(minor), free_threaded_(free_threaded),
          platforms_(std::move(platforms)) {}

    std::vector<Tag> make() {
        add_cpython();
        add_pure();
        return std::move(tags_);
    }

private:
    [[nodiscard]] std::string nodot(int minor) const {
        return std::to_string(major_) + std::to_string(minor);
    }

    void add(const std::string& interpreter, const std::string& abi) {
        for (const std::string& platform : platforms_) {
            tags_.push_back({interpreter, abi, platform});
        }
    }

    /// The ABI of extension modules that are built for just this interpreter.
    [[nodiscard]] std::string own_abi() const {
        const bool old = major_ == 3 && minor_ < 8;
        return "cp" + nodot(minor_) + (free_threaded_ ? "t" : old ? "m" : "");
    }

    void add_cpython() {
        const std::string interpreter = "cp" + nodot(minor_);
        const std::string stable = free_threaded_ ? "abi3t" : "abi3";
        const bool has_stable = std::pair(major_, minor_) >= std::pair(3, 2);
        add(interpreter, own_abi());
        if (has_stable) {
            add(interpreter, stable);
        }
        add(interpreter, "none");
        for (int minor = minor_ - 1; has_stable && minor > 1; --minor) {
            add("cp" + nodot(minor), stable);
        }
    }

    [[nodiscard]] std::vector<std::string> pure_interpreters() const {
        std::vector<std::string> names{"py" + nodot(minor_), "py" + std::to_string(major_)};
        for (int minor = minor_ - 1; minor >= 0; --minor) {
            names.push_back("py" + nodot(minor));
        }
        return names;
    }

    void add_pure() {
        const std::vector<std::string> names = pure_interpreters();
        for (const std::string& name : names) {
            add(name, "none");
        }
        tags_.push_back({"cp" + nodot(minor_), "none", "any"});
        for (const std::string& name : names) {
            tags_.push_back({name, "none", "any"});
        }
    }

    int major_;
    int minor_;
    bool free_threaded_;
    std::vector<std::string> platforms_;
    std::vector<Tag> tags_;
};

/// platform.python_version() always has three numbers.
Version with_three_numbers(const Version& python) {
    VersionBuilder builder(python);
    while (builder.release().size() < 3) {
        builder.release().emplace_back();
    }
    return builder.finish();
}

MarkerEnvironment marker_values(const Version& python, const std::string& machine) {
    const std::string major = python.release()[0].text();
    const std::string minor = python.release()[1].text();
    return {
        {"implementation_name", "cpython"},
        {"implementation_version", python.text()},
        {"os_name", "posix"},
        {"platform_machine", machine},
        {"platform_python_implementation", "CPython"},
        {"platform_release", ""},
        {"platform_system", "Linux"},
        {"platform_version", ""},
        {"python_full_version", python.text()},
        {"python_version", major + "." + minor},
        {"sys_platform", "linux"},
    };
}

}  // namespace

Target cpython_linux_target(
    const Version& python, std::string machine, int glibc_major, int glibc_minor, bool free_threaded
) {
    Target target;
    target.python = with_three_numbers(python);
    target.free_threaded = free_threaded;
    target.glibc_major = glibc_major;
    target.glibc_minor = glibc_minor;
    target.markers = marker_values(target.python, machine);
    const std::vector<Number>& release = target.python.release();
    target.tags = TagList(
                      small_number(release, 0),
                      small_number(release, 1),
                      free_threaded,
                      platforms_of(machine, {glibc_major, glibc_minor})
    )
                      .make();
    target.machine = std::move(machine);
    return target;
}

}  // namespace wheelforge::pep
