#include "cli/ctl/ctl_line.h"

namespace berth::cli {
namespace {

// "-n=x" of a flag with a value.
bool HasShortValue(std::string_view argument,
                   const std::set<std::string, std::less<>>& value_flags) {
  return argument.size() > 2 && argument[0] == '-' && argument[1] != '-' && argument[2] == '=' &&
         value_flags.contains(argument.substr(0, 2));
}

}  // namespace

CtlLine SplitCtlLine(std::span<const char* const> arguments,
                     const std::set<std::string, std::less<>>& value_flags,
                     const std::function<bool(std::string_view verb)>& takes_noun) {
  CtlLine line;
  bool is_value = false, is_literal = false;
  for (const std::string_view argument : arguments) {
    const bool is_flag = !is_value && !is_literal && argument.size() > 1 && argument[0] == '-';
    if (is_value || is_literal) {
      line.rest.emplace_back(argument);
      is_value = false;
    } else if (is_flag && HasShortValue(argument, value_flags)) {
      line.rest.emplace_back(argument.substr(0, 2));
      line.rest.emplace_back(argument.substr(3));
    } else if (is_flag) {
      line.rest.emplace_back(argument);
      is_literal = argument == "--";
      is_value = value_flags.contains(argument);
    } else if (line.verb.empty()) {
      line.verb = argument;
    } else if (line.noun.empty() && takes_noun(line.verb)) {
      line.noun = argument;
    } else {
      line.rest.emplace_back(argument);
    }
  }
  return line;
}

}  // namespace berth::cli
