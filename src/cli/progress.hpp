// SPDX-License-Identifier: Apache-2.0
// Watching a run: plain lines on stderr, or JSON lines in a file (docs/formats/events.schema.json).
#pragma once

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "engine/observer.hpp"

namespace wheelforge::cli {

/// One line for each thing that happened, on stderr; results go to stdout, elsewhere.
class ProgressLines : public engine::Observer {
public:
    void run_started(const engine::RunInfo& info) override;
    void resolved(std::string_view scope, std::size_t packages) override;
    void step_started(const engine::Job& job, std::string_view step) override;
    void package_done(const engine::Job& job, bool runtime) override;
    void notice(std::string_view line) override;

protected:
    virtual void say(const std::string& line);
    /// With the time since the start in front.
    [[nodiscard]] std::string timed(const std::string& line) const;

private:
    std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

/// Only what the user should know besides the result, on stderr.
class ProgressNotices : public engine::Observer {
public:
    void notice(std::string_view line) override;
};

/// Appends to a file, line by line, each line whole.
class EventsFile : public engine::Observer {
public:
    /// Throws Error{surroundings} "events-not-writable".
    explicit EventsFile(const std::filesystem::path& path);
    void run_started(const engine::RunInfo& info) override;
    void resolved(std::string_view scope, std::size_t packages) override;
    void step_started(const engine::Job& job, std::string_view step) override;
    void
    step_finished(const engine::Job& job, const plugin::StepMeasure& measure, bool ok) override;
    void package_done(const engine::Job& job, bool runtime) override;
    void notice(std::string_view line) override;
    void run_finished(ExitCode code, const std::map<std::string, int>& counts) override;

private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    struct Line;
    std::unique_ptr<std::FILE, Close> file_;
    std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
};

/// Who watches a run of a command: live on a terminal, in lines otherwise; and the events file.
class Watching {
public:
    /// @param events  path of the events file, "" for none
    /// @param also  told as well, if not null; must outlive this
    explicit Watching(const std::string& events, engine::Observer* also = nullptr);
    [[nodiscard]] engine::Observer& observer() noexcept { return *observers_; }

private:
    std::vector<std::unique_ptr<engine::Observer>> all_;
    std::unique_ptr<engine::Observers> observers_;
};

}  // namespace wheelforge::cli
