// Drives a cluster with the jobs of a generator file and prints measurements:
//
//   load_runner --kubeconfig FILE --generator examples/simulate/baseline.yaml
//     --controller "build/berth controller --kubeconfig FILE --config config.yaml"
//
// Without --controller, an external one must run. With --baseline none runs: the counted number of
// writes of such a run is made as fast as the server accepts them.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <optional>
#include <sstream>
#include <thread>

#include "kube/client.h"
#include "kube/find_access.h"
#include "load/controller_process.h"
#include "load/job_owner.h"
#include "load/processor_time.h"
#include "load/write_baseline.h"
#include "simulate/report/summary.h"
#include "simulate/trace/generator.h"
#include "simulate/world/world.h"

namespace berth::load {
namespace {

constexpr base::Duration kStartLimit = base::Duration::Seconds(60);
// A starting controller writes its certificates into the definitions, which makes the API server
// end their watches. Excluded from the measurement.
constexpr std::chrono::seconds kWarmUp(5);

struct Arguments {
  std::string kubeconfig;
  std::string generator;
  std::string controller;
  std::string plane;
  bool is_baseline = false;
  WriteBaseline::Counts counts;
  double run_seconds = 0;
  int limit_seconds = 900;
};

int FailWith(const std::string& text) {
  std::fprintf(stderr, "load_runner: %s\n", text.c_str());
  return 2;
}

std::optional<simulate::Input> ReadInput(const std::string& file) {
  std::ifstream stream(file);
  std::ostringstream text;
  text << stream.rdbuf();
  simulate::Input input;
  api::ApplyConfigurationDefaults(input.configuration);
  const schema::Problems problems = simulate::AddGenerated(text.str(), file, input);
  for (const schema::Problem& problem : problems) FailWith(schema::ToString(problem));
  if (!stream || !problems.empty()) return std::nullopt;
  simulate::SortJobs(input);
  return input;
}

// The minimum by quota, and the duration with the engine alone.
struct Expectation {
  double floor_seconds = 0;
  double simulated_seconds = 0;
};

Expectation Expect(const simulate::Input& input) {
  simulate::World world(input, {});
  while (world.Step()) {
  }
  const double seconds = (world.now() - input.start).seconds();
  return {.floor_seconds = simulate::QuotaFloor(input, std::move(world).TakeResult()),
          .simulated_seconds = seconds};
}

double Quantile(std::vector<double>& values, double share) {
  if (values.empty()) return 0;
  const auto at =
      values.begin() + static_cast<ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::ranges::nth_element(values, at);
  return *at;
}

void Print(JobOwner::Figures& figures, size_t jobs, const Expectation& expected) {
  const double each = jobs == 0 ? 1 : static_cast<double>(jobs);
  std::printf("finished            %zu of %zu\n", figures.finished, jobs);
  std::printf("wall time           %.1f s, %.2f times the %.1f s that quota allows\n",
              figures.wall_seconds, figures.wall_seconds / expected.floor_seconds,
              expected.floor_seconds);
  std::printf("simulated           %.1f s\n", expected.simulated_seconds);
  std::printf("evictions           %zu\n", figures.evictions);
  std::printf("writes of others    %.3f for each Workload\n",
              static_cast<double>(figures.writes_of_others) / each);
  std::printf("writes of Events    %.3f for each Workload\n",
              static_cast<double>(figures.event_writes) / each);
  std::printf("conflicts of ours   %zu\n", figures.conflicts);
  std::vector<double> all;
  for (auto& [label, waits] : figures.wait_seconds) {
    all.insert(all.end(), waits.begin(), waits.end());
    std::printf("to admission        %-8s p50 %.3f s, p99 %.3f s\n", label.c_str(),
                Quantile(waits, 0.5), Quantile(waits, 0.99));
  }
  std::printf("to admission        %-8s p50 %.3f s, p99 %.3f s\n", "all", Quantile(all, 0.5),
              Quantile(all, 0.99));
  for (const std::string& fault : figures.faults)
    std::printf("FAULT               %s\n", fault.c_str());
}

void PrintTimes(const ProcessorTimes& times, double wall_seconds) {
  for (const auto& [name, seconds] : times)
    std::printf("processor time      %-24s %6.1f s, %.2f of one core\n", name.c_str(), seconds,
                seconds / wall_seconds);
}

int RunBaseline(store::Store& store, const simulate::Input& input, const Arguments& arguments) {
  WriteBaseline baseline(store, input, arguments.counts);
  const ProcessorTimes before = ProcessorTimesOf(arguments.plane);
  const WriteBaseline::Figures figures = baseline.Run();
  const ProcessorTimes times = Between(before, ProcessorTimesOf(arguments.plane));
  std::printf("as many writes      %zu in %.1f s, %.0f a second\n", figures.writes, figures.seconds,
              static_cast<double>(figures.writes) / figures.seconds);
  PrintTimes(times, figures.seconds);
  if (arguments.run_seconds > 0)
    std::printf("the run took        %.2f times as long\n",
                arguments.run_seconds / figures.seconds);
  for (const std::string& fault : figures.faults)
    std::printf("FAULT               %s\n", fault.c_str());
  return figures.faults.empty() ? 0 : 1;
}

std::vector<std::string> Words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

int Run(const Arguments& arguments) {
  const std::optional<simulate::Input> input = ReadInput(arguments.generator);
  if (!input) return FailWith("nothing to do: see above, or whether the file is there");
  auto access = kube::FindAccess(arguments.kubeconfig);
  if (!access) return FailWith(base::ToString(access.error()));
  auto client = kube::Client::Make(std::move(*access), {.requests_per_second = 0});
  if (!client) return FailWith(base::ToString(client.error()));

  const Expectation expected = Expect(*input);
  JobOwner owner(**client, *input);
  if (const std::string refusal = owner.CreateObjects(); !refusal.empty()) return FailWith(refusal);
  if (arguments.is_baseline) return RunBaseline(**client, *input, arguments);
  std::optional<ControllerProcess> controller;
  if (!arguments.controller.empty()) {
    auto started = ControllerProcess::Start(Words(arguments.controller));
    if (!started) return FailWith(base::ToString(started.error()));
    controller = *started;
    if (!owner.AwaitActiveQueues(kStartLimit)) return FailWith("the queues do not become active");
    std::this_thread::sleep_for(kWarmUp);
  }
  const ProcessorTimes before = ProcessorTimesOf(arguments.plane);
  JobOwner::Figures figures = owner.Run(base::Duration::Seconds(arguments.limit_seconds));
  const ProcessorTimes times = Between(before, ProcessorTimesOf(arguments.plane));
  Print(figures, input->jobs.size(), expected);
  PrintTimes(times, figures.wall_seconds);
  if (controller) {
    const ControllerProcess::Cost cost = controller->Stop();
    PrintTimes({{"controller", cost.cpu_seconds}}, figures.wall_seconds);
    std::printf("controller          %.0f MiB at most, exit code %d\n", cost.peak_mebibytes,
                cost.exit_code);
  }
  return figures.faults.empty() && figures.finished == input->jobs.size() ? 0 : 1;
}

}  // namespace
}  // namespace berth::load

int main(int argc, char** argv) {
  berth::load::Arguments arguments;
  CLI::App app("Drives a cluster with many jobs, in the role of their owner.");
  app.add_option("--kubeconfig", arguments.kubeconfig, "Whose cluster; as kubectl if absent");
  app.add_option("--generator", arguments.generator, "Queues and jobs")->required();
  app.add_option("--controller", arguments.controller, "A program to start, with its arguments");
  app.add_option("--plane", arguments.plane, "Directory of the control plane, to see its cost");
  app.add_flag("--baseline", arguments.is_baseline, "Only see how fast the server writes");
  app.add_option("--status-patches", arguments.counts.status_patches, "So many of Workloads");
  app.add_option("--status-updates", arguments.counts.status_updates, "So many of Workloads");
  app.add_option("--events", arguments.counts.events, "So many Events");
  app.add_option("--queue-patches", arguments.counts.queue_patches, "So many of queues' status");
  app.add_option("--run-seconds", arguments.run_seconds, "What the run took, to compare");
  app.add_option("--limit", arguments.limit_seconds, "Seconds after which it gives up");
  CLI11_PARSE(app, argc, argv);
  return berth::load::Run(arguments);
}
