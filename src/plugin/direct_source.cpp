// SPDX-License-Identifier: Apache-2.0
#include "plugin/direct_source.hpp"

#include <regex>

#include <nlohmann/json.hpp>

#include "base/archive.hpp"
#include "base/files.hpp"
#include "base/hash.hpp"
#include "base/http.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "pep/filename.hpp"
#include "pep/name.hpp"
#include "plugin/direct_url.hpp"
#include "plugin/git_checkout.hpp"

namespace wheelforge::plugin {
namespace {

constexpr std::string_view memo_kind = "git-archive-1";
constexpr const char* packed_extension = ".tar.gz";

/// Gives the text of a file of the project, by its path inside.
using ReadText = std::function<std::optional<std::string>(const std::string&)>;

/// Lines longer than this say no version; a pattern must not wander over megabytes.
constexpr std::size_t longest_line = 500;

std::optional<pep::Version> version_in(std::string_view line, const std::regex& pattern) {
    std::cmatch match;
    if (line.size() > longest_line
        || !std::regex_search(line.data(), line.data() + line.size(), match, pattern)) {
        return std::nullopt;
    }
    auto version = pep::Version::parse(match[1].str());
    return version ? std::optional(std::move(*version)) : std::nullopt;
}

/// The first line with a version, in the section `[section]` if one is named.
std::optional<pep::Version> version_in_lines(
    const std::string& text, const std::regex& pattern, std::string_view section = {}
) {
    bool inside = section.empty();
    for (const auto line : lines(text)) {
        if (!section.empty() && line.starts_with('[')) {
            inside = trim(line) == section;
        }
        if (auto version = inside ? version_in(line, pattern) : std::nullopt) {
            return version;
        }
    }
    return std::nullopt;
}

/// "v1.2", "1.2", "release-1.2", "name-1.2": what stands behind the last word.
std::optional<pep::Version> version_of_tag(const std::string& tag) {
    static const std::regex pattern("^(?:.*[-_/])?[vV]?([0-9][^/]*)$");
    return version_in(tag, pattern);
}

std::optional<pep::Version> version_in_pyproject(const std::string& text) {
    static const std::regex quoted("^version[ \t]*=[ \t]*[\"']([^\"']+)[\"']");
    const auto parsed = pep::Pyproject::parse(text);
    if (parsed && parsed->project && parsed->project->version) {
        if (auto version = pep::Version::parse(*parsed->project->version)) {
            return *version;
        }
    }
    return version_in_lines(text, quoted, "[tool.poetry]");
}

/// What the files of a project say without being run. The wheel that is built must agree.
std::optional<pep::Version> version_in_files(const ReadText& read) {
    static const std::regex field("^Version:[ \t]*([^ \t]+)");
    static const std::regex setup_cfg("^version[ \t]*=[ \t]*([0-9][^ \t]*)");
    static const std::regex setup_py("\\bversion[ \t]*=[ \t]*[\"']([^\"']+)[\"']");
    std::optional<pep::Version> version;
    if (const auto text = read("PKG-INFO")) {
        version = version_in_lines(*text, field);
    }
    if (const auto text = version ? std::nullopt : read("pyproject.toml")) {
        version = version_in_pyproject(*text);
    }
    if (const auto text = version ? std::nullopt : read("setup.cfg")) {
        version = version_in_lines(*text, setup_cfg, "[metadata]");
    }
    if (const auto text = version ? std::nullopt : read("setup.py")) {
        version = version_in_lines(*text, setup_py);
    }
    return version;
}

class Direct {
public:
    Direct(const std::string& name, const std::string& url, const Toolbox& tools)
        : name_(name), url_(url), parsed_(parse_direct_url(name, url)), tools_(tools) {
        result_.subdirectory = parsed_.value("subdirectory");
        result_.file.index_url = "direct reference";
    }

    DirectSource fetch() {
        if (parsed_.is_git) {
            take_git();
        } else if (const auto path = local_path(); path && fs::is_directory(*path)) {
            result_.kind = "local";
            result_.file.url = parsed_.location;
            pack(*path, version_of(reader(*path), ""));
        } else {
            take_file(path.has_value());
        }
        return std::move(result_);
    }

private:
    [[nodiscard]] std::optional<fs::path> local_path() const {
        const auto path = path_of_file_url(parsed_.location);
        return path ? std::optional<fs::path>(*path) : std::nullopt;
    }

    [[nodiscard]] ReadText reader(const fs::path& folder) const {
        const auto root = folder / result_.subdirectory;
        return [root](const std::string& file) { return read_file_if_there(root / file); };
    }

    [[nodiscard]] pep::Version version_of(const ReadText& read, const std::string& tag) const {
        if (const auto said = parsed_.value("version"); !said.empty()) {
            if (auto version = pep::Version::parse(said)) {
                return *version;
            }
        }
        if (auto version = version_in_files(read)) {
            return *version;
        }
        for (const auto& text : {tag, parsed_.revision}) {
            if (auto version = version_of_tag(text); version && !text.empty()) {
                return *version;
            }
        }
        throw Error(
            ExitCode::usage,
            "url-version-unknown",
            "no file of " + name_ + " @ " + masked_url(url_)
                + " says which version it is: its build computes that"
        )
            .advise("say it in the URL: #version=1.2.3, or name a tag: @v1.2.3");
    }

    void take_git();
    void take_file(bool is_local);
    void take_sdist();
    void download();
    /// Packs a folder, without what belongs to git, into the store.
    void pack(const fs::path& folder, const pep::Version& version);
    bool recall(const std::string& key);
    void remember(const std::string& key) const;

    const std::string& name_;
    const std::string& url_;
    DirectUrl parsed_;
    const Toolbox& tools_;
    DirectSource result_;
    fs::path downloaded_;
};

void Direct::pack(const fs::path& folder, const pep::Version& version) {
    const auto stem = pep::filename_form(name_) + "-" + version.text();
    const TempDir scratch(tools_.store.sources(), "pack-");
    const auto archive = scratch.path() / (stem + packed_extension);
    Launch launch;
    launch.argv = {
        "tar",
        "--create",
        "--gzip",
        "--file",
        archive.string(),
        "--sort=name",
        "--mtime=@315532800",
        "--owner=0",
        "--group=0",
        "--numeric-owner",
        "--exclude=.git",
        "--exclude=__pycache__",
        "--exclude=.venv",
        "--transform=s,^\\.," + stem + ",S",
        "-C",
        folder.string(),
        "."
    };
    const auto place = fs::path(result_.subdirectory) / "PKG-INFO";
    if (!fs::exists(folder / place)) {
        // So that tools which ask git for the version find it as in any sdist.
        write_file(
            scratch.path() / "add" / place,
            "Metadata-Version: 2.1\nName: " + name_ + "\nVersion: " + version.text() + "\n"
        );
        launch.argv.insert(
            launch.argv.end(), {"-C", (scratch.path() / "add").string(), "./" + place.string()}
        );
    }
    launch.env = {{"PATH", "/usr/local/bin:/usr/bin:/bin"}, {"LC_ALL", "C"}};
    const auto done = run(launch);
    if (done.exit_code != 0) {
        throw Error(
            ExitCode::surroundings,
            "source-not-packed",
            "tar could not pack " + folder.string() + ": " + printable(trim(done.err))
        );
    }
    const auto digest = sha256_file(archive);
    publish_copy(archive, tools_.store.sources() / digest / archive.filename());
    result_.file.filename = archive.filename().string();
    result_.file.version = version;
    result_.file.hashes["sha256"] = digest;
}

bool Direct::recall(const std::string& key) {
    const auto text = tools_.store.recall(memo_kind, key);
    if (!text) {
        return false;
    }
    const auto value = parse_json(*text);
    if (!value || !value->is_object()) {
        return false;
    }
    const auto filename = value->value("filename", "");
    const auto digest = value->value("sha256", "");
    auto version = pep::Version::parse(value->value("version", ""));
    if (!version || !fs::exists(tools_.store.sources() / digest / filename)) {
        return false;
    }
    result_.file.filename = filename;
    result_.file.hashes["sha256"] = digest;
    result_.file.version = *version;
    return true;
}

void Direct::remember(const std::string& key) const {
    tools_.store.remember(
        memo_kind,
        key,
        dump_json(Json{
            {"filename", result_.file.filename},
            {"sha256", result_.file.hashes.at("sha256")},
            {"version", result_.file.version.text()}
        })
    );
}

void Direct::take_git() {
    const GitPlace place{parsed_.location, parsed_.revision};
    const auto& environment = tools_.callers_environment;
    result_.kind = "git";
    const auto say = [&](const std::string& commit) {
        result_.file.url = "git+" + without_credentials(parsed_.location) + "@" + commit;
        if (!result_.subdirectory.empty()) {
            result_.file.url += "#subdirectory=" + result_.subdirectory;
        }
        return sha256(result_.file.url + "\n" + parsed_.revision + "\n" + parsed_.value("version"));
    };
    const auto known = find_commit(place, environment);
    if (!known.empty() && recall(say(known))) {
        return;
    }
    const TempDir scratch(tools_.store.sources(), "git-");
    const auto folder = scratch.path() / "tree";
    const auto commit = check_out(place, folder, environment);
    const auto key = say(commit);
    pack(folder, version_of(reader(folder), tag_of(folder, environment)));
    remember(key);
}

void Direct::download() {
    const auto got = plugin::fetch(tools_.index, result_.file, tools_.store.sources());
    downloaded_ = got.path;
    result_.file.hashes["sha256"] = got.sha256;
}

void Direct::take_file(bool is_local) {
    result_.kind = is_local ? "local" : "url";
    auto& file = result_.file;
    file.url = parsed_.location;
    const auto path = std::string(url_path(parsed_.location));
    file.filename = percent_decode(path.substr(path.rfind('/') + 1));
    if (file.filename.empty() || file.filename.find('/') != std::string::npos) {
        throw Error(
            ExitCode::usage, "url-unsupported", name_ + " @ " + masked_url(url_) + " names no file"
        );
    }
    for (const auto* algorithm : {"sha256", "sha384", "sha512"}) {
        if (auto digest = parsed_.value(algorithm); !digest.empty()) {
            file.hashes[algorithm] = to_lower(digest);
        }
    }
    if (!file.filename.ends_with(".whl")) {
        take_sdist();
        return;
    }
    const auto wheel = pep::WheelFilename::parse(file.filename);
    if (!wheel || wheel->name != name_) {
        throw Error(
            ExitCode::usage,
            "url-unsupported",
            printable(file.filename) + " is no wheel of " + name_
        );
    }
    file.kind = index::DistributionFile::Kind::wheel;
    file.version = wheel->version;
    file.tags = wheel->tags;
    download();
}

/// Archives are called anything ("v1.2.zip"): in the store it has the name of an sdist.
void Direct::take_sdist() {
    auto& file = result_.file;
    download();
    const auto parsed = pep::SdistFilename::parse(file.filename, name_);
    if (parsed && parsed->name == name_) {
        file.version = parsed->version;
        return;
    }
    std::map<std::string, std::string> texts;
    const auto prefix = result_.subdirectory.empty() ? std::string() : result_.subdirectory + "/";
    const auto peek = peek_archive(downloaded_, [&](std::string_view member) {
        return member == prefix + "PKG-INFO" || member == prefix + "pyproject.toml"
               || member == prefix + "setup.cfg" || member == prefix + "setup.py";
    });
    for (const auto& member : peek.members) {
        texts[member.name.substr(prefix.size())] = member.content;
    }
    const auto read = [&](const std::string& name) {
        const auto text = texts.find(name);
        return text == texts.end() ? std::nullopt : std::optional(text->second);
    };
    std::string stem = file.filename;
    std::string extension = packed_extension;
    for (const std::string_view each : {".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".zip"}) {
        if (stem.ends_with(each)) {
            stem.resize(stem.size() - each.size());
            extension = each;
        }
    }
    file.version = version_of(read, stem);
    file.filename = pep::filename_form(name_) + "-" + file.version.text() + extension;
    publish_copy(downloaded_, tools_.store.sources() / file.hashes.at("sha256") / file.filename);
}

}  // namespace

DirectSource fetch_direct(const std::string& name, const std::string& url, const Toolbox& tools) {
    return while_doing(
        [&] { return "fetching " + name + " @ " + masked_url(url); },
        [&] { return Direct(name, url, tools).fetch(); }
    );
}

}  // namespace wheelforge::plugin
