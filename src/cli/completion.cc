#include "cli/completion.h"

#include <initializer_list>

namespace berth::cli {
namespace {

using Kind = ValueModel::Kind;

std::string Joined(const std::vector<std::string>& words, std::string_view separator) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += separator;
    text += word;
  }
  return text;
}

std::string Replaced(std::string text, char from, std::string_view to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, 1, to);
  return text;
}

// Single quotes for bash and zsh; fish differs.
std::string ShellQuoted(const std::string& text) {
  return "'" + Replaced(text, '\'', "'\\''") + "'";
}

std::vector<std::string> CommandNames(const ProgramModel& model) {
  std::vector<std::string> names;
  names.reserve(model.commands.size());
  for (const CommandModel& command : model.commands) names.push_back(command.name);
  return names;
}

std::vector<std::string> OptionNames(const CommandModel& command) {
  std::vector<std::string> names;
  for (const OptionModel& option : command.options)
    names.insert(names.end(), option.names.begin(), option.names.end());
  return names;
}

// --- bash --------------------------------------------------------------------------------------

std::string BashReply(const ValueModel& value) {
  switch (value.kind) {
    case Kind::kFolder:
      return "mapfile -t COMPREPLY < <(compgen -d -- \"$cur\")";
    case Kind::kPath:
      return "compopt -o default";
    default:
      return "mapfile -t COMPREPLY < <(compgen -W '" + Joined(value.choices, " ") +
             "' -- \"$cur\")";
  }
}

// The cases of a command: option values, options, argument.
std::string BashCases(const CommandModel& command, const std::vector<std::string>& first_words) {
  std::string text;
  for (const OptionModel& option : command.options) {
    if (option.value.kind == Kind::kNone) continue;
    std::vector<std::string> patterns;
    patterns.reserve(option.names.size());
    for (const std::string& name : option.names)
      patterns.push_back(command.name + ":" + name + ":*");
    text += "    " + Joined(patterns, " | ") + ") " + BashReply(option.value) + " ;;\n";
  }
  std::vector<std::string> words = first_words;
  for (const std::string& name : OptionNames(command)) words.push_back(name);
  const ValueModel options{.kind = Kind::kWord, .label = {}, .choices = words};
  const bool takes_argument = command.argument.kind != Kind::kNone;
  text += "    " + command.name + (takes_argument ? ":*:-*" : ":*") + ") " + BashReply(options) +
          " ;;\n";
  if (takes_argument)
    text += "    " + command.name + ":*) " + BashReply(command.argument) + " ;;\n";
  return text;
}

// The program knows the candidates of such a command.
std::string BashAsking(const ProgramModel& model) {
  std::string text;
  for (const CommandModel& command : model.commands) {
    if (!command.asks_program) continue;
    text += "  if [[ ${COMP_WORDS[1]} == " + command.name +
            R"( ]] && ((COMP_CWORD > 1)); then
    while IFS= read -r word; do
      [[ $word == :* ]] || COMPREPLY+=("${word%%$'\t'*}")
    done < <(berth )" +
            command.name + R"( __complete "${COMP_WORDS[@]:2:COMP_CWORD-1}" 2>/dev/null)
    return
  fi
)";
  }
  return text;
}

// --- zsh ---------------------------------------------------------------------------------------

std::string ZshText(std::string text) {
  for (const char c : {'\\', '[', ']', ':'}) text = Replaced(text, c, std::string("\\") + c);
  return text;
}

std::string ZshValue(const ValueModel& value) {
  const std::string label = ":" + ZshText(value.label) + ":";
  switch (value.kind) {
    case Kind::kNone:
      return {};
    case Kind::kFolder:
      return label + "_files -/";
    case Kind::kPath:
      return label + "_files";
    case Kind::kWord:
      return value.choices.empty() ? label + " " : label + "(" + Joined(value.choices, " ") + ")";
  }
  return {};
}

std::string ZshOption(const OptionModel& option) {
  const std::string all = Joined(option.names, " ");
  const std::string rest = "[" + ZshText(option.description) + "]" + ZshValue(option.value);
  std::string text;
  for (const std::string& name : option.names) {
    const bool is_long = name.starts_with("--");
    const std::string suffix =
        option.value.kind == Kind::kNone ? "" : std::string(is_long ? "=" : "+");
    text += " \\\n        " + ShellQuoted("(" + all + ")" + name + suffix + rest);
  }
  return text;
}

std::string ZshCommand(const CommandModel& command) {
  if (command.asks_program)
    return "      " + command.name + R"()
        local -a candidates
        candidates=("${(@f)$(berth )" +
           command.name + R"( __complete "${(@)words[2,CURRENT]}" 2>/dev/null |
          sed '/^:/d; s/\t.*//')}")
        compadd -a candidates ;;
)";
  std::string text = "      " + command.name + ")\n      _arguments";
  for (const OptionModel& option : command.options) text += ZshOption(option);
  if (command.argument.kind != Kind::kNone)
    text += " \\\n        " + ShellQuoted("*" + ZshValue(command.argument));
  return text + " ;;\n";
}

// --- fish --------------------------------------------------------------------------------------

std::string FishQuoted(std::string text) {
  return "'" + Replaced(Replaced(std::move(text), '\\', "\\\\"), '\'', "\\'") + "'";
}

std::string FishValue(const ValueModel& value) {
  switch (value.kind) {
    case Kind::kNone:
      return {};
    case Kind::kPath:
      return " -r -F";
    case Kind::kFolder:
      return " -x -a '(__fish_complete_directories)'";
    case Kind::kWord:
      return value.choices.empty() ? " -x" : " -x -a " + FishQuoted(Joined(value.choices, " "));
  }
  return {};
}

std::string FishOption(const std::string& condition, const OptionModel& option) {
  std::string text = "complete -c berth -n " + FishQuoted(condition);
  for (const std::string& name : option.names)
    text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  return text + FishValue(option.value) + " -d " + FishQuoted(option.description) + "\n";
}

std::string FishCommand(const CommandModel& command) {
  const std::string inside = "__fish_seen_subcommand_from " + command.name;
  std::string text = "complete -c berth -n __fish_use_subcommand -a " + command.name + " -d " +
                     FishQuoted(command.description) + "\n";
  if (command.asks_program)
    text += "complete -c berth -n " + FishQuoted(inside) + " -a '(berth " + command.name +
            " __complete (commandline -opc)[3..] (commandline -ct) 2>/dev/null |" +
            " string match -v \":*\")'\n";
  for (const OptionModel& option : command.options) text += FishOption(inside, option);
  if (command.argument.kind == Kind::kPath)
    text += "complete -c berth -n " + FishQuoted(inside) + " -F\n";
  if (!command.argument.choices.empty())
    text += "complete -c berth -n " + FishQuoted(inside) + " -a " +
            FishQuoted(Joined(command.argument.choices, " ")) + "\n";
  return text;
}

}  // namespace

std::string BashCompletion(const ProgramModel& model) {
  std::string text =
      R"(# Completion of berth for bash. Load it with: source <(berth completion bash)
_berth() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command='' word
  # bash makes three words of --option=value
  if [[ $cur == '=' ]]; then
    cur=''
  elif [[ $prev == '=' ]]; then
    prev=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in
    )" +
      Joined(CommandNames(model), " | ") +
      R"()
      command=$word
      break
      ;;
    esac
  done
  COMPREPLY=()
)" + BashAsking(model) +
      "  case $command:$prev:$cur in\n";
  for (const CommandModel& command : model.commands) text += BashCases(command, {});
  text += BashCases(model.program, CommandNames(model));
  return text + "  esac\n}\ncomplete -F _berth berth\n";
}

std::string ZshCompletion(const ProgramModel& model) {
  std::string text = R"(#compdef berth
# Completion of berth for zsh. Put it into a directory of $fpath as _berth, or load it with:
# source <(berth completion zsh)
_berth() {
  local context state line
  typeset -A opt_args
  local -a commands
  commands=(
)";
  for (const CommandModel& command : model.commands)
    text += "    " + ShellQuoted(command.name + ":" + ZshText(command.description)) + "\n";
  text += "  )\n  _arguments -C";
  for (const OptionModel& option : model.program.options) text += ZshOption(option);
  text += R"( \
        '1:command:->command' '*::argument:->argument'
  case $state in
    command) _describe command commands ;;
    argument)
      case $line[1] in
)";
  for (const CommandModel& command : model.commands) text += ZshCommand(command);
  return text + R"(      esac ;;
  esac
}
if [[ $funcstack[1] == _berth ]]; then
  _berth "$@"
else
  compdef _berth berth
fi
)";
}

std::string FishCompletion(const ProgramModel& model) {
  std::string text =
      "# Completion of berth for fish. Load it with: berth completion fish | source\n"
      "complete -c berth -f\n";
  for (const OptionModel& option : model.program.options)
    text += FishOption("__fish_use_subcommand", option);
  for (const CommandModel& command : model.commands) text += FishCommand(command);
  return text;
}

}  // namespace berth::cli
