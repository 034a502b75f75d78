#pragma once

#include <string>
#include <string_view>
#include <vector>

// What shells need to complete a command line, and the scripts that tell them.
namespace berth::cli {

// What may stand after an option, or as an argument without one.
struct ValueModel {
  enum class Kind { kNone, kWord, kPath, kFolder };
  Kind kind = Kind::kNone;
  std::string label;                 // "FORMAT"
  std::vector<std::string> choices;  // of a word; none: any word
};

struct OptionModel {
  std::vector<std::string> names;  // with their dashes: "-o", "--output"
  std::string description;
  ValueModel value;
};

struct CommandModel {
  std::string name;  // "" for the program itself
  std::string description;
  std::vector<OptionModel> options;
  ValueModel argument;
};

struct ProgramModel {
  CommandModel program;
  std::vector<CommandModel> commands;
};

std::string BashCompletion(const ProgramModel& model);
std::string ZshCompletion(const ProgramModel& model);
std::string FishCompletion(const ProgramModel& model);

}  // namespace berth::cli
