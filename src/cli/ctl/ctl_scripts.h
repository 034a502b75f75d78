#pragma once

#include <string>
#include <string_view>

namespace berth::cli {

// Completion of the plugin under each of its names for "bash", "zsh" or "fish". The scripts ask the
// program for candidates, so that they know the names in the cluster.
std::string CtlCompletionScript(std::string_view shell);

}  // namespace berth::cli
