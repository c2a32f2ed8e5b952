// SPDX-License-Identifier: Apache-2.0
#include "wheel/verify/subject.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.hpp"
#include "wheel/file_walk.hpp"
#include "wheel/verify/path_leaks.hpp"

namespace wheelforge::wheel {

namespace fs = std::filesystem;

namespace {

void take(std::vector<PathLeak> from, std::vector<PathLeak>& to) {
    std::move(from.begin(), from.end(), std::back_inserter(to));
}

enum class Depth { libraries, device_code, everything };

class Loader {
public:
    Loader(const fs::path& path, Depth depth, std::vector<std::string> private_paths)
        : depth_(depth), private_paths_(std::move(private_paths)) {
        subject_.path = path;
        subject_.label = path.filename().string();
        subject_.judged = depth == Depth::everything;
    }

    Subject load() {
        try {
            const WheelFile wheel(subject_.path);
            read_facts(wheel);
            FileWalk walk;
            walk.wanted = [&](const WalkedFile& file) { return wanted(file); };
            walk.visit = [&](const WalkedFile& file, ByteView bytes) { visit(file, bytes); };
            walk_zip(wheel.zip(), walk);
            if (depth_ == Depth::everything) {
                subject_.structure = check_structure(wheel);
            }
        } catch (const Error& error) {
            if (error.code() != ExitCode::refused) {
                throw;
            }
            subject_.refused = fmt::format("{} [{}]", error.message(), error.id());
        }
        return std::move(subject_);
    }

private:
    void read_facts(const WheelFile& wheel) {
        subject_.filename = wheel.filename();
        subject_.name = wheel.filename().name;
        subject_.metadata = wheel.metadata();
        subject_.info = wheel.info();
        for (const ZipMember& member : wheel.zip().members()) {
            if (!member.is_directory()) {
                subject_.members.insert(member.name);
                subject_.unpacked_bytes += member.size;
            }
        }
    }

    [[nodiscard]] bool wanted(const WalkedFile& file) const {
        return worth_inspecting(file.name) || file.name.ends_with("cpp_lib.json")
               || (depth_ == Depth::everything && !private_paths_.empty());
    }

    void visit(const WalkedFile& file, ByteView bytes) {
        if (file.name.ends_with("cpp_lib.json")) {
            subject_.declared = read_declared_build(file.name, bytes.text());
        }
        if (depth_ == Depth::everything) {
            take(find_path_leaks(file.name, bytes, private_paths_), subject_.leaks);
        }
        if (!worth_inspecting(file.name)) {
            return;
        }
        auto report = depth_ == Depth::libraries ? inspect_library(file.name, bytes)
                                                 : inspect_bytes(file.name, bytes);
        if (report) {
            take(find_note_leaks(*report, private_paths_), subject_.leaks);
            subject_.files.push_back(std::move(*report));
        }
    }

    Depth depth_;
    std::vector<std::string> private_paths_;
    Subject subject_;
};

}  // namespace

bool Subject::has_elf() const {
    return std::any_of(files.begin(), files.end(), [](const FileReport& file) {
        return file.elf.has_value();
    });
}

bool Subject::has_kernels() const {
    return std::any_of(files.begin(), files.end(), [](const FileReport& file) {
        return file.device.kernel_count() > 0;
    });
}

bool Subject::has_tag_platform(std::string_view prefix) const {
    return std::any_of(filename.tags.begin(), filename.tags.end(), [&](const pep::Tag& tag) {
        return tag.platform.starts_with(prefix);
    });
}

Subject load_subject(const fs::path& wheel, const std::vector<std::string>& private_paths) {
    return Loader(wheel, Depth::everything, private_paths).load();
}

Subject load_neighbour(const fs::path& wheel) {
    return Loader(wheel, Depth::libraries, {}).load();
}

Subject load_baseline_wheel(const fs::path& wheel) {
    return Loader(wheel, Depth::device_code, {}).load();
}

std::vector<fs::path> wheels_of(const fs::path& path) {
    if (!fs::exists(path)) {
        throw Error(ExitCode::usage, "file-not-found", "there is no " + path.string());
    }
    if (!fs::is_directory(path)) {
        return {path};
    }
    std::vector<fs::path> wheels;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path)) {
        if (entry.is_regular_file() && entry.path().extension() == ".whl") {
            wheels.push_back(entry.path());
        }
    }
    std::sort(wheels.begin(), wheels.end());
    return wheels;
}

}  // namespace wheelforge::wheel
