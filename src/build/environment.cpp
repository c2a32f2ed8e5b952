// SPDX-License-Identifier: Apache-2.0
#include "build/environment.hpp"

#include <algorithm>
#include <fcntl.h>
#include <sys/stat.h>
#include <utility>

#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/process.hpp"
#include "base/text.hpp"
#include "base/tree_digests.hpp"
#include "build/file_conflicts.hpp"
#include "build/overlay.hpp"
#include "build/tree_copy.hpp"
#include "build/wheel_tree.hpp"

namespace wheelforge::build {
namespace {

/// Raised when trees come to be laid out otherwise.
constexpr std::string_view layout_version = "tree-1";
constexpr std::chrono::seconds compile_timeout{600};

/// Byte-compiles the modules of a tree as if it stood at `prefix`. Only a head start: whatever
/// cannot be compiled is compiled, or fails, when it is imported.
void compile_modules(const Interpreter& interpreter, const fs::path& tree, const fs::path& prefix) {
    const fs::path folder = tree / interpreter.site_packages;
    Launch launch;
    launch.argv = {interpreter.executable.string(), "-I", "-m", "compileall", "-q"};
    for (const auto& argument : {"--invalidation-mode", "unchecked-hash", "-d"}) {
        launch.argv.emplace_back(argument);
    }
    launch.argv.push_back((prefix / interpreter.site_packages).string());
    launch.argv.push_back(folder.string());
    launch.env = {{"PATH", "/usr/bin:/bin"}, {"LC_ALL", "C.UTF-8"}};
    launch.cwd = "/";
    launch.timeout = compile_timeout;
    launch.capture_limit = 0;
    static_cast<void>(run(launch));
}

bool has_modules(const std::vector<std::string>& files) {
    return std::any_of(files.begin(), files.end(), [](const std::string& path) {
        return path.ends_with(".py");
    });
}

void link(const fs::path& target, const fs::path& at) {
    std::error_code error;
    fs::create_symlink(target, at, error);
    if (error) {
        throw file_error(FileAction::write, at.string(), error.value());
    }
}

/// "python3.12" or "python3.13t"
std::string program_name(const Interpreter& interpreter) {
    return fs::path(interpreter.site_packages).parent_path().filename().string();
}

/// What `python -m venv --without-pip` makes.
std::vector<std::string> fill_base(const Interpreter& interpreter, const fs::path& tree) {
    make_directories(tree / "bin");
    make_directories(tree / "include");
    make_directories(tree / interpreter.site_packages);
    link(interpreter.executable, tree / "bin" / "python");
    link("python", tree / "bin" / "python3");
    link("python", tree / "bin" / program_name(interpreter));
    link("lib", tree / "lib64");
    write_file(
        tree / "pyvenv.cfg",
        "home = " + interpreter.executable.parent_path().string()
            + "\ninclude-system-site-packages = false\nversion = "
            + interpreter.target.python.text() + "\nexecutable = " + interpreter.executable.string()
            + '\n'
    );
    return {"bin/" + program_name(interpreter), "bin/python", "bin/python3", "lib64", "pyvenv.cfg"};
}

std::string key_of(std::initializer_list<std::string_view> parts) {
    std::string text(layout_version);
    for (const auto part : parts) {
        text += '\n';
        text += part;
    }
    return sha256(text);
}

/// Synced together with the tree beside it, when both are published.
void write_beside(const fs::path& path, std::string_view text) {
    constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
    const Descriptor file(::open(path.c_str(), flags, 0644));
    if (!file.valid()) {
        throw file_error(FileAction::write, path.string(), errno);
    }
    write_all(file, text, path.string());
}

/// Whatever lies here goes into builds, and their wheels under keys that say nothing of it.
void require_unchanged(const fs::path& tree) {
    const auto stated = read_file(tree / "digests", 256U << 20U);
    if (const auto path = first_difference(stated, tree_digests(tree / "root"))) {
        throw Error(
            ExitCode::refused,
            "tree-changed",
            "an unpacked wheel in the cache was changed since: "
                + printable((tree / "root" / *path).string())
        )
            .advise("wheelforge cache verify --remove takes it out; it is made again when needed");
    }
}

/// What a process that was killed left behind. Its lock is ours now, so nobody works there.
void remove_staged(const fs::path& folder, const std::string& start) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        if (entry.path().filename().string().starts_with(start)) {
            remove_tree(entry.path());
        }
    }
}

std::vector<Layer> layers_of(const TreeCache& cache, std::vector<InstalledWheel> wheels) {
    std::sort(wheels.begin(), wheels.end(), [](const auto& a, const auto& b) {
        return a.wheel.filename() < b.wheel.filename();
    });
    std::vector<Layer> layers;
    const auto add = [&layers](std::string name, const fs::path& tree) {
        layers.push_back({std::move(name), tree, TreeCache::files(tree)});
    };
    for (const InstalledWheel& wheel : wheels) {
        add(wheel.wheel.filename().string(), cache.tree(wheel));
    }
    add("the interpreter", cache.base());
    return layers;
}

}  // namespace

TreeCache::TreeCache(fs::path folder, const Interpreter& interpreter)
    : folder_(std::move(folder)), interpreter_(interpreter),
      prefix_(build_paths(SandboxLevel::namespaces, folder_).environment) {}

/// TREES/KEY/root is the tree, TREES/KEY/files the list of what it brings, TREES/KEY/digests what
/// it is in all; they appear with one rename. The time of
/// the folder is that of its last use, by which the store is pruned.
fs::path TreeCache::publish(
    const std::string& key, const std::function<std::vector<std::string>(const fs::path&)>& fill
) const {
    const fs::path target = folder_ / "trees" / key;
    if (::utimensat(AT_FDCWD, target.c_str(), nullptr, 0) != 0 && !fs::exists(target)) {
        make_directories(folder_ / "locks");
        const auto lock = FileLock::acquire(folder_ / "locks" / key, FileLock::Wait::yes);
        if (!fs::exists(target)) {  // unless the one who held the lock made it
            const std::string staged = key.substr(0, 16) + '-';
            remove_staged(folder_ / "staging", staged);
            TempDir staging(folder_ / "staging", staged);
            make_directories(staging.path() / "root");
            const auto files = fill(staging.path() / "root");
            write_beside(staging.path() / "files", join(files, "\n"));
            write_beside(staging.path() / "digests", tree_digests(staging.path() / "root"));
            ::chmod(staging.path().c_str(), 0755);
            make_directories(target.parent_path());
            publish_directory(staging.release(), target);
        }
    }
    require_unchanged(target);
    return target / "root";
}

fs::path TreeCache::base() const {
    const std::string key =
        key_of({"base-2", interpreter_.digest, interpreter_.executable.string()});
    return publish(key, [this](const fs::path& tree) { return fill_base(interpreter_, tree); });
}

fs::path TreeCache::tree(const InstalledWheel& wheel) const {
    const std::string key =
        key_of({"wheel-2", wheel.payload, interpreter_.digest, prefix_.string()});
    const auto fill = [&](const fs::path& tree) {
        const wheel::WheelFile file(wheel.wheel);
        const auto layout = TreeLayout::of(file, interpreter_, prefix_);
        auto files = unpack_wheel(file, layout, tree);
        if (has_modules(files)) {
            compile_modules(interpreter_, tree, prefix_);
        }
        return files;
    };
    return while_doing(
        [&] { return "unpacking " + wheel.wheel.string(); }, [&] { return publish(key, fill); }
    );
}

std::vector<std::string> TreeCache::files(const fs::path& tree) {
    const std::string text = read_file(tree.parent_path() / "files", 256U << 20U);
    std::vector<std::string> files;
    for (const auto line : split(text, '\n')) {
        files.emplace_back(line);
    }
    return files;
}

Mount provide_environment(
    const TreeCache& cache,
    const std::vector<InstalledWheel>& wheels,
    const SandboxProbe& probe,
    const BuildPaths& paths,
    const fs::path& scratch
) {
    const auto layers = layers_of(cache, wheels);
    require_no_conflict(layers);
    std::vector<fs::path> roots;
    for (const Layer& layer : layers) {
        roots.push_back(layer.root);
    }
    const bool fits =
        cache.prefix() == paths.environment && roots.size() <= OverlayMounts::max_layers;
    if (probe.level == SandboxLevel::namespaces && probe.overlay && fits) {
        return {Mount::Kind::overlay, roots, paths.environment};
    }
    const fs::path folder = build_paths(SandboxLevel::none, scratch).environment;
    remove_tree(folder);
    for (const fs::path& root : roots) {
        copy_tree(root, folder);
    }
    if (cache.prefix() != paths.environment) {
        move_scripts(folder / "bin", cache.prefix(), paths.environment);
    }
    return {Mount::Kind::read_write, {folder}, paths.environment};
}

}  // namespace wheelforge::build
