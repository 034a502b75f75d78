#include <CLI/CLI.hpp>
#include <atomic>
#include <chrono>
#include <fstream>
#include <memory>
#include <optional>
#include <thread>

#include "apiserver/crd/pattern.h"
#include "cli/command.h"
#include "cli/input.h"
#include "cli/test_report.h"
#include "scenario/scenario_check.h"
#include "scenario/scenario_update.h"

namespace berth::cli {
namespace {

constexpr const char* kTestFooter = R"(Examples:
  berth test policies/
  berth test -v --filter 'team-a|borrow' policies/
  berth test -o junit policies/ > results.xml
  berth test --update policies/new-quota.yaml

A scenario is a file with objects, a number of scheduling cycles, and what must
come of them: see docs/reference/scenarios.md.)";

struct TestArguments {
  std::vector<std::string> paths;
  std::string output = "human";
  std::string filter;
  int jobs = 0;
  bool is_update = false;
  bool is_verbose = false;
};

TestedFile Unreadable(const std::string& file, const base::Error& error) {
  TestedFile tested{.file = DisplayName(file), .report = {}};
  tested.report.problems.push_back(
      {.message = error.message, .hint = error.hint, .place = {DisplayName(file), 0, 0}});
  if (error.place.line > 0) tested.report.problems.back().place = error.place;
  return tested;
}

// Writes the actual outcome into the file if it differs.
std::optional<base::Error> Update(TestedFile& tested, const std::string& file,
                                  const std::string& text) {
  const base::Result<std::string> updated = scenario::UpdateScenario(text, tested.file);
  if (!updated) return updated.error();
  if (*updated == text) return std::nullopt;
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << *updated;
  out.close();
  if (!out)
    return base::Error{"cannot be written", "is it writable, and is there room?", {tested.file}};
  tested.is_updated = true;
  return std::nullopt;
}

TestedFile TestFile(const std::string& file, bool is_update) {
  const auto start = std::chrono::steady_clock::now();
  const base::Result<std::string> text = ReadInput(file);
  if (!text) return Unreadable(file, text.error());
  TestedFile tested{.file = DisplayName(file), .report = {}};
  tested.report = scenario::CheckScenario(*text, tested.file);
  if (is_update && tested.report.is_readable() && file != "-") {
    if (const std::optional<base::Error> error = Update(tested, file, *text))
      return Unreadable(file, *error);
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  tested.seconds = took.count();
  return tested;
}

// Scenarios are independent, so each thread takes the next one.
std::vector<TestedFile> TestAll(const std::vector<std::string>& files,
                                const TestArguments& arguments) {
  std::vector<TestedFile> tested(files.size());
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    for (size_t i = next++; i < files.size(); i = next++)
      tested[i] = TestFile(files[i], arguments.is_update);
  };
  const size_t wanted = arguments.jobs > 0 ? static_cast<size_t>(arguments.jobs)
                                           : std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::jthread> threads;
  for (size_t i = 1; i < std::min(wanted, files.size()); ++i) threads.emplace_back(work);
  work();
  threads.clear();  // joins
  return tested;
}

void Print(const std::vector<TestedFile>& tested, const TestArguments& arguments, Output& out) {
  if (arguments.output == "json") {
    PrintJson(tested, out);
  } else if (arguments.output == "junit") {
    PrintJunit(tested, out);
  } else {
    PrintHuman(tested, arguments.is_verbose, out);
  }
}

// Nullopt if the filter is not a regular expression.
std::optional<std::vector<std::string>> Filter(std::vector<std::string> files,
                                               const std::string& filter, Output& err) {
  const auto pattern = apiserver::StructuralPattern::Compile(filter);
  if (!pattern) {
    err << "berth: --filter: \"" << filter
        << "\" is not a regular expression: " << pattern.error().message << "\n";
    return std::nullopt;
  }
  std::erase_if(files, [&](const std::string& file) { return !pattern->Matches(file); });
  return files;
}

int TestFiles(const TestArguments& arguments, Output& out, Output& err) {
  const InputFiles input = FindInputFiles(arguments.paths);
  for (const base::Error& error : input.errors) err << "berth: " << base::ToString(error) << "\n";
  const std::optional<std::vector<std::string>> files = Filter(input.files, arguments.filter, err);
  if (!files) return kExitTrouble;
  if (files->empty()) {
    if (!input.files.empty())
      err << "berth: no file matches --filter \"" << arguments.filter << "\"\n";
    return kExitTrouble;
  }
  const std::vector<TestedFile> tested = TestAll(*files, arguments);
  Print(tested, arguments, out);
  const TestCounts counts = Count(tested);
  if (counts.unreadable > 0 || !input.errors.empty()) return kExitTrouble;
  return counts.failed > 0 ? kExitFound : kExitOk;
}

}  // namespace

void AddTest(CLI::App& berth, Action& action) {
  auto arguments = std::make_shared<TestArguments>();
  CLI::App* command =
      berth.add_subcommand("test", "Run policy tests: scenarios with their outcome");
  command
      ->add_option(
          "PATH", arguments->paths,
          "Scenario file, directory with *.yaml, *.yml and *.json, or - for standard input")
      ->required()
      ->option_text("...");
  command->add_option("-o,--output", arguments->output, "Output format (default: human)")
      ->check(CLI::IsMember({"human", "json", "junit"}))
      ->option_text("human|json|junit");
  command->add_option("--filter", arguments->filter, "Run only files whose path matches")
      ->option_text("REGEX");
  command
      ->add_option("--jobs", arguments->jobs, "Number of parallel runs (default: number of cores)")
      ->check(CLI::Range(1, 1024))
      ->option_text("N");
  command->add_flag("--update", arguments->is_update,
                    "Update the expected outcome in the files to the actual one");
  command->add_flag("-v,--verbose", arguments->is_verbose, "List passing scenarios too");
  command->footer(kTestFooter);
  command->callback([arguments, &action] {
    action = [arguments](Output& out, Output& err) { return TestFiles(*arguments, out, err); };
  });
}

}  // namespace berth::cli
