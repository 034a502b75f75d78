#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/core/node.h"
#include "cli/output.h"

namespace berth::cli {

// The nodes of a file: Node manifests, or a generator file with `nodes` or a `topology` and without
// queues. Nullopt, with messages on `err`, if something is invalid.
std::optional<std::vector<api::Node>> ReadNodes(const std::string& file, Output& err);
// The same of a text that comes from `file`.
std::optional<std::vector<api::Node>> ReadNodes(const std::string& text, const std::string& file,
                                                Output& err);

}  // namespace berth::cli
