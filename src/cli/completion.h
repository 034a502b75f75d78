#pragma once

#include <string>
#include <string_view>
#include <vector>

// A model of the command line, and completion scripts generated from it.
namespace berth::cli {

// The value of an option or positional argument.
struct ValueModel {
  enum class Kind { kNone, kWord, kPath, kFolder };
  Kind kind = Kind::kNone;
  std::string label;                 // "FORMAT"
  std::vector<std::string> choices;  // of a word; empty: any word
};

struct OptionModel {
  std::vector<std::string> names;  // with dashes: "-o", "--output"
  std::string description;
  ValueModel value;
};

struct CommandModel {
  std::string name;  // "" for the program itself
  std::string description;
  std::vector<OptionModel> options;
  ValueModel argument;
  bool asks_program = false;  // `berth NAME __complete WORDS` prints the candidates
};

struct ProgramModel {
  CommandModel program;
  std::vector<CommandModel> commands;
};

std::string BashCompletion(const ProgramModel& model);
std::string ZshCompletion(const ProgramModel& model);
std::string FishCompletion(const ProgramModel& model);

}  // namespace berth::cli
