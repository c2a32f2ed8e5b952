// SPDX-License-Identifier: Apache-2.0
// Watching a run on a terminal: what happened scrolls by, and below it stands one line for each
// build that runs (package, step, time, last line of its log) and one for all.
//
// Drawn by a thread of its own, in one write each time. Nothing of the terminal is changed for
// longer than that write (the cursor stays visible and rests below the lines), so there is nothing
// to restore however the program ends.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "base/channel.hpp"
#include "cli/progress.hpp"

namespace wheelforge::cli {

/// A build as its line shows it.
struct LiveBuild {
    std::string package;
    std::string step;
    std::string log;  ///< path, "" for none
    std::chrono::steady_clock::time_point since;
};

/// At most `columns` wide: cut where it is too long. Wide characters count two; `text` is
/// printable() UTF-8.
[[nodiscard]] std::string cut_to_width(const std::string& text, std::size_t columns);
/// "numpy 2.2.6  build  1:05  [3/9] Compiling x.c", at most `columns` wide.
[[nodiscard]] std::string
live_line(const LiveBuild& build, double seconds, const std::string& said, std::size_t columns);
/// The last line that says something, printable; of text that overwrites itself by carriage
/// returns the part that would be seen.
[[nodiscard]] std::string last_said(std::string_view log_tail);

/// Whether stderr is a terminal that can go back to an earlier line.
[[nodiscard]] bool can_draw_live();

class LiveProgress : public ProgressLines {
public:
    LiveProgress();
    LiveProgress(const LiveProgress&) = delete;
    LiveProgress& operator=(const LiveProgress&) = delete;
    ~LiveProgress() override;

    void step_started(const engine::Job& job, std::string_view step) override;
    void package_paused(const engine::Job& job) override;
    void package_done(const engine::Job& job, bool runtime) override;

protected:
    void say(const std::string& line) override;

private:
    struct Begin {
        LiveBuild build;
    };
    struct End {
        std::string package;
        std::string outcome;
    };
    struct Line {
        std::string text;
    };
    struct Stop {};
    using Message = std::variant<Begin, End, Line, Stop>;
    class Screen;

    Channel<Message> messages_;
    std::thread thread_;
};

}  // namespace wheelforge::cli
