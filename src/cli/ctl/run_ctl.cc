#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>
#include <set>

#include "base/suggest.h"
#include "cli/command.h"
#include "cli/ctl/ctl_command.h"
#include "cli/ctl/ctl_completion.h"
#include "cli/ctl/ctl_line.h"
#include "cli/ctl/pass_through.h"
#include "cli/printable.h"

namespace berth::cli {
namespace {

// Names under which the program is a plugin of kubectl.
struct PluginName {
  std::string_view file;
  std::string_view program;
  bool completes = false;  // kubectl asks it for candidates
};
constexpr PluginName kPluginNames[] = {
    {"kubectl-kueue", "kubectl kueue"},
    {"kubectl_kueue", "kubectl kueue"},
    {"kubectl-berth", "kubectl berth"},
    {"kubectl_berth", "kubectl berth"},
    {"kueuectl", "kueuectl"},
    {"kubectl_complete-kueue", "kubectl kueue", true},
    {"kubectl_complete-berth", "kubectl berth", true},
};

// The program's name in the examples of commands.
constexpr std::string_view kExampleProgram = "kubectl kueue";

constexpr std::string_view kPassedThrough = R"(  get TYPE                    as kubectl
  describe TYPE               as kubectl
  edit TYPE                   as kubectl
  patch TYPE                  as kubectl
  delete TYPE                 as kubectl, but for Workloads
)";

std::vector<CtlCommand> MakeCtlCommands() {
  std::vector<CtlCommand> all = CreateCommands();
  const auto add = [&all](const std::vector<CtlCommand>& more) {
    all.insert(all.end(), more.begin(), more.end());
  };
  add(ListCommands());
  add(StopCommands());
  all.push_back(DeleteWorkloadCommand());
  add(LiveCommands());
  all.push_back(HistoryCommand());
  all.push_back(TreeCommand());
  all.push_back(TopCommand());
  all.push_back(CtlVersionCommand());
  all.push_back(CtlCompletionCommand());
  return all;
}

bool IsCalled(const CtlCommand& command, std::string_view noun) {
  return command.noun == noun || std::ranges::find(command.aliases, noun) != command.aliases.end();
}

// --- Help ---------------------------------------------------------------------------------------

std::string WithProgram(std::string_view text, const std::string& program) {
  std::string out(text);
  for (size_t at = 0; (at = out.find(kExampleProgram, at)) != std::string::npos;
       at += program.size())
    out.replace(at, kExampleProgram.size(), program);
  return out;
}

std::string NameOf(const CtlCommand& command) {
  std::string name(command.verb);
  if (!command.noun.empty()) name += " " + std::string(command.noun);
  return name;
}

std::string CommandLines(std::string_view verb) {
  constexpr size_t kWidth = 28;
  std::string text;
  for (const CtlCommand& command : CtlCommands()) {
    if (!verb.empty() && command.verb != verb) continue;
    const std::string name = NameOf(command);
    text += "  " + name + std::string(kWidth - std::min(kWidth - 1, name.size()), ' ') +
            std::string(command.summary) + "\n";
  }
  return text;
}

std::string HelpOfProgram(const std::string& program) {
  return "Controls queues and workloads of a running cluster, as kueuectl does.\n\nUsage: " +
         program + " COMMAND [TYPE] [NAME] [flags]\n\nCommands:\n" + CommandLines("") +
         std::string(kPassedThrough) + "\n`" + program +
         " help COMMAND` tells more about a command. Link the program as kubectl-kueue to run it\n"
         "as `kubectl kueue`. Exit codes: 0 all is well, 1 the command failed.\n";
}

std::string HelpOfVerb(const std::string& program, std::string_view verb) {
  return "Usage: " + program + " " + std::string(verb) + " TYPE [NAME] [flags]\n\nCommands:\n" +
         CommandLines(verb);
}

void PrepareApp(CLI::App& app, const CtlCommand& command, const std::string& program) {
  app.name(program + " " + NameOf(command));
  app.description(std::string(command.summary));
  app.set_help_flag("-h,--help", "Print this help");
  app.get_formatter()->column_width(38);
  app.get_formatter()->label("REQUIRED", "");
  app.footer("Examples:\n" + WithProgram(command.examples, program));
}

// --- Running ------------------------------------------------------------------------------------

std::string HintForWord(std::string_view word, std::string_view verb) {
  std::vector<std::string_view> known;
  for (const CtlCommand& command : CtlCommands()) {
    if (verb.empty()) known.push_back(command.verb);
    if (!verb.empty() && command.verb == verb) known.push_back(command.noun);
  }
  return base::DidYouMean(word, known);
}

int ReportUsage(CtlSession& session, const std::string& message, const std::string& hint,
                const std::string& command) {
  session.err() << "error: " << Printable(message) << "\n";
  if (!hint.empty()) session.err() << "  " << hint << "\n";
  session.err() << "Run `" << session.program() << command << " --help` for usage.\n";
  return kExitFound;
}

std::string HintForFlag(const std::string& flag, const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  const std::vector<std::string_view> known(names.begin(), names.end());
  return base::DidYouMean(flag.substr(0, flag.find('=')), known);
}

int RunCommand(const CtlCommand& command, std::vector<std::string> rest, CtlSession& session) {
  CLI::App app;
  PrepareApp(app, command, session.program());
  const CtlAction action = command.declare(app);
  AddGlobalFlags(app, session.flags());
  std::ranges::reverse(rest);  // as CLI11 wants them
  try {
    app.parse(std::move(rest));
  } catch (const CLI::CallForHelp&) {
    session.out() << app.help() << "\n";
    return kExitOk;
  } catch (const CLI::ParseError& error) {
    const std::vector<std::string> extras = app.remaining();
    const std::string name = " " + NameOf(command);
    if (extras.empty()) return ReportUsage(session, error.what(), {}, name);
    const bool is_flag = extras.front().starts_with('-');
    return ReportUsage(session,
                       (is_flag ? "unknown flag: " : "unexpected argument: ") + extras.front(),
                       is_flag ? HintForFlag(extras.front(), app) : std::string(), name);
  }
  return action(session);
}

bool AsksForHelp(const std::vector<std::string>& rest) {
  return std::ranges::any_of(
      rest, [](const std::string& word) { return word == "-h" || word == "--help"; });
}

int RunLine(CtlLine line, std::span<const char* const> arguments, CtlSession& session) {
  const std::string& program = session.program();
  if (line.verb.empty()) {
    const bool is_asked = AsksForHelp(line.rest) || arguments.empty();
    if (is_asked) session.out() << HelpOfProgram(program);
    return is_asked ? kExitOk : ReportUsage(session, "command missing", {}, "");
  }
  if (const CtlCommand* command = FindCtlCommand(line.verb, line.noun))
    return RunCommand(*command, std::move(line.rest), session);
  if (IsPassedThrough(line.verb, line.noun)) return PassToKubectl(arguments, session);
  if (!CtlTakesNoun(line.verb))
    return ReportUsage(session, "unknown command \"" + line.verb + "\"", HintForWord(line.verb, ""),
                       "");
  if (line.noun.empty()) {
    session.out() << HelpOfVerb(program, line.verb);
    return kExitOk;
  }
  return ReportUsage(session, "unknown type \"" + line.noun + "\" for \"" + line.verb + "\"",
                     HintForWord(line.noun, line.verb), " " + line.verb);
}

}  // namespace

std::span<const CtlCommand> CtlCommands() {
  static const std::vector<CtlCommand> kCommands = MakeCtlCommands();
  return kCommands;
}

bool CtlTakesNoun(std::string_view verb) {
  return IsPassedThrough(verb, "") ||
         std::ranges::any_of(CtlCommands(), [&](const CtlCommand& command) {
           return command.verb == verb && !command.noun.empty();
         });
}

const CtlCommand* FindCtlCommand(std::string_view verb, std::string_view noun) {
  for (const CtlCommand& command : CtlCommands())
    if (command.verb == verb && IsCalled(command, noun)) return &command;
  return nullptr;
}

std::set<std::string, std::less<>> CtlValueFlags() {
  std::set<std::string, std::less<>> names;
  GlobalFlags ignored;
  for (const CtlCommand& command : CtlCommands()) {
    CLI::App app;
    AddGlobalFlags(app, ignored);
    const CtlAction action = command.declare(app);
    for (const CLI::Option* option : app.get_options()) {
      if (option->get_positional() || option->get_items_expected_max() == 0) continue;
      for (const std::string& name : option->get_snames()) names.insert("-" + name);
      for (const std::string& name : option->get_lnames()) names.insert("--" + name);
    }
  }
  return names;
}

std::optional<CtlInvocation> FindCtlLine(std::span<const char* const> argv) {
  if (argv.empty()) return std::nullopt;
  std::string_view name = argv[0];
  name.remove_prefix(name.rfind('/') + 1);
  for (const PluginName& plugin : kPluginNames) {
    if (name != plugin.file) continue;
    std::vector<const char*> arguments(argv.begin() + 1, argv.end());
    if (plugin.completes) arguments.insert(arguments.begin(), kCompleteCommand.data());
    return CtlInvocation{std::string(plugin.program), std::move(arguments)};
  }
  if (argv.size() < 2 || std::string_view(argv[1]) != "ctl") return std::nullopt;
  return CtlInvocation{"berth ctl", {argv.begin() + 2, argv.end()}};
}

void AddCtl(CLI::App& berth) {
  berth.add_subcommand("ctl", "Control queues of a running cluster; also `kubectl kueue`")
      ->prefix_command();
}

void AddNameArgument(CLI::App& app, std::string& name) {
  app.add_option("NAME", name, "Name of the object")->required()->option_text(" ");
}

int RunCtl(const std::string& program, std::span<const char* const> arguments, Output& out,
           Output& err) {
  CtlSession session(program, out, err);
  if (!arguments.empty() && std::string_view(arguments[0]) == kCompleteCommand)
    return PrintCandidates(arguments.subspan(1), session);
  CtlLine line = SplitCtlLine(arguments, CtlValueFlags(), &CtlTakesNoun);
  if (line.verb == "help") {
    std::vector<const char*> words(arguments.begin(), arguments.end());
    std::erase_if(words, [](std::string_view word) { return word == "help"; });
    line = SplitCtlLine(words, CtlValueFlags(), &CtlTakesNoun);
    line.rest = {"--help"};
  }
  return RunLine(std::move(line), arguments, session);
}

}  // namespace berth::cli
