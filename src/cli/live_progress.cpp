// SPDX-License-Identifier: Apache-2.0
#include "cli/live_progress.hpp"

#include <algorithm>
#include <cstdlib>
#include <sys/ioctl.h>
#include <unistd.h>

#include <fmt/core.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "build/diagnosis.hpp"
#include "engine/report.hpp"

namespace wheelforge::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds redraw_after{200};
constexpr std::size_t log_bytes = 4096;

struct Size {
    std::size_t columns = 80;
    std::size_t rows = 24;
};

Size terminal_size() {
    winsize size{};
    if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) {
        return {};
    }
    return {size.ws_col, size.ws_row};
}

/// Bytes of the UTF-8 character that starts with `first`.
std::size_t length_of(unsigned char first) {
    if (first < 0x80U) {
        return 1;
    }
    return first < 0xe0U ? 2 : first < 0xf0U ? 3 : 4;
}

/// East Asian characters and emoji take two columns; some of them never do, so that a line may be
/// shorter than it could be, never longer.
std::size_t width_of(unsigned char first, unsigned char second) {
    constexpr unsigned char hangul = 0xe1;
    return first > hangul || (first == hangul && second >= 0x84U) ? 2 : 1;
}

struct Extent {
    std::size_t bytes = 0;
    std::size_t columns = 0;
};

/// As much of the text as fits.
Extent measure(const std::string& text, std::size_t columns) {
    Extent extent;
    while (extent.bytes < text.size()) {
        const auto at = extent.bytes;
        const auto first = static_cast<unsigned char>(text[at]);
        const auto second = static_cast<unsigned char>(at + 1 < text.size() ? text[at + 1] : '\0');
        const auto width = width_of(first, second);
        if (extent.columns + width > columns) {
            break;
        }
        extent.columns += width;
        extent.bytes = std::min(at + length_of(first), text.size());
    }
    return extent;
}

std::size_t columns_of(const std::string& text) {
    return measure(text, std::string::npos).columns;
}

std::string minutes(double seconds) {
    const auto whole = static_cast<long>(seconds);
    return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

void write_to_terminal(std::string_view text) {
    while (!text.empty()) {
        const ssize_t put = ::write(STDERR_FILENO, text.data(), text.size());
        if (put <= 0) {
            return;
        }
        text.remove_prefix(static_cast<std::size_t>(put));
    }
}

std::string log_line(const std::string& log) {
    try {
        return log.empty() ? "" : last_said(build::log_tail(log, log_bytes));
    } catch (const Error&) {
        return "";  // it is not there yet
    }
}

}  // namespace

std::string cut_to_width(const std::string& text, std::size_t columns) {
    const auto [bytes, used] = measure(text, columns);
    return text.substr(0, bytes);
}

std::string last_said(std::string_view log_tail) {
    const auto all = lines(log_tail);
    for (auto line = all.rbegin(); line != all.rend(); ++line) {
        const auto whole = trim(*line);
        const auto part = trim(whole.substr(whole.rfind('\r') + 1));
        if (!part.empty()) {
            return printable(part);
        }
    }
    return "";
}

std::string
live_line(const LiveBuild& build, double seconds, const std::string& said, std::size_t columns) {
    return cut_to_width(
        fmt::format("{:<24}  {:<6} {:>6}  {}", build.package, build.step, minutes(seconds), said),
        columns
    );
}

bool can_draw_live() {
    const char* term = std::getenv("TERM");
    const std::string_view name = term == nullptr ? "" : term;
    return ::isatty(STDERR_FILENO) == 1 && !name.empty() && name != "dumb";
}

/// What stands on the terminal below the lines that scroll.
class LiveProgress::Screen {
public:
    /// False when it is to end.
    bool take(const Message& message) {
        if (const auto* begin = std::get_if<Begin>(&message)) {
            builds_.insert_or_assign(begin->build.package, begin->build);
        } else if (const auto* end = std::get_if<End>(&message)) {
            builds_.erase(end->package);
            if (!end->outcome.empty()) {
                ++outcomes_[end->outcome];
            }
        } else if (const auto* line = std::get_if<Line>(&message)) {
            above_ += line->text + "\n";
        }
        return !std::holds_alternative<Stop>(message);
    }
    void draw() {
        const Size size = terminal_size();
        const auto below = live_lines(size);
        std::string text = erasure(size) + std::exchange(above_, {});
        for (const auto& line : below) {
            text += line + "\n";
        }
        write_to_terminal(text);
        drawn_ = below;
        drawn_columns_ = size.columns;
    }
    void clear() {
        write_to_terminal(erasure(terminal_size()) + std::exchange(above_, {}));
        drawn_.clear();
    }

private:
    /// Back to where our lines begin; a narrower window has broken them.
    [[nodiscard]] std::string erasure(const Size& size) const {
        std::size_t rows = 0;
        for (const auto& line : drawn_) {
            const bool broken = size.columns < drawn_columns_ && !line.empty();
            rows += broken ? 1 + (columns_of(line) - 1) / size.columns : 1;
        }
        return rows == 0 ? "" : fmt::format("\r\033[{}A\033[J", std::min(rows, size.rows - 1));
    }
    [[nodiscard]] std::vector<std::string> live_lines(const Size& size) const {
        const auto columns = size.columns - 1;  // the last one would wrap on some terminals
        const auto most = std::max<std::size_t>(size.rows / 2, 2) - 1;
        std::vector<std::string> result;
        for (const auto& [package, build] : builds_) {
            if (result.size() == most) {
                break;
            }
            result.push_back(
                live_line(build, seconds_since(build.since), log_line(build.log), columns)
            );
        }
        result.push_back(cut_to_width(total(), columns));
        return result;
    }
    [[nodiscard]] std::string total() const {
        std::string text = fmt::format("{} building", builds_.size());
        for (const auto& [outcome, count] : outcomes_) {
            text += fmt::format(", {} {}", count, outcome);
        }
        return text + ", " + human_seconds(seconds_since(started_));
    }

    Clock::time_point started_ = Clock::now();
    std::map<std::string, LiveBuild> builds_;
    std::map<std::string, int> outcomes_;
    std::string above_;               ///< lines that are still to scroll by
    std::vector<std::string> drawn_;  ///< as they stand there now
    std::size_t drawn_columns_ = 0;   ///< of the window then
};

LiveProgress::LiveProgress() {
    thread_ = std::thread([this] {
        Screen screen;
        bool goes_on = true;
        while (goes_on) {
            const auto deadline = Clock::now() + redraw_after;
            while (goes_on && Clock::now() < deadline) {
                const auto message = messages_.receive_for(deadline - Clock::now());
                goes_on = !message || screen.take(*message);
            }
            goes_on ? screen.draw() : screen.clear();
        }
    });
}

LiveProgress::~LiveProgress() {
    messages_.send(Stop{});
    thread_.join();
}

void LiveProgress::say(const std::string& line) {
    messages_.send(Line{timed(line)});
}

void LiveProgress::step_started(const engine::Job& job, std::string_view step) {
    messages_.send(Begin{{job.id.text(), std::string(step), job.log, Clock::now()}});
}

void LiveProgress::package_paused(const engine::Job& job) {
    messages_.send(End{job.id.text(), ""});
}

void LiveProgress::package_done(const engine::Job& job, bool runtime) {
    messages_.send(End{job.id.text(), engine::row_of(job, runtime).outcome});
    ProgressLines::package_done(job, runtime);
}

}  // namespace wheelforge::cli
