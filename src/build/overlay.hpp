// SPDX-License-Identifier: Apache-2.0
// Overlay mounts for one process: made in the child, between fork and exec, in a user and mount
// namespace of its own, so that neither root nor a helper program is needed and nothing is left
// mounted. bubblewrap (0.8 has no overlay option) is then started inside that namespace.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

namespace wheelforge::build {

class OverlayMounts {
public:
    /// The kernel takes no more lower layers in one mount.
    static constexpr std::size_t max_layers = 500;

    /// @param folder  an empty folder of this launch: mount points and the upper layers go there
    explicit OverlayMounts(std::filesystem::path folder);
    /// Prepares a mount of `layers`, uppermost first; what is written goes to a private layer.
    /// @returns the mount point, which is filled only inside the child
    std::filesystem::path add(const std::vector<std::filesystem::path>& layers);
    [[nodiscard]] bool empty() const noexcept;
    /// For Launch::before_exec: enters the namespaces and mounts. Async-signal-safe; returns 0 or
    /// an errno. Keeps what it needs alive.
    [[nodiscard]] std::function<int()> entry() const;

private:
    struct Prepared;
    std::shared_ptr<Prepared> prepared_;
};

}  // namespace wheelforge::build
