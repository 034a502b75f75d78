#pragma once

#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace berth::cli {

// A command line whose flags may be anywhere: `-n team-a list workload -A`.
struct CtlLine {
  std::string verb;  // "" if missing
  std::string noun;
  std::vector<std::string> rest;  // flags and arguments in their order
};

// `value_flags`: the flags that take a value, with dashes. `takes_noun`: whether a verb does.
// `-n=x` becomes `-n x`.
CtlLine SplitCtlLine(std::span<const char* const> arguments,
                     const std::set<std::string, std::less<>>& value_flags,
                     const std::function<bool(std::string_view verb)>& takes_noun);

}  // namespace berth::cli
