// SPDX-License-Identifier: Apache-2.0
#include "engine/output.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/descriptor.hpp"
#include "base/files.hpp"
#include "base/http.hpp"
#include "base/json.hpp"
#include "base/leftovers.hpp"
#include "base/markup.hpp"
#include "base/text.hpp"
#include "engine/graph_query.hpp"
#include "engine/graph_read.hpp"
#include "engine/record_read.hpp"
#include "engine/resolution.hpp"
#include "pep/filename.hpp"

namespace wheelforge::engine {
namespace {

constexpr const char* wheels_folder = "wheels";
constexpr const char* build_wheels_folder = "build-wheels";

/// Names of the wheels we put there, one a line: what may be pruned later.
constexpr const char* manifest_name = ".wheelforge-wheels";

std::string stem_of(const std::string& wheel) {
    return wheel.substr(0, wheel.size() - std::string_view(".whl").size());
}

std::string page(const std::string& title, const std::string& body) {
    return "<!DOCTYPE html>\n<html><head><meta name=\"pypi:repository-version\" content=\"1.0\">"
           "<title>"
           + escape_markup(title) + "</title></head><body>\n" + body + "</body></html>\n";
}

std::set<plugin::PackageId> ids_of(const resolve::Resolution& runtime) {
    std::set<plugin::PackageId> ids;
    for (const auto& pin : runtime.pins) {
        ids.insert({pin.name, pin.version});
    }
    return ids;
}

void require_writable(const fs::path& folder) {
    if (::faccessat(AT_FDCWD, folder.c_str(), W_OK | X_OK, AT_EACCESS) != 0) {
        throw file_error(FileAction::write, folder.native(), errno);
    }
}

}  // namespace

OutputTree::OutputTree(fs::path root, std::string variant, std::set<std::string> provided)
    : root_(std::move(root)), variant_(std::move(variant)), provided_(std::move(provided)) {
    try {
        for (const auto* name :
             {wheels_folder, build_wheels_folder, "simple", "sdists", "sboms", "records", "logs"}) {
            make_directories(variant_folder() / name);
            require_writable(variant_folder() / name);
        }
        require_writable(root_);
    } catch (const Error& error) {
        throw Error(
            ExitCode::surroundings,
            "output-not-writable",
            "the output folder " + root_.string() + " cannot be used: " + error.message()
        )
            .advise("name another one with -o DIR");
    }
}

std::string OutputTree::wheel_path(const Job& job, bool runtime) const {
    const auto* published = job.published();
    return published == nullptr || provided_.contains(job.id.name)
               ? ""
               : variant_ + "/" + (runtime ? wheels_folder : build_wheels_folder) + "/"
                     + published->entry.filename;
}

void OutputTree::publish(const Job& job, bool runtime, const fs::path& sources) {
    if (provided_.contains(job.id.name)) {
        return;
    }
    const auto& published = *job.published();
    const auto& entry = published.entry;
    publish_copy(entry.wheel, root_ / wheel_path(job, runtime));
    placed_.insert(fs::path(wheel_path(job, runtime)).lexically_relative(variant_).string());
    const auto stem = stem_of(entry.filename);
    if (!entry.sbom.empty()) {
        publish_copy(entry.sbom, variant_folder() / "sboms" / (stem + ".cdx.json"));
    }
    if (!entry.record.empty()) {
        keep_record(published);
    }
    if (published.source) {
        const auto& source = *published.source;
        const auto archive = sources / source.sha256 / source.file.filename;
        const auto target = variant_folder() / "sdists" / source.file.filename;
        if (fs::exists(archive)) {
            publish_copy(archive, target);
        }
    }
}

void OutputTree::withdraw(const Job& job, bool aside) {
    const auto path = wheel_path(job, true);
    if (path.empty()) {
        return;
    }
    const auto& entry = job.published()->entry;
    if (aside) {
        publish_copy(entry.wheel, variant_folder() / "refused" / entry.filename);
    }
    std::error_code gone;
    fs::remove(root_ / path, gone);
    placed_.erase(fs::path(path).lexically_relative(variant_).string());
}

/// The record of the build before this one stays, for why-rebuilt to compare with.
void OutputTree::keep_record(const Published& published) const {
    const auto& entry = published.entry;
    const auto folder = variant_folder() / "records";
    const auto name = stem_of(entry.filename) + ".json";
    try {
        if (fs::exists(folder / name) && load_record(folder / name).build_key != entry.key) {
            publish_copy(folder / name, folder / "previous" / name);
        }
    } catch (const Error&) {
        // damaged: it tells nothing that could be kept
    }
    if (published.drift.empty()) {
        publish_copy(entry.record, folder / name);
        return;
    }
    auto record = parse_json(read_file(entry.record)).value();
    record["drift"] = published.drift;
    write_file(folder / name, dump_json(record));
}

void OutputTree::finish(
    const resolve::Resolution& runtime,
    const std::map<plugin::PackageId, Job>& jobs,
    const Graph& graph
) const {
    const auto runtime_ids = ids_of(runtime);
    std::map<std::string, std::vector<std::string>> versions;
    std::set<std::string> wheels;
    for (const auto& [id, job] : jobs) {
        if (const auto* published = job.published()) {
            const bool is_runtime = runtime_ids.contains(id);
            if (!provided_.contains(id.name)) {
                wheels.insert(
                    std::string(is_runtime ? wheels_folder : build_wheels_folder) + "/"
                    + published->entry.filename
                );
            }
            if (is_runtime) {
                versions[id.name].push_back(published->entry.version);
            }
        }
    }
    write_file(variant_folder() / "constraints.txt", pins_text(versions));
    write_simple_index(jobs, runtime_ids);
    write_file(root_ / "graph.json", graph_json(graph));
    prune(wheels);
}

void OutputTree::write_simple_index(
    const std::map<plugin::PackageId, Job>& jobs, const std::set<plugin::PackageId>& runtime
) const {
    std::map<std::string, std::string> links;
    for (const auto& [id, job] : jobs) {
        const auto* published = job.published();
        if (published != nullptr && !provided_.contains(id.name)) {
            const auto& entry = published->entry;
            links[id.name] += fmt::format(
                "<a href=\"../../{}/{}#sha256={}\">{}</a><br>\n",
                runtime.contains(id) ? wheels_folder : build_wheels_folder,
                percent_encode_path(entry.filename),
                entry.sha256,
                escape_markup(entry.filename)
            );
        }
    }
    const auto folder = variant_folder() / "simple";
    std::string all;
    for (const auto& [name, body] : links) {
        write_file(folder / name / "index.html", page(name, body));
        all += "<a href=\"" + name + "/\">" + name + "</a><br>\n";
    }
    write_file(folder / "index.html", page("simple index", all));
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.is_directory() && !links.contains(entry.path().filename().string())) {
            remove_tree(entry.path());
        }
    }
}

void OutputTree::prune(const std::set<std::string>& wheels) const {
    const auto manifest = variant_folder() / manifest_name;
    const auto text_before = read_file_if_there(manifest).value_or("");
    auto before = placed_;
    for (const auto line : lines(text_before)) {
        before.emplace(line);
    }
    for (const auto& name : before) {
        const bool ours = name.starts_with(std::string(wheels_folder) + "/")
                          || name.starts_with(std::string(build_wheels_folder) + "/");
        if (ours && name.find("..") == std::string::npos && !wheels.contains(name)) {
            std::error_code ignored;
            fs::remove(variant_folder() / name, ignored);
        }
    }
    std::string text;
    for (const auto& name : wheels) {
        text += name + "\n";
    }
    write_file(manifest, text);
}

void OutputTree::write_report(const Report& report) const {
    sweep_leftovers(root_, Depth::folder);
    sweep_leftovers(variant_folder(), Depth::tree);
    write_file(root_ / "report.json", report_json(report));
}

Past OutputTree::past(const std::optional<Graph>& last) const {
    Past past;
    const bool is_known =
        last && std::any_of(last->targets.begin(), last->targets.end(), [&](const auto& target) {
            return target.variant == variant_;
        });
    if (!is_known) {
        return past;
    }
    for (const auto& [key, node] : of_variants(*last, {variant_}).nodes) {
        if (!node.inputs.empty()) {
            past.keys.emplace(node.name + "==" + node.version, node.inputs);
        }
    }
    const auto manifest = read_file_if_there(variant_folder() / manifest_name).value_or("");
    for (const auto line : lines(manifest)) {
        const fs::path wheel = line;
        const auto name = pep::WheelFilename::parse(wheel.filename().string());
        if (name && wheel.parent_path() == wheels_folder) {
            const auto path = variant_folder() / wheels_folder / wheel.filename();
            past.wheels.emplace(name->name + "==" + name->version.text(), path);
            past.wheels.emplace(name->name + "==" + name->version.without_local().text(), path);
        }
    }
    return past;
}

std::optional<Graph> OutputTree::last_graph() const {
    const auto text = read_file_if_there(root_ / "graph.json");
    return text ? parse_graph(*text) : std::nullopt;
}

}  // namespace wheelforge::engine
