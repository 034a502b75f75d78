#include <CLI/CLI.hpp>
#include <algorithm>
#include <span>
#include <vector>

#include "base/suggest.h"
#include "cli/build_info.h"
#include "cli/command.h"
#include "cli/ctl/ctl_command.h"

namespace berth::cli {
namespace {

constexpr const char* kMainFooter =
    R"(Exit codes: 0 all is well, 1 the input has errors, 2 wrong usage or unreadable input.
`berth COMMAND --help` tells more about a command.)";

std::vector<std::string_view> CommandNames(const CLI::App& berth) {
  std::vector<std::string_view> names;
  for (const CLI::App* command : berth.get_subcommands(nullptr))
    names.push_back(command->get_name());
  return names;
}

std::vector<std::string> OptionNames(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// The called subcommand, or the program itself.
const CLI::App& Called(const CLI::App& berth) {
  const std::vector<CLI::App*> called = berth.get_subcommands();
  return called.empty() ? berth : *called.front();
}

int Refuse(Output& err, const std::string& message, const std::string& hint,
           const CLI::App& command) {
  err << "berth: " << message << "\n";
  if (!hint.empty()) err << "  " << hint << "\n";
  const std::string name = command.get_parent() == nullptr ? "" : " " + command.get_name();
  err << "Run `berth" << name << " --help` for usage.\n";
  return kExitTrouble;
}

// A first argument that is not a subcommand; CLI11 would only report that one is required.
const char* UnknownCommand(const CLI::App& berth, std::span<const char* const> arguments) {
  if (arguments.empty() || arguments[0][0] == '-') return nullptr;
  const std::vector<std::string_view> names = CommandNames(berth);
  return std::ranges::find(names, arguments[0]) == names.end() ? arguments[0] : nullptr;
}

std::string HintForExtra(const std::string& extra, const CLI::App& command) {
  const std::vector<std::string> names = OptionNames(command);
  const std::vector<std::string_view> known(names.begin(), names.end());
  return base::DidYouMean(extra.substr(0, extra.find('=')), known);
}

int Explain(const CLI::ParseError& error, const CLI::App& berth, Output& out, Output& err) {
  const CLI::App& called = Called(berth);
  if (error.get_name() == "CallForHelp") {
    out << called.help(called.get_parent() == nullptr ? "" : "berth") << "\n";
    return kExitOk;
  }
  if (error.get_name() == "CallForVersion") {
    out << error.what() << "\n";
    return kExitOk;
  }
  const std::vector<std::string> extras = berth.remaining(true);
  if (!extras.empty())
    return Refuse(err, "unexpected argument \"" + extras.front() + "\"",
                  HintForExtra(extras.front(), called), called);
  return Refuse(err, error.what(), {}, called);
}

void Configure(CLI::App& berth) {
  berth.name("berth");
  berth.require_subcommand(1);
  berth.footer(kMainFooter);
  berth.set_version_flag("--version", "berth " + std::string(kVersion), "Print the version");
  berth.set_help_flag("-h,--help", "Print this help");
  berth.get_formatter()->column_width(32);
  berth.get_formatter()->label("REQUIRED", "");
}

}  // namespace

CLI::Option* AddOutputOption(CLI::App& command, std::string& output, const std::string& other) {
  output = other;
  return command.add_option("-o,--output", output, "Output format (default: " + other + ")")
      ->check(CLI::IsMember(std::vector<std::string>{other, "json"}))
      ->option_text(other + "|json");
}

int Run(int argc, const char* const* argv, Output& out, Output& err) {
  if (const auto line = FindCtlLine(std::span(argv, static_cast<size_t>(argc))))
    return RunCtl(line->program, line->arguments, out, err);
  CLI::App berth("Berth decides which Kubernetes jobs may start, when, and on whose quota.");
  Configure(berth);
  Action action;
  AddUp(berth, action);
  AddLint(berth, action);
  AddTest(berth, action);
  AddExplain(berth, action);
  AddPlan(berth, action);
  AddReplay(berth, action);
  AddHistory(berth, action);
  AddReport(berth, action);
  AddSimulate(berth, action);
  AddController(berth, action);
  AddInstall(berth, action);
  AddCrds(berth, action);
  AddReference(berth, action);
  AddVersion(berth, action);
  AddCompletion(berth, action);
  AddCtl(berth);

  const std::span<const char* const> arguments(argv + 1,
                                               static_cast<size_t>(std::max(argc, 1)) - 1);
  if (arguments.empty()) {
    err << berth.help() << "\n";
    return kExitTrouble;
  }
  if (const char* word = UnknownCommand(berth, arguments))
    return Refuse(err, "unknown command \"" + std::string(word) + "\"",
                  base::DidYouMean(word, CommandNames(berth)), berth);
  try {
    berth.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return Explain(error, berth, out, err);
  }
  return action(out, err);
}

}  // namespace berth::cli
