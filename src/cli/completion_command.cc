#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command.h"
#include "cli/completion.h"

namespace berth::cli {
namespace {

// The choices in "TEXT:{human,json}", the validator of an option.
std::vector<std::string> ChoicesOf(const std::string& type) {
  const size_t open = type.find('{'), close = type.find('}');
  if (open == std::string::npos || close == std::string::npos) return {};
  return CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
}

ValueModel ValueOf(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return {};
  ValueModel value{
      .kind = ValueModel::Kind::kWord,
      .label = option.get_positional() ? option.get_single_name() : option.get_option_text(),
      .choices = ChoicesOf(option.get_type_name())};
  if (value.label == "PATH") value.kind = ValueModel::Kind::kPath;
  if (value.label == "DIR") value.kind = ValueModel::Kind::kFolder;
  return value;
}

CommandModel ModelOf(const CLI::App& app) {
  CommandModel command{.name = app.get_parent() == nullptr ? "" : app.get_name(),
                       .description = app.get_description(),
                       .options = {},
                       .argument = {},
                       .asks_program = app.get_prefix_command()};
  for (const CLI::Option* option : app.get_options()) {
    OptionModel model{.names = {}, .description = option->get_description(), .value = {}};
    for (const std::string& name : option->get_snames()) model.names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) model.names.push_back("--" + name);
    model.value = ValueOf(*option);
    if (option->get_positional()) {
      command.argument = std::move(model.value);
    } else {
      command.options.push_back(std::move(model));
    }
  }
  return command;
}

ProgramModel ProgramOf(const CLI::App& berth) {
  ProgramModel model{.program = ModelOf(berth), .commands = {}};
  for (const CLI::App* command : berth.get_subcommands(nullptr))
    model.commands.push_back(ModelOf(*command));
  return model;
}

std::string ScriptFor(const std::string& shell, const ProgramModel& model) {
  if (shell == "bash") return BashCompletion(model);
  return shell == "zsh" ? ZshCompletion(model) : FishCompletion(model);
}

constexpr const char* kFooter = R"(Examples:
  source <(berth completion bash)                # or in ~/.bashrc
  source <(berth completion zsh)                 # or in ~/.zshrc
  berth completion fish > ~/.config/fish/completions/berth.fish)";

}  // namespace

void AddCompletion(CLI::App& berth, Action& action) {
  auto shell = std::make_shared<std::string>();
  CLI::App* command = berth.add_subcommand("completion", "Print a shell completion script");
  command->add_option("SHELL", *shell, "Shell")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}))
      ->option_text("bash|zsh|fish");
  command->footer(kFooter);
  command->callback([shell, &berth, &action] {
    action = [shell, &berth](Output& out, Output&) {
      out << ScriptFor(*shell, ProgramOf(berth));
      return kExitOk;
    };
  });
}

}  // namespace berth::cli
