// SPDX-License-Identifier: Apache-2.0
// Groups of keys that Fromager has.
#include "settings_fixture.hpp"

namespace wheelforge::config {
namespace {

class FromagerKeys : public SettingsFolder {};

TEST_F(FromagerKeys, ResolverDistSaysWhereVersionsComeFrom) {
    const auto settings = package("resolver_dist:\n"
                                  "  sdist_server_url: https://host/simple\n"
                                  "  include_sdists: false\n"
                                  "  include_wheels: true\n"
                                  "  ignore_platform: true\n"
                                  "  use_pypi_org_metadata: false\n"
                                  "  min_release_age: 0\n");
    EXPECT_EQ(settings.source.index_url->value, "https://host/simple");
    EXPECT_EQ(settings.source.index_url->origin, "settings/a.yaml:2");
    EXPECT_FALSE(settings.source.include_sdists->value);
    EXPECT_TRUE(settings.source.include_wheels->value);
    EXPECT_TRUE(settings.source.ignore_platform->value);
    EXPECT_FALSE(settings.source.use_published_metadata->value);
    EXPECT_EQ(settings.resolution.min_release_age->value, 0);
    EXPECT_EQ(settings.resolution.min_release_age->origin, "settings/a.yaml:7");
}

TEST_F(FromagerKeys, NullInsideAGroupSaysNothing) {
    const auto settings =
        package("resolver_dist: {sdist_server_url: null, min_release_age: null}\n"
                "download_source: null\nbuild_options: {memory_per_job_gb: null}\n"
                "project_override: {update_build_requires: null}\nchangelog: {\"1.0\": null}\n");
    EXPECT_FALSE(settings.source.index_url);
    EXPECT_FALSE(settings.resolution.min_release_age);
    EXPECT_FALSE(settings.build.memory_per_job_gb);
    EXPECT_EQ(settings.build_tag(*pep::Version::parse("1.0")), 0U);
}

TEST_F(FromagerKeys, GroupsRefuseWhatContradictsItself) {
    EXPECT_EQ(
        refusal("resolver_dist: {ignore_platform: true}").message(),
        "settings/a.yaml:1:34: 'ignore_platform': says something only with include_wheels: true"
    );
    EXPECT_EQ(refusal("resolver_dist: {include_sdists: false}").id(), "bad-value");
    EXPECT_EQ(refusal("resolver_dist: {min_release_age: -1}").id(), "bad-value");
    EXPECT_EQ(refusal("build_options: {cpu_cores_per_job: 0}").id(), "bad-value");
    EXPECT_EQ(refusal("build_options: {memory_per_job_gb: 0.05}").id(), "bad-value");
    EXPECT_EQ(refusal("build_options: {memory_per_job_gb: .nan}").id(), "bad-value");
    EXPECT_EQ(refusal("changelog: {one: [x]}").id(), "bad-value");
    EXPECT_EQ(refusal("changelog: {\"1.0\": [x], \"1.0+l\": [y]}").id(), "bad-value");
    EXPECT_EQ(
        refusal("project_override: {update_build_requires: [\"a b\"]}").id(), "bad-requirement"
    );
    EXPECT_EQ(refusal("project_override: {remove_build_requires: [\"a>1\"]}").id(), "bad-value");
}

TEST_F(FromagerKeys, UnknownKeysOfGroupsAreErrorsWithTheirLine) {
    const auto error = refusal("resolver_dist:\n  include_sdist: true\n");
    EXPECT_EQ(error.id(), "unknown-key");
    EXPECT_EQ(
        error.message(), "settings/a.yaml:2:3: unknown key 'include_sdist' in 'resolver_dist'"
    );
    EXPECT_EQ(error.advice().at(0), "did you mean include_sdists");
    EXPECT_EQ(refusal("project_override: {requires_external: [x]}").id(), "unsupported-key");
}

TEST_F(FromagerKeys, DownloadSourceIsATemplateOfVersionAndName) {
    const auto settings =
        package("download_source:\n  url: https://host/${canonicalized_name}/v${version}.tar.gz\n"
                "  destination_filename: ${canonicalized_name}-${version}.tar.gz\n");
    EXPECT_EQ(
        expand_location(*settings.source.download_url, "a", "1.0"), "https://host/a/v1.0.tar.gz"
    );
    EXPECT_EQ(expand_location(*settings.source.destination_filename, "a", "1.0"), "a-1.0.tar.gz");
    EXPECT_EQ(refusal("download_source: {url: \"https://h/${tag}\"}").id(), "undefined-variable");
    EXPECT_EQ(refusal("download_source: {url: h/x}").id(), "bad-value");
    EXPECT_EQ(refusal("download_source: {destination_filename: ../x}").id(), "bad-value");
}

TEST_F(FromagerKeys, BuildOptionsSayWhatABuildCosts) {
    const auto settings = package(
        "build_options: {cpu_cores_per_job: 4, memory_per_job_gb: 2.5, exclusive_build: true,\n"
        "  build_ext_parallel: true}\n"
    );
    EXPECT_EQ(settings.build.cpu_cores_per_job->value, 4);
    EXPECT_DOUBLE_EQ(settings.build.memory_per_job_gb->value, 2.5);
    EXPECT_TRUE(settings.build.exclusive_build->value);
    EXPECT_TRUE(settings.build.build_ext_parallel->value);
    EXPECT_EQ(settings.inputs(), Texts{"builder \"pep517\""});  // costs are no inputs
}

TEST_F(FromagerKeys, ProjectOverrideEditsBuildRequirements) {
    const auto settings =
        package("project_override:\n  update_build_requires: [\"setuptools<80\", torch]\n"
                "  remove_build_requires: [CMake]\n");
    const auto stated = [](const char* text) { return *pep::Requirement::parse(text); };
    EXPECT_EQ(
        texts(settings.build.build_requires(
            {stated("cmake>=3.26"), stated("setuptools>=77"), stated("ninja")}
        )),
        (Texts{"ninja", "setuptools<80", "torch"})
    );
}

TEST_F(FromagerKeys, ChangelogsOfVersionAndVariantAddUpToTheBuildTag) {
    here.write("settings.yaml", "changelog:\n  cpu: [new compiler]\n  rocm: [a, b]\n");
    const auto settings = package("changelog: {\"1.0\": [one, two], \"2\": [three]}\n", {"cpu"});
    EXPECT_EQ(settings.build_tag(*pep::Version::parse("1.0")), 3U);
    EXPECT_EQ(settings.build_tag(*pep::Version::parse("1.0+local")), 3U);
    EXPECT_EQ(settings.build_tag(*pep::Version::parse("2")), 2U);
    EXPECT_EQ(settings.build_tag(*pep::Version::parse("3")), 1U);
    EXPECT_EQ(load({"rocm"}).package("nobody").build_tag(*pep::Version::parse("3")), 2U);
    EXPECT_EQ(load().package("nobody").build_tag(*pep::Version::parse("3")), 0U);
}

}  // namespace
}  // namespace wheelforge::config
