#include <CLI/CLI.hpp>
#include <chrono>
#include <memory>
#include <optional>

#include "cli/command.h"
#include "cli/journal/journal_input.h"
#include "cli/printable.h"
#include "cli/write_file.h"
#include "journal/replay.h"
#include "journal/scenario_export.h"
#include "schema/json/writer.h"

namespace berth::cli {
namespace {

constexpr const char* kReplayFooter = R"(Examples:
  berth replay ~/.local/share/berth/journal
  berth replay journal/journal-000003 -o json
  berth replay journal --scenario night.yaml --at 2026-03-02T03:14:00Z
  berth test night.yaml

--scenario writes the first cycle from that time on that decided something as a
scenario file: its objects, and its decisions as the expected outcome.

Exit code 1: a decision differs, or the journal is damaged.)";

struct ReplayArguments {
  std::string journal;
  std::string scenario;
  std::string at;
  std::string output;
};

struct Replayed {
  journal::ReplayResult result;
  std::optional<std::string> scenario;
  double seconds = 0;
  bool is_damaged = false;
};

Replayed RunReplay(journal::Reader& reader, std::optional<base::Time> scenario_at, Output& err) {
  const auto begin = std::chrono::steady_clock::now();
  journal::Replay replay;
  Replayed replayed;
  // A record is applied to the reader's objects when it is read: the scenario of a cycle, which
  // changes no object, can be written before it is played.
  while (const auto record = reader.Next()) {
    const auto* cycle = std::get_if<journal::Cycle>(&*record);
    if (scenario_at && cycle != nullptr && cycle->now >= *scenario_at &&
        !cycle->decisions.empty() && replay.player().cluster() != nullptr) {
      replayed.scenario = journal::ScenarioText(reader.objects(), replay.player(), *cycle);
      scenario_at.reset();
    }
    replay.Add(*record);
  }
  replayed.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  ReportDamage(reader, err);
  replayed.result = replay.result();
  replayed.is_damaged = !reader.damages().empty();
  return replayed;
}

double SpeedOf(const Replayed& replayed) {
  const double recorded = (replayed.result.end - replayed.result.begin).seconds();
  return replayed.seconds > 0 ? recorded / replayed.seconds : 0;
}

std::string OneDecimal(double number) {
  const auto tenths = static_cast<int64_t>(number * 10);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}

std::string DecisionText(const std::optional<journal::Decision>& decision) {
  return decision ? decision->workload + " " + journal::Describe(*decision) : "nothing";
}

void PrintReplay(const Replayed& replayed, Output& out) {
  const journal::ReplayResult& r = replayed.result;
  out << std::to_string(r.records) << " records, " << std::to_string(r.cycles) << " cycles, "
      << std::to_string(r.decisions) << " decisions from " << base::FormatTime(r.begin) << " to "
      << base::FormatTime(r.end) << "\n"
      << "Replayed in " << OneDecimal(replayed.seconds) << " s, " << OneDecimal(SpeedOf(replayed))
      << " times as fast as recorded\n";
  if (r.begins_in_the_middle)
    out << "The journal begins in the middle: which workloads were inadmissible then is not known, "
           "so its first cycles may differ\n";
  for (const std::string& problem : r.problems) out << "Problem: " << Printable(problem) << "\n";
  if (r.problem_count > r.problems.size())
    out << "… and " << std::to_string(r.problem_count - r.problems.size()) << " more problems\n";
  if (r.first) {
    out << std::to_string(r.differing_cycles) << " cycles differ, the first at "
        << base::FormatMicroTime(r.first->time) << " (cycle " << std::to_string(r.first->cycle)
        << "):\n  recorded: " << Printable(DecisionText(r.first->recorded))
        << "\n  replayed: " << Printable(DecisionText(r.first->replayed)) << "\n";
  } else if (r.is_same()) {
    out << "Every decision is the same.\n";
  }
}

std::string ReplayJson(const Replayed& replayed) {
  const journal::ReplayResult& r = replayed.result;
  schema::JsonWriter w;
  w.BeginObject().Member("isSame", r.is_same()).Member("records", r.records);
  w.Member("beginsInTheMiddle", r.begins_in_the_middle);
  w.Member("cycles", r.cycles).Member("decisions", r.decisions);
  w.Member("differingCycles", r.differing_cycles).Member("problems", r.problem_count);
  w.Member("from", base::FormatMicroTime(r.begin)).Member("to", base::FormatMicroTime(r.end));
  w.Key("seconds").Raw(OneDecimal(replayed.seconds));
  w.Key("timesAsFast").Raw(OneDecimal(SpeedOf(replayed)));
  if (r.first) {
    w.Key("firstDifference").BeginObject();
    w.Member("time", base::FormatMicroTime(r.first->time)).Member("cycle", r.first->cycle);
    w.Member("recorded", DecisionText(r.first->recorded));
    w.Member("replayed", DecisionText(r.first->replayed)).EndObject();
  }
  return w.EndObject().Take() + "\n";
}

int ReplayJournal(const ReplayArguments& arguments, Output& out, Output& err) {
  const auto at = ReadTimeOption("--at", arguments.at, base::kZeroTime, err);
  if (!at) return kExitTrouble;
  auto reader = OpenJournal(arguments.journal, err);
  if (!reader) return kExitTrouble;
  const Replayed replayed = RunReplay(*reader, arguments.scenario.empty() ? std::nullopt : at, err);
  if (arguments.output == "json") {
    out << ReplayJson(replayed);
  } else {
    PrintReplay(replayed, out);
  }
  if (!arguments.scenario.empty()) {
    if (!replayed.scenario) {
      err << "berth: no cycle decided anything from " << base::FormatTime(*at)
          << " on\n  choose an earlier --at\n";
      return kExitTrouble;
    }
    if (!WriteTextFile(arguments.scenario, *replayed.scenario, err)) return kExitTrouble;
  }
  return replayed.result.is_same() && !replayed.is_damaged ? kExitOk : kExitFound;
}

}  // namespace

void AddReplay(CLI::App& berth, Action& action) {
  auto arguments = std::make_shared<ReplayArguments>();
  CLI::App* command =
      berth.add_subcommand("replay", "Run a journal through the engine and compare every decision");
  command->add_option("JOURNAL", arguments->journal, "Directory of a journal, or one of its files")
      ->required()
      ->option_text(" ");
  CLI::Option* scenario =
      command->add_option("--scenario", arguments->scenario, "Write a scenario file of one cycle")
          ->option_text("FILE");
  command->add_option("--at", arguments->at, "Time of that cycle (default: the first one)")
      ->needs(scenario)
      ->option_text("TIME");
  AddOutputOption(*command, arguments->output, "human");
  command->footer(kReplayFooter);
  command->callback([arguments, &action] {
    action = [arguments](Output& out, Output& err) { return ReplayJournal(*arguments, out, err); };
  });
}

}  // namespace berth::cli
