#include <CLI/CLI.hpp>
#include <cstdlib>
#include <memory>

#include "api/meta/manifest.h"
#include "cli/command.h"
#include "cli/input.h"
#include "cli/lint_report.h"
#include "lint/lint.h"
#include "lint/managed_jobs.h"

namespace berth::cli {
namespace {

constexpr const char* kLintFooter = R"(Examples:
  berth lint queues.yaml jobs/
  kubectl get clusterqueues,localqueues,resourceflavors -A -o yaml | berth lint -
  berth lint --strict -o json deploy/ > findings.json
  berth lint --managed configuration.yaml namespaces.yaml jobs/

References are checked among the objects that are given together: lint queues
and jobs in one call to learn whether the jobs can ever start.)";

struct LintArguments {
  std::vector<std::string> paths;
  std::string output;
  std::string colour = "auto";
  bool is_strict = false;
  bool lists_managed = false;
};

bool WantsColour(const std::string& choice, const Output& out) {
  if (choice != "auto") return choice == "always";
  const auto is_set = [](const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0';
  };
  const char* terminal = std::getenv("TERM");
  const bool is_dumb = terminal != nullptr && std::string_view(terminal) == "dumb";
  return out.IsTerminal() && !is_set("NO_COLOR") && !is_dumb;
}

// All readable manifests.
struct ReadResult {
  std::vector<api::Manifest> manifests;
  size_t files = 0;
  bool is_complete = true;
};

ReadResult ReadAll(const std::vector<std::string>& paths, Output& err) {
  ReadResult result;
  const InputFiles input = FindInputFiles(paths);
  const auto fail = [&](const base::Error& error) {
    err << "berth: " << base::ToString(error) << "\n";
    result.is_complete = false;
  };
  for (const base::Error& error : input.errors) fail(error);
  for (const std::string& file : input.files) {
    const base::Result<std::string> text = ReadInput(file);
    if (!text) {
      fail(text.error());
      continue;
    }
    ++result.files;
    std::ranges::move(api::ReadManifests(*text, {.file = DisplayName(file), .is_strict = true}),
                      std::back_inserter(result.manifests));
  }
  return result;
}

int LintFiles(const LintArguments& arguments, Output& out, Output& err) {
  const ReadResult read = ReadAll(arguments.paths, err);
  if (read.files == 0) return kExitTrouble;
  lint::LintResult result = lint::Lint(read.manifests);
  if (arguments.is_strict) {
    for (lint::Finding& finding : result.findings) finding.severity = lint::Severity::kError;
  }
  const LintCounts counts = Count(result, read.files);
  std::vector<lint::ManagedJob> managed;
  if (arguments.lists_managed) managed = lint::ManagedJobs(read.manifests);
  if (arguments.output == "json") {
    PrintJson(result, counts, arguments.lists_managed ? &managed : nullptr, out);
  } else {
    PrintManaged(managed, WantsColour(arguments.colour, out), out);
    PrintHuman(result, counts, WantsColour(arguments.colour, out), out);
  }
  if (!read.is_complete) return kExitTrouble;
  return counts.errors > 0 ? kExitFound : kExitOk;
}

}  // namespace

void AddLint(CLI::App& berth, Action& action) {
  auto arguments = std::make_shared<LintArguments>();
  CLI::App* command =
      berth.add_subcommand("lint", "Report errors in manifests and in the references between them");
  command
      ->add_option("PATH", arguments->paths,
                   "File, directory with *.yaml, *.yml and *.json, or - for standard input")
      ->required()
      ->option_text("...");
  command->add_flag("--strict", arguments->is_strict, "Treat warnings as errors");
  command->add_flag("--managed", arguments->lists_managed,
                    "List the jobs and whether the Configuration manages them");
  AddOutputOption(*command, arguments->output, "human");
  command
      ->add_option("--color", arguments->colour,
                   "Colour output (auto: on a terminal, unless NO_COLOR is set)")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->option_text("auto|always|never");
  command->footer(kLintFooter);
  command->callback([arguments, &action] {
    action = [arguments](Output& out, Output& err) { return LintFiles(*arguments, out, err); };
  });
}

}  // namespace berth::cli
