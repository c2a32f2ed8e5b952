// SPDX-License-Identifier: Apache-2.0
#include "wheel/source_tree/tree_facts.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "base/files.hpp"
#include "base/text.hpp"
#include "pep/pyproject.hpp"
#include "wheel/device/arch.hpp"
#include "wheel/identifier.hpp"

namespace wheelforge::wheel {

namespace {

/// Folders whose scripts are not part of the package's own build.
bool is_aside(const fs::path& file) {
    static const std::set<std::string> names = {
        "test",
        "tests",
        "testing",
        "docs",
        "doc",
        "examples",
        "example",
        "benchmark",
        "benchmarks",
        "3rdparty",
        "third_party",
        "third-party",
        "vendor",
        "extern",
        "external",
        ".git",
        ".github",
        "ci",
        ".ci"
    };
    const fs::path folder = file.parent_path();
    return std::any_of(folder.begin(), folder.end(), [&](const fs::path& part) {
        return names.contains(part.string());
    });
}

bool holds_word(std::string_view text, std::string_view word) {
    for (std::size_t at = text.find(word); at != std::string_view::npos;
         at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]))) {
            return true;
        }
    }
    return false;
}

void add_once(std::vector<Mention>& mentions, Mention mention) {
    const bool known = std::any_of(mentions.begin(), mentions.end(), [&](const Mention& other) {
        return other.text == mention.text;
    });
    if (!known) {
        mentions.push_back(std::move(mention));
    }
}

void add_all(std::vector<Mention>& mentions, std::vector<Mention> more) {
    for (Mention& mention : more) {
        add_once(mentions, std::move(mention));
    }
}

int line_with(std::string_view text, std::string_view word) {
    const std::size_t at = std::min(text.find(word), text.size());
    return 1
           + static_cast<int>(
               std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n')
           );
}

void read_pyproject(const std::string& text, TreeFacts& facts) {
    const auto pyproject = pep::Pyproject::parse(text);
    if (!pyproject) {
        return;  // the build will say so; here it is no reason to stop
    }
    for (const std::string& requirement : pyproject->build_system.requires_text) {
        add_once(
            facts.build_requires, {requirement, "pyproject.toml", line_with(text, requirement)}
        );
    }
}

void read_submodules(std::string_view text, TreeFacts& facts) {
    std::string path;
    int number = 0;
    for (const std::string_view line : lines(text)) {
        ++number;
        const std::size_t equals = line.find('=');
        if (equals == std::string_view::npos) {
            continue;
        }
        const std::string_view key = trim(line.substr(0, equals));
        const std::string value(trim(line.substr(equals + 1)));
        if (key == "path") {
            path = value;
        } else if (key == "url") {
            facts.submodules.push_back({path + " = " + value, ".gitmodules", number});
        }
    }
}

bool is_comment(std::string_view line) {
    line = trim(line);
    return line.starts_with('#') || line.starts_with("//");
}

bool fetches(std::string_view line, std::string_view url) {
    constexpr std::array<std::string_view, 8> packed = {
        ".tar.gz", ".tgz", ".tar.xz", ".tar.bz2", ".zip", ".whl", ".git", ".deb"
    };
    constexpr std::array<std::string_view, 11> verbs = {
        "urlretrieve",
        "urlopen",
        "requests.get",
        "GIT_REPOSITORY",
        "file(DOWNLOAD",
        "wget",
        "curl",
        "git clone",
        "download",
        "DOWNLOAD",
        "fetch"
    };
    const auto ends = [&](std::string_view ending) { return url.ends_with(ending); };
    const auto holds = [&](std::string_view verb) {
        return line.find(verb) != std::string_view::npos;
    };
    return std::any_of(packed.begin(), packed.end(), ends)
           || std::any_of(verbs.begin(), verbs.end(), holds) || trim(line).starts_with("URL ");
}

/// Names like gfx942 and sm_90a, wherever they stand.
void add_named_archs(std::string_view line, const Mention& place, std::vector<Mention>& found) {
    for (const std::string_view prefix : {"gfx", "sm_"}) {
        for (std::size_t at = line.find(prefix); at != std::string_view::npos;
             at = line.find(prefix, at + 1)) {
            std::size_t end = at + prefix.size();
            while (end < line.size() && (is_word(line[end]) || line[end] == '-')) {
                ++end;
            }
            const auto arch = parse_arch(line.substr(at, end - at));
            if (arch && (at == 0 || !is_word(line[at - 1]))) {
                add_once(found, {arch->text(), place.file, place.line});
            }
        }
    }
}

/// "7.5;8.0;9.0a" or "80;90": every part is a CUDA architecture, and there are several.
void add_listed_archs(std::string_view quoted, const Mention& place, std::vector<Mention>& found) {
    if (quoted.find(';') == std::string_view::npos) {
        return;
    }
    const auto archs = parse_arch_list(quoted);
    const bool plausible = archs && std::all_of(archs->begin(), archs->end(), [](const Arch& arch) {
                               return arch.kind != Arch::Kind::amdgpu && arch.capability >= 30
                                      && arch.capability < 200;
                           });
    if (plausible) {
        for (const Arch& arch : *archs) {
            add_once(found, {arch.text(), place.file, place.line});
        }
    }
}

/// By path.
using Texts = std::map<fs::path, std::string>;

/// Words of the import statements of the scripts at the root: setup.py often takes what decides
/// about the build from a module inside of the package.
std::set<std::string> imported_words(const Texts& files) {
    std::set<std::string> words;
    for (const auto& [file, text] : files) {
        if (file.extension() != ".py" || file.has_parent_path()) {
            continue;
        }
        for (const std::string_view line : lines(text)) {
            const std::string_view statement = trim(line);
            if (!statement.starts_with("import ") && !statement.starts_with("from ")) {
                continue;
            }
            for (std::size_t at = 0; at < statement.size();) {
                const std::size_t start = at;
                while (at < statement.size() && is_word(statement[at])) {
                    ++at;
                }
                words.emplace(statement.substr(start, at - start));
                at += at == start ? 1 : 0;
            }
        }
    }
    return words;
}

bool is_imported(const fs::path& file, const std::set<std::string>& words) {
    return file.extension() == ".py" && file.has_parent_path()
           && words.contains(file.stem().string())
           && words.contains(file.parent_path().filename().string());
}

/// Whether the file is looked into, as far as its name below the tree tells.
bool holds_facts(const fs::path& file) {
    return file == "pyproject.toml" || file == ".gitmodules"
           || (is_script(file) && !is_aside(file));
}

}  // namespace

bool steers_build(const fs::path& file) {
    static const std::set<std::string> folders = {"cmake", "tools", "build", "buildtools"};
    if (!is_script(file) || is_aside(file)) {
        return false;
    }
    const fs::path parent = file.parent_path();
    return file.extension() != ".py" || parent.empty()
           || std::any_of(parent.begin(), parent.end(), [&](const fs::path& part) {
                  return folders.contains(part.string());
              });
}

TreeFacts read_tree(const TreeFiles& tree) {
    Texts files;
    tree(holds_facts, [&](const fs::path& file, std::string text) {
        files.insert_or_assign(file, std::move(text));
    });
    TreeFacts facts;
    const std::set<std::string> imported = imported_words(files);
    for (const auto& [file, text] : files) {
        const std::string name = file.string();
        if (name == "pyproject.toml") {
            read_pyproject(text, facts);
        } else if (name == ".gitmodules") {
            read_submodules(text, facts);
        } else {
            const std::vector<VariableRead> reads = variables_in_script(name, text);
            facts.reads.insert(facts.reads.end(), reads.begin(), reads.end());
            if (steers_build(file) || is_imported(file, imported)) {
                facts.build_scripts.insert(name);
                add_all(facts.downloads, downloads_in_script(name, text));
                add_all(facts.archs, archs_in_script(name, text));
            }
        }
    }
    return facts;
}

std::set<std::string> mentioned_names(const TreeFiles& tree, const std::set<std::string>& names) {
    std::set<std::string> missing = names;
    std::set<std::string> found;
    const auto any_is_missing = [&](const fs::path&) { return !missing.empty(); };
    tree(any_is_missing, [&](const fs::path&, const std::string& text) {
        for (auto name = missing.begin(); name != missing.end();) {
            if (holds_word(text, *name)) {
                found.insert(*name);
                name = missing.erase(name);
            } else {
                ++name;
            }
        }
    });
    return found;
}

std::vector<Mention> downloads_in_script(const std::string& file, std::string_view text) {
    std::vector<Mention> found;
    int number = 0;
    for (const std::string_view line : lines(text)) {
        ++number;
        std::size_t at = is_comment(line) ? std::string_view::npos : line.find("http");
        for (; at != std::string_view::npos; at = line.find("http", at + 1)) {
            const std::size_t end = std::min(line.find_first_of(" \t\"'`<>)],;", at), line.size());
            const std::string_view url = line.substr(at, end - at);
            const bool is_url = url.starts_with("https://") || url.starts_with("http://");
            if (is_url && fetches(line, url)) {
                add_once(found, {std::string(url), file, number});
            }
        }
    }
    return found;
}

std::vector<Mention> archs_in_script(const std::string& file, std::string_view text) {
    std::vector<Mention> found;
    Mention place{"", file, 0};
    for (const std::string_view line : lines(text)) {
        ++place.line;
        if (is_comment(line)) {
            continue;
        }
        add_named_archs(line, place, found);
        for (const char quote : {'"', '\''}) {
            const std::vector<std::string_view> parts = split(line, quote);
            for (std::size_t i = 1; i + 1 < parts.size(); i += 2) {
                add_listed_archs(parts[i], place, found);
            }
        }
    }
    return found;
}

}  // namespace wheelforge::wheel
