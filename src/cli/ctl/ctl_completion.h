#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/ctl/session.h"

namespace berth::cli {

// The hidden command by which shells, and kubectl for its plugins, ask for candidates.
inline constexpr std::string_view kCompleteCommand = "__complete";

// Prints the candidates for the last of these words, one per line with its meaning, and a line with
// what the shell may do, as kubectl expects them.
int PrintCandidates(std::span<const char* const> words, CtlSession& session);

}  // namespace berth::cli
