#pragma once

#include <span>
#include <string_view>

#include "cli/ctl/session.h"

namespace berth::cli {

inline constexpr std::string_view kPassedThroughVerbs[] = {"get", "describe", "edit", "patch"};

// Whether kubectl does this itself: get, describe, edit, patch and, of what is no Workload, delete.
bool IsPassedThrough(std::string_view verb, std::string_view noun);

// Replaces this process by kubectl with the same arguments. Returns only on failure, with the exit
// code.
int PassToKubectl(std::span<const char* const> arguments, CtlSession& session);

}  // namespace berth::cli
