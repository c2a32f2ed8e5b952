// SPDX-License-Identifier: Apache-2.0
// Runs fixture_index.py for the time of a test: a folder of projects, served on loopback.
#pragma once

#include <chrono>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/process.hpp"
#include "base/text.hpp"

namespace wheelforge::support {

class FixtureIndex {
public:
    /// Projects go below root(), which may be filled before or after.
    /// @param options  of fixture_index.py; --root, --log and --faults are given already
    explicit FixtureIndex(std::vector<std::string> options = {})
        : folder_(fs::temp_directory_path(), "fixture-index-") {
        ::setenv("no_proxy", "*", 1);  // the caller's proxy has no part in this
        make_directories(root());
        Launch launch;
        launch.argv = {
            python().value_or("python3").string(),
            "-I",
            "-S",
            std::string(WHEELFORGE_SOURCE_DIR) + "/tests/support/fixture_index.py",
            "--root",
            root().string(),
            "--log",
            log_path().string(),
            "--faults",
            (folder_.path() / "faults.json").string(),
        };
        launch.argv.insert(launch.argv.end(), options.begin(), options.end());
        launch.env = current_environment();
        launch.cwd = folder_.path();
        launch.log = folder_.path() / "output";
        server_ = std::jthread([launch](const std::stop_token& stop) { (void)run(launch, stop); });
        wait_for_port();
    }

    /// The program it needs; tests skip where there is none.
    static std::optional<fs::path> python() {
        const auto env = current_environment();
        const auto path = env.find("PATH");
        return find_program("python3", path == env.end() ? "/usr/bin:/bin" : path->second);
    }

    [[nodiscard]] fs::path root() const { return folder_.path() / "root"; }
    /// "http://127.0.0.1:PORT" + path
    [[nodiscard]] std::string
    url(const std::string& path, const std::string& host = "127.0.0.1") const {
        return scheme + "://" + host + ":" + port_ + path;
    }
    void
    add(const std::string& project, const std::string& filename, std::string_view content) const {
        write_file(root() / project / filename, content);
    }
    /// A JSON list, as fixture_index.py describes it.
    void set_faults(const std::string& json) const {
        write_file(folder_.path() / "faults.json", json);
    }
    /// The lines of the log that contain `part`.
    [[nodiscard]] std::vector<std::string> requests(std::string_view part = "") const {
        std::vector<std::string> found;
        const auto text = read_file_if_there(log_path()).value_or("");
        for (const auto line : lines(text)) {
            if (!line.empty() && line.find(part) != std::string_view::npos) {
                found.emplace_back(line);
            }
        }
        return found;
    }
    void forget_requests() const { write_file(log_path(), ""); }

    std::string scheme = "http";

private:
    [[nodiscard]] fs::path log_path() const { return folder_.path() / "requests.log"; }
    void wait_for_port() {
        using namespace std::chrono_literals;
        for (int i = 0; i < 500; ++i, std::this_thread::sleep_for(20ms)) {
            const auto output = read_file_if_there(folder_.path() / "output").value_or("");
            const auto end = output.find('\n');
            if (end != std::string::npos) {
                port_ = output.substr(0, end);
                return;
            }
        }
        throw Error(ExitCode::surroundings, "cannot-start", "the fixture index does not start");
    }

    TempDir folder_;
    std::string port_;
    std::jthread server_;
};

}  // namespace wheelforge::support
