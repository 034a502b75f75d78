#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "cli/output.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace berth::cli {

// Exit codes of berth.
inline constexpr int kExitOk = 0;
inline constexpr int kExitFound = 1;    // the input has errors
inline constexpr int kExitTrouble = 2;  // wrong usage, or an input/output error

// Runs a parsed subcommand and returns the exit code.
using Action = std::function<int(Output& out, Output& err)>;

// Each adds its subcommand to the program and sets `action` when it is called.
void AddUp(CLI::App& berth, Action& action);
void AddLint(CLI::App& berth, Action& action);
void AddTest(CLI::App& berth, Action& action);
void AddExplain(CLI::App& berth, Action& action);
void AddPlan(CLI::App& berth, Action& action);
void AddSimulate(CLI::App& berth, Action& action);
void AddReplay(CLI::App& berth, Action& action);
void AddHistory(CLI::App& berth, Action& action);
void AddReport(CLI::App& berth, Action& action);
void AddController(CLI::App& berth, Action& action);
void AddInstall(CLI::App& berth, Action& action);
void AddCrds(CLI::App& berth, Action& action);
void AddReference(CLI::App& berth, Action& action);
void AddVersion(CLI::App& berth, Action& action);
void AddCompletion(CLI::App& berth, Action& action);
// For the list of commands only: RunCtl runs it.
void AddCtl(CLI::App& berth);

// -o, --output: `human` or `other`, and json.
CLI::Option* AddOutputOption(CLI::App& command, std::string& output, const std::string& other);

// The whole program.
int Run(int argc, const char* const* argv, Output& out, Output& err);

}  // namespace berth::cli
