// SPDX-License-Identifier: Apache-2.0
// Who watches a run: progress on a terminal, plain lines, an events file. Called on the
// coordinator only.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/job.hpp"

namespace wheelforge::engine {

struct RunInfo {
    std::string variant;
    std::string python;
    std::string output;
    unsigned cores = 1;
};

class Observer {
public:
    virtual ~Observer() = default;
    virtual void run_started(const RunInfo&) {}
    /// A scope was solved ("the runtime set", "the build of attrs 25.1.0").
    virtual void resolved(std::string_view /*scope*/, std::size_t /*packages*/) {}
    /// Step names as in docs/formats/events.schema.json.
    virtual void step_started(const Job&, std::string_view /*step*/) {}
    virtual void step_finished(const Job&, const plugin::StepMeasure&, bool /*ok*/) {}
    virtual void package_done(const Job&, bool /*runtime*/) {}
    /// Nothing more is done for it now; what becomes of it is told when its turn comes.
    virtual void package_paused(const Job&) {}
    /// A plain line the user should see once.
    virtual void notice(std::string_view) {}
    virtual void run_finished(ExitCode, const std::map<std::string, int>& /*counts*/) {}
};

/// Tells several.
class Observers : public Observer {
public:
    explicit Observers(std::vector<Observer*> all) : all_(std::move(all)) {}
    void run_started(const RunInfo& info) override {
        each([&](Observer& o) { o.run_started(info); });
    }
    void resolved(std::string_view scope, std::size_t packages) override {
        each([&](Observer& o) { o.resolved(scope, packages); });
    }
    void step_started(const Job& job, std::string_view step) override {
        each([&](Observer& o) { o.step_started(job, step); });
    }
    void step_finished(const Job& job, const plugin::StepMeasure& measure, bool ok) override {
        each([&](Observer& o) { o.step_finished(job, measure, ok); });
    }
    void package_done(const Job& job, bool runtime) override {
        each([&](Observer& o) { o.package_done(job, runtime); });
    }
    void package_paused(const Job& job) override {
        each([&](Observer& o) { o.package_paused(job); });
    }
    void notice(std::string_view line) override {
        each([&](Observer& o) { o.notice(line); });
    }
    void run_finished(ExitCode code, const std::map<std::string, int>& counts) override {
        each([&](Observer& o) { o.run_finished(code, counts); });
    }

private:
    template <typename Tell>
    void each(Tell&& tell) {
        for (auto* observer : all_) {
            tell(*observer);
        }
    }
    std::vector<Observer*> all_;
};

}  // namespace wheelforge::engine
