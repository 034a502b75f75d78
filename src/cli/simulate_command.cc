#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cli/command.h"
#include "cli/number_check.h"
#include "cli/printable.h"
#include "cli/progress.h"
#include "cli/simulate_input.h"
#include "cli/write_file.h"
#include "simulate/condition.h"
#include "simulate/estimate.h"
#include "simulate/findings.h"
#include "simulate/report/compare.h"
#include "simulate/report/format.h"
#include "simulate/report/html.h"
#include "simulate/report/report.h"
#include "simulate/world/world.h"

namespace berth::cli {
namespace {

constexpr const char* kSimulateFooter = R"(Examples:
  berth simulate -f queues/ --trace jobs.csv
  berth simulate --generator examples/simulate/baseline.yaml --html report.html
  berth simulate -f live.yaml --trace jobs.csv --change new.yaml \
    --fail-if 'p90(wait, queue=a) > 1.2 * base'
  berth simulate --live --run-time 'lognormal(1h, 6h)' --eta team-a/train

Traces are .csv, .jsonl and .swf files. Lengths of time by chance are 30m, uniform(10m, 2h),
exponential(30m) and lognormal(30m, 2h), of which half are below the first and nine of ten
below the second. A Workload or its job may say with the annotation berth.dev/run-time: 30m.
Jobs are placed on nodes if the objects include Nodes and Topologies.

Figures for --fail-if: p50(wait), p90(wait), …, max(wait), mean(wait), jobs(), finished(),
unstarted(), preemptions(), evictions(), throughput(), abovenominal(), utilisation(),
makespan(), loops(), starved(), infeasible(). Select with queue=CLUSTERQUEUE,
queue=NAMESPACE/LOCALQUEUE, class=NAME; of utilisation also flavor= and resource=. `base` is
the other side before the change. docs/reference/simulate.md tells more.

Exit code: 1 if a --fail-if holds, 2 where something given cannot be used, else 0.)";

struct SimulateArguments {
  SimulationFiles files;
  std::vector<std::string> changes;
  std::vector<std::string> edits;
  std::vector<std::string> conditions;
  std::string run_time = "1h";
  std::string ready_after = "0s";
  std::string stop_time = "0s";
  std::string cycle_time;
  std::string until;
  std::string starvation_age = "24h";
  std::string timeline;
  std::string metrics;
  std::string html;
  std::string eta;
  std::string output;
  double spread = -1;
  uint64_t seed = 1;
  size_t worlds = 200;
  size_t rows = 20;
};

// --- Options ------------------------------------------------------------------------------------

// Parses the arguments into options and reports errors.
class OptionReader {
 public:
  explicit OptionReader(Output& err) : err_(err) {}

  std::optional<simulate::WorldOptions> Read(const SimulateArguments& arguments) {
    simulate::WorldOptions options;
    options.seed = arguments.seed;
    const double spread = arguments.spread >= 0 ? arguments.spread : arguments.eta.empty() ? 0 : 25;
    options.run_time_spread = spread / 100;
    ReadDistribution("--run-time", arguments.run_time, options.run_time);
    ReadDistribution("--ready-after", arguments.ready_after, options.ready_after);
    options.stop_time = ReadLength("--stop-time", arguments.stop_time).value_or(base::Duration{});
    options.cycle_time = ReadLength("--cycle-time", arguments.cycle_time);
    options.until = ReadLength("--until", arguments.until);
    for (const std::string& edit : arguments.edits) ReadEdit(edit, options);
    std::ranges::stable_sort(options.edits, {}, &simulate::Edit::after);
    options.keeps_samples = !arguments.html.empty();
    if (has_failed_) return std::nullopt;
    return options;
  }

  std::optional<base::Duration> ReadLength(const std::string& option, const std::string& text) {
    if (text.empty()) return std::nullopt;
    const std::optional<base::Duration> length = base::ParseDuration(text);
    if (length && length->nanos >= 0) return length;
    Fail(option + " " + text + " is not a duration", "write it like 30s or 1h30m");
    return std::nullopt;
  }

  bool has_failed() const { return has_failed_; }

 private:
  void ReadDistribution(const std::string& option, const std::string& text,
                        simulate::Distribution& to) {
    const base::Result<simulate::Distribution> read = simulate::Distribution::Parse(text);
    if (!read) return Fail(option + ": " + read.error().message, read.error().hint);
    to = *read;
  }

  void ReadEdit(const std::string& text, simulate::WorldOptions& options) {
    const size_t equals = text.find('=');
    if (equals == std::string::npos)
      return Fail("--edit " + text + " has no time", "write --edit 2h=FILE");
    const std::optional<base::Duration> after = ReadLength("--edit", text.substr(0, equals));
    if (!after) return;
    const std::optional<SimulationChange> change = ReadChange({text.substr(equals + 1)}, err_);
    if (!change) {
      has_failed_ = true;
      return;
    }
    options.edits.push_back({.after = *after, .objects = change->objects});
  }

  void Fail(const std::string& message, const std::string& hint) {
    err_ << "berth: " << Printable(message) << "\n  " << Printable(hint) << "\n";
    has_failed_ = true;
  }

  Output& err_;
  bool has_failed_ = false;
};

std::optional<std::vector<simulate::Condition>> ReadConditions(
    const std::vector<std::string>& texts, Output& err) {
  std::vector<simulate::Condition> conditions;
  for (const std::string& text : texts) {
    base::Result<simulate::Condition> condition = simulate::Condition::Parse(text);
    if (!condition) {
      err << "berth: " << Printable(condition.error().message) << "\n";
      if (!condition.error().hint.empty()) err << "  " << Printable(condition.error().hint) << "\n";
      return std::nullopt;
    }
    conditions.push_back(std::move(*condition));
  }
  return conditions;
}

// --- Running ------------------------------------------------------------------------------------

class Simulation {
 public:
  Simulation(const SimulateArguments& arguments, const simulate::Input& input, Output& out,
             Output& err)
      : arguments_(arguments), input_(input), out_(out), err_(err) {}

  int Run(const simulate::WorldOptions& options, const std::optional<SimulationChange>& change,
          const std::vector<simulate::Condition>& conditions, base::Duration starvation_age) {
    findings_.starvation_age = starvation_age;
    if (!arguments_.eta.empty()) return Estimate(options);
    if (!OpenTimeline()) return kExitTrouble;
    const simulate::Result base_result = Play(options, !change);
    const simulate::Report base = ReportOf(options, base_result);
    if (!change) return Conclude(base, nullptr, nullptr, conditions);
    simulate::WorldOptions changed_options = options;
    changed_options.edits.insert(changed_options.edits.begin(),
                                 simulate::Edit{.after = {}, .objects = change->objects});
    changed_options.configuration = change->configuration;
    const simulate::Result changed_result = Play(changed_options, true);
    const simulate::Report changed = ReportOf(changed_options, changed_result);
    const simulate::Comparison comparison = simulate::Compare(
        base_result, base.summary, changed_result, changed.summary, arguments_.rows);
    return Conclude(changed, &base, &comparison, conditions);
  }

 private:
  simulate::Result Play(const simulate::WorldOptions& options, bool has_timeline) {
    simulate::Observer observer;
    if (has_timeline && timeline_.is_open())
      observer = [this](const simulate::TimelineEvent& event) {
        timeline_.Write(is_csv_ ? simulate::TimelineCsv(input_, event)
                                : simulate::TimelineJson(input_, event));
      };
    simulate::World world(input_, options, std::move(observer));
    Progress progress(err_, "jobs", input_.jobs.size());
    while (!interrupt_.is_interrupted() && world.Step()) progress.Show(world.ended());
    return std::move(world).TakeResult();
  }

  simulate::Report ReportOf(const simulate::WorldOptions& options,
                            const simulate::Result& result) const {
    return {.input = &input_,
            .result = &result,
            .summary = simulate::Summarize(input_, result),
            .warnings = simulate::Inspect(input_, options, result, findings_)};
  }

  bool OpenTimeline() {
    if (arguments_.timeline.empty()) return true;
    is_csv_ = !arguments_.timeline.ends_with(".jsonl") && !arguments_.timeline.ends_with(".ndjson");
    if (!timeline_.Open(arguments_.timeline, err_)) return false;
    if (is_csv_) timeline_.Write(simulate::TimelineHeading());
    return true;
  }

  int Estimate(const simulate::WorldOptions& options) {
    const base::Result<uint32_t> job = simulate::FindJob(input_, arguments_.eta);
    if (!job) {
      err_ << "berth: --eta: " << Printable(job.error().message) << "\n";
      if (!job.error().hint.empty()) err_ << "  " << Printable(job.error().hint) << "\n";
      return kExitTrouble;
    }
    Progress progress(err_, "worlds", arguments_.worlds);
    uint64_t done = 0;
    const simulate::StartEstimate estimate =
        simulate::EstimateStart(input_, options, *job, arguments_.worlds, [&] {
          progress.Show(done++);
          return !interrupt_.is_interrupted();
        });
    const std::string name = simulate::NameOf(input_, *job);
    out_ << (arguments_.output == "json" ? simulate::ToJson(estimate, name)
                                         : simulate::ToText(estimate, name));
    return kExitOk;
  }

  int Conclude(const simulate::Report& world, const simulate::Report* base,
               const simulate::Comparison* comparison,
               const std::vector<simulate::Condition>& conditions) {
    if (!timeline_.Close(err_)) return kExitTrouble;
    if (!WriteReports(world, base, comparison)) return kExitTrouble;
    Print(world, base, comparison);
    return Judge(conditions, world, base);
  }

  void Print(const simulate::Report& world, const simulate::Report* base,
             const simulate::Comparison* comparison) {
    const simulate::TextOptions options{.most_rows = arguments_.rows};
    if (arguments_.output == "json") {
      out_ << (base == nullptr ? simulate::ToJson(world)
                               : simulate::ToJson(*comparison, *base, world));
    } else if (base == nullptr) {
      out_ << simulate::ToText(world, options);
    } else {
      out_ << simulate::ToText(*base, options) << "\n"
           << simulate::ToText(*comparison, *base, world, options);
    }
  }

  bool WriteReports(const simulate::Report& world, const simulate::Report* base,
                    const simulate::Comparison* comparison) {
    if (!arguments_.metrics.empty() &&
        !WriteTextFile(arguments_.metrics, simulate::ToMetrics(world), err_))
      return false;
    if (arguments_.html.empty()) return true;
    const std::string page =
        base == nullptr ? simulate::ToHtml(world) : simulate::ToHtml(*comparison, *base, world);
    return WriteTextFile(arguments_.html, page, err_);
  }

  int Judge(const std::vector<simulate::Condition>& conditions, const simulate::Report& world,
            const simulate::Report* base) {
    int code = kExitOk;
    for (const simulate::Condition& condition : conditions) {
      const auto verdict = condition.Evaluate(world, base);
      if (!verdict) {
        err_ << "berth: " << Printable(verdict.error().message) << "\n";
        if (!verdict.error().hint.empty()) err_ << "  " << Printable(verdict.error().hint) << "\n";
        return kExitTrouble;
      }
      if (!verdict->holds) continue;
      err_ << "berth: failed: " << Printable(condition.text()) << ": "
           << simulate::FixedText(verdict->left, 3) << " against "
           << simulate::FixedText(verdict->right, 3) << "\n";
      code = kExitFound;
    }
    return code;
  }

  const SimulateArguments& arguments_;
  const simulate::Input& input_;
  Output& out_;
  Output& err_;
  InterruptWatch interrupt_;
  simulate::FindingsOptions findings_;
  FileWriter timeline_;
  bool is_csv_ = true;
};

int Simulate(const SimulateArguments& arguments, Output& out, Output& err) {
  if (!HasObjects(arguments.files) && arguments.files.generators.empty()) {
    err << "berth: queues missing\n  give queues with -f PATH or --live, or a "
           "generator with --generator FILE\n";
    return kExitTrouble;
  }
  OptionReader reader(err);
  const std::optional<base::Duration> age =
      reader.ReadLength("--starvation-after", arguments.starvation_age);
  const std::optional<simulate::WorldOptions> options = reader.Read(arguments);
  if (!options || !age) return kExitTrouble;
  const auto conditions = ReadConditions(arguments.conditions, err);
  if (!conditions) return kExitTrouble;
  const std::optional<SimulationInput> read = ReadSimulation(arguments.files, err);
  if (!read) return kExitTrouble;
  if (read->input.jobs.empty()) {
    err << "berth: jobs missing\n  give Workloads or jobs with -f PATH, or "
           "--trace FILE, or --generator FILE\n";
    return kExitTrouble;
  }
  std::optional<SimulationChange> change;
  if (!arguments.changes.empty()) {
    change = ReadChange(arguments.changes, err);
    if (!change) return kExitTrouble;
  }
  if (read->unknown_run_times > 0)
    err << "berth: run time unknown for " << std::to_string(read->unknown_run_times)
        << " jobs: " << Printable(arguments.run_time) << " assumed (--run-time)\n";
  WarnOfMissingNodes(read->input, options->edits, err);
  return Simulation(arguments, read->input, out, err).Run(*options, change, *conditions, *age);
}

// --- Command line -------------------------------------------------------------------------------

void AddInputOptions(CLI::App& command, SimulateArguments& arguments) {
  command
      .add_option("-f,--filename", arguments.files.paths,
                  "Objects: a file, a directory with *.yaml, *.yml and *.json, or - for standard "
                  "input")
      ->allow_extra_args(false)
      ->option_text("PATH ...");
  AddLiveOptions(command, arguments.files.live);
  command.add_option("--trace", arguments.files.traces, "Jobs: a .csv, .jsonl or .swf file")
      ->allow_extra_args(false)
      ->option_text("FILE ...");
  command
      .add_option("--generator", arguments.files.generators,
                  "Queues, jobs and nodes, in the format of Kueue's performance tests")
      ->allow_extra_args(false)
      ->option_text("FILE ...");
  command
      .add_option("--queue", arguments.files.queue,
                  "Default LocalQueue for trace jobs without one; {queue}, {partition}, {user} and "
                  "{group} stand for the numbers in a .swf file")
      ->option_text("NAMESPACE/NAME");
  command
      .add_option("--config", arguments.files.config,
                  "Configuration file (default: built-in defaults)")
      ->option_text("FILE");
  command.add_option("--feature-gates", arguments.files.feature_gates, "Feature gates to set")
      ->option_text("NAME=BOOL,...");
  command
      .add_option("--at", arguments.files.at,
                  "Start of the simulation (default: latest time in the files)")
      ->option_text("TIME");
}

void AddWorldOptions(CLI::App& command, SimulateArguments& arguments) {
  command.add_option("--run-time", arguments.run_time, "Default run time of jobs (default: 1h)")
      ->option_text("LENGTH");
  command
      .add_option("--spread", arguments.spread,
                  "Error of known run times in percent (default: 0; 25 with --eta)")
      ->check(NumberBetween(0, 1000))
      ->option_text("PERCENT");
  command.add_option("--ready-after", arguments.ready_after, "Time until pods are ready")
      ->option_text("LENGTH");
  command.add_option("--stop-time", arguments.stop_time, "Time until evicted jobs stop")
      ->option_text("LENGTH");
  command
      .add_option("--cycle-time", arguments.cycle_time, "Minimum time between scheduling cycles")
      ->option_text("LENGTH");
  command.add_option("--until", arguments.until, "Stop after this virtual time")
      ->option_text("LENGTH");
  command.add_option("--seed", arguments.seed, "Random seed (default: 1)")
      ->check(WholeNumber())
      ->option_text("N");
  command.add_option("--edit", arguments.edits, "Apply a file during the simulation: 2h=FILE")
      ->allow_extra_args(false)
      ->option_text("AFTER=PATH ...");
}

void AddOutcomeOptions(CLI::App& command, SimulateArguments& arguments) {
  command
      .add_option("--change", arguments.changes, "Simulate again with these objects and compare")
      ->allow_extra_args(false)
      ->option_text("PATH ...");
  command
      .add_option("--fail-if", arguments.conditions,
                  "Exit with 1 if this holds: 'p90(wait, queue=a) > 1.2 * base'")
      ->allow_extra_args(false)
      ->option_text("CONDITION ...");
  command
      .add_option("--starvation-after", arguments.starvation_age,
                  "Warn of jobs pending longer than this (default: 24h)")
      ->option_text("LENGTH");
  command
      .add_option("--eta", arguments.eta, "Estimate when this workload starts, with percentiles")
      ->option_text("NAMESPACE/NAME");
  command.add_option("--worlds", arguments.worlds, "Number of random runs of --eta (default: 200)")
      ->check(CLI::Range(1, 1'000'000))
      ->option_text("N");
  command
      .add_option("--timeline", arguments.timeline, "Write every event to a .csv or .jsonl file")
      ->option_text("FILE");
  command.add_option("--metrics", arguments.metrics, "Write metrics in Prometheus text format")
      ->option_text("FILE");
  command.add_option("--html", arguments.html, "Write an HTML report with plots")
      ->option_text("FILE");
  command.add_option("--rows", arguments.rows, "Maximum rows per table (default: 20)")
      ->check(WholeNumber())
      ->option_text("N");
  AddOutputOption(command, arguments.output, "human");
}

}  // namespace

void AddSimulate(CLI::App& berth, Action& action) {
  auto arguments = std::make_shared<SimulateArguments>();
  CLI::App* command = berth.add_subcommand("simulate", "Simulate queues and jobs in virtual time");
  AddInputOptions(*command, *arguments);
  AddWorldOptions(*command, *arguments);
  AddOutcomeOptions(*command, *arguments);
  command->footer(kSimulateFooter);
  command->callback([arguments, &action] {
    action = [arguments](Output& out, Output& err) { return Simulate(*arguments, out, err); };
  });
}

}  // namespace berth::cli
