// SPDX-License-Identifier: Apache-2.0
// The process behind a HookSession: started on a thread of its own, asked line by line.
#pragma once

#include <future>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

#include "base/descriptor.hpp"
#include "base/process.hpp"
#include "build/sandbox.hpp"

namespace wheelforge::build {

class HookProcess {
public:
    static constexpr int request_descriptor = 3;
    static constexpr int answer_descriptor = 4;

    /// Starts `launch` (not yet enclosed) with the two descriptors added. What prevents the start
    /// is thrown by end().
    HookProcess(
        Launch launch,
        const SandboxProbe& sandbox,
        std::filesystem::path scratch,
        std::stop_token stop
    );
    HookProcess(const HookProcess&) = delete;
    HookProcess& operator=(const HookProcess&) = delete;
    ~HookProcess();

    /// Sends a line and waits for the answer; nullopt when the process is gone or answers more
    /// than it may: end() tells how it ended.
    [[nodiscard]] std::optional<std::string> ask(std::string_view line);
    /// Makes an end of it, politely by closing the requests, after 5 s by signals, and waits.
    const ProcessResult& end();

private:
    void
    serve(const Launch& launch, const SandboxProbe& sandbox, const std::filesystem::path& scratch);
    bool send(std::string_view text) const;
    bool receive();
    [[nodiscard]] bool has_ended() const;

    Descriptor connection_;
    Descriptor childs_end_;
    Descriptor ended_;  ///< an eventfd, readable once the process is gone
    std::string received_;
    std::stop_source stop_source_;
    std::stop_callback<std::function<void()>> forward_stop_;
    std::promise<ProcessResult> promise_;
    std::optional<ProcessResult> result_;
    std::thread thread_;
};

}  // namespace wheelforge::build
