// SPDX-License-Identifier: Apache-2.0
#include "plugin/recipe.hpp"

#include <future>

#include "base/archive.hpp"
#include "base/files.hpp"
#include "plugin/isolated_build.hpp"
#include "plugin/rust_source.hpp"
#include "source/patching.hpp"

namespace wheelforge::plugin {

index::PackageIndex::Download fetch(
    index::PackageIndex& index,
    const index::DistributionFile& file,
    const std::filesystem::path& folder
) {
    std::promise<index::PackageIndex::Download> promise;
    auto answer = promise.get_future();
    index.download(
        file,
        folder,
        [&](index::PackageIndex::Download download, std::exception_ptr failure) {
            if (failure) {
                promise.set_exception(failure);
            } else {
                promise.set_value(std::move(download));
            }
        }
    );
    return answer.get();
}

SourceArchive DefaultRecipe::source(
    const PackageId& id, const index::DistributionFile& file, const Toolbox& tools
) const {
    const auto download = while_doing(
        [&] { return "fetching the sdist of " + id.text(); },
        [&] { return fetch(tools.index, file, tools.store.sources()); }
    );
    return {download.path, file.filename, download.sha256, without_credentials(file.url)};
}

Supplement DefaultRecipe::supplement(const SourceView& source, const Toolbox& tools) const {
    return supplement_rust(*this, source, tools);
}

SourceTree
DefaultRecipe::prepare(const BuildOrder& order, const std::filesystem::path& destination) const {
    const auto unpacking = order.scratch / "unpack";
    const auto unpacked = unpack_archive(order.source.path, unpacking);
    make_directories(destination.parent_path());
    fs::rename(unpacked.root, destination);
    remove_tree(unpacking);
    source::apply_patches(
        config::patches_for(order.settings.patches, order.id.version), destination
    );
    for (const auto& [place, text] : order.added_files) {
        write_file(destination / place, text);
    }
    return {destination, unpacked.newest_mtime};
}

std::vector<BuildVariable>
DefaultRecipe::env(const PackageId& id, const config::PackageSettings& settings) const {
    std::map<std::string, std::string> known = {{"__version__", id.version.text()}};
    std::vector<BuildVariable> variables;
    for (const auto& setting : settings.env) {
        auto value = config::expand(setting.value, known, setting.origin);
        known[setting.name] = value;
        std::erase_if(variables, [&](const auto& each) { return each.name == setting.name; });
        variables.push_back({setting.name, std::move(value), setting.origin});
    }
    return variables;
}

BuildOutcome
DefaultRecipe::build(const BuildOrder& order, const Toolbox& tools, std::stop_token stop) const {
    IsolatedBuild build(order, tools, std::move(stop));
    build.provide([&](const std::filesystem::path& destination) {
        return prepare(order, destination);
    });
    return order.settings.builder.value == config::Builder::pip ? build.run_pip()
                                                                : build.run_backend();
}

std::variant<NeedsRequirements, BuildFailure> DefaultRecipe::requirements(
    const BuildOrder& order, const Toolbox& tools, std::stop_token stop
) const {
    if (order.settings.builder.value == config::Builder::pip) {
        return NeedsRequirements{};
    }
    IsolatedBuild build(order, tools, std::move(stop));
    build.provide([&](const std::filesystem::path& destination) {
        return prepare(order, destination);
    });
    return build.ask_backend();
}

int DefaultRecipe::enter(
    const BuildOrder& order,
    const Toolbox& tools,
    const std::vector<std::string>& argv,
    std::stop_token stop
) const {
    IsolatedBuild build(order, tools, std::move(stop));
    build.provide([&](const std::filesystem::path& destination) {
        return prepare(order, destination);
    });
    return build.run_attached(argv);
}

const Recipe& Registry::recipe_for(std::string_view) const {
    return default_;
}

}  // namespace wheelforge::plugin
