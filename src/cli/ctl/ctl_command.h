#pragma once

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/ctl/session.h"

namespace berth::cli {

// Heading of the global flags in a help text.
inline constexpr const char* kGlobalGroup = "Global flags";

// What a parsed command does; returns the exit code.
using CtlAction = std::function<int(CtlSession& session)>;

// A command of `berth ctl`, such as `create clusterqueue`.
struct CtlCommand {
  std::string_view verb;
  std::string_view noun;                      // "" if the verb stands alone
  std::span<const std::string_view> aliases;  // of the noun
  std::string_view summary;
  std::string_view examples;  // the program is "kubectl kueue" in them
  // Declares the arguments, which live as long as the action.
  CtlAction (*declare)(CLI::App& app);
};

// In the order of the help text.
std::span<const CtlCommand> CtlCommands();

// Null if there is none, such as a verb of kubectl.
const CtlCommand* FindCtlCommand(std::string_view verb, std::string_view noun);
// Whether a type follows the verb.
bool CtlTakesNoun(std::string_view verb);
// The flags of all commands that take a value, with dashes.
std::set<std::string, std::less<>> CtlValueFlags();

// Commands by verb.
std::vector<CtlCommand> CreateCommands();
std::vector<CtlCommand> ListCommands();
std::vector<CtlCommand> StopCommands();  // and resume
CtlCommand DeleteWorkloadCommand();
std::vector<CtlCommand> LiveCommands();  // explain, eta, plan
CtlCommand HistoryCommand();
CtlCommand TreeCommand();
CtlCommand TopCommand();
CtlCommand CtlVersionCommand();
CtlCommand CtlCompletionCommand();

// Aliases of the nouns: kueuectl's, and the plurals.
inline constexpr std::string_view kClusterQueueAliases[] = {"cq", "clusterqueues"};
inline constexpr std::string_view kLocalQueueAliases[] = {"lq", "localqueues", "queue", "queues"};
inline constexpr std::string_view kWorkloadAliases[] = {"kwl", "kueueworkload", "kueueworkloads",
                                                        "workloads"};
inline constexpr std::string_view kResourceFlavorAliases[] = {"rf", "flavor", "flavors",
                                                              "resourceflavors"};

// The required argument NAME.
void AddNameArgument(CLI::App& app, std::string& name);

// A command line of `berth ctl`, or of the program under the name of a plugin: kubectl-kueue,
// kubectl-berth or kueuectl. Nullopt for any other.
struct CtlInvocation {
  std::string program;  // what the user calls it: "kubectl kueue"
  std::vector<const char*> arguments;
};
std::optional<CtlInvocation> FindCtlLine(std::span<const char* const> argv);

// Runs the command line of `program` without its name.
int RunCtl(const std::string& program, std::span<const char* const> arguments, Output& out,
           Output& err);

}  // namespace berth::cli
