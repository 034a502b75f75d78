#include "simulate/estimate.h"

#include <algorithm>
#include <cmath>

#include "api/meta/problem_report.h"
#include "base/suggest.h"
#include "schema/json/writer.h"
#include "simulate/report/format.h"

namespace berth::simulate {
namespace {

constexpr double kProbabilities[] = {0.1, 0.25, 0.5, 0.75, 0.9, 0.99};

bool Matches(const Input& input, uint32_t job, std::string_view wanted) {
  const std::string name = NameOf(input, job);
  const std::string_view bare = std::string_view(name).substr(name.find('/') + 1);
  if (name == wanted || bare == wanted) return true;
  const api::ObjectMeta& metadata = input.kinds[input.jobs[job].kind].workload.metadata;
  return std::ranges::any_of(metadata.owner_references, [&](const api::OwnerReference& owner) {
    return wanted == owner.name || wanted == metadata.namespace_ + "/" + owner.name;
  });
}

}  // namespace

base::Result<uint32_t> FindJob(const Input& input, std::string_view name) {
  std::vector<uint32_t> found;
  for (uint32_t i = 0; i < input.jobs.size(); ++i) {
    if (Matches(input, i, name)) found.push_back(i);
  }
  if (found.size() == 1) return found[0];
  if (found.size() > 1)
    return base::Fail("workload " + api::Quoted(name) + " is ambiguous",
                      "write " + NameOf(input, found[0]) + " or " + NameOf(input, found[1]));
  constexpr size_t kMaxCandidates = 10'000;
  std::vector<std::string> names;
  for (uint32_t i = 0; i < std::min(input.jobs.size(), kMaxCandidates); ++i)
    names.push_back(NameOf(input, i));
  const std::vector<std::string_view> known(names.begin(), names.end());
  return base::Fail("there is no workload " + api::Quoted(name), base::DidYouMean(name, known));
}

std::optional<double> StartEstimate::Within(double probability) const {
  const auto rank = static_cast<size_t>(std::ceil(probability * static_cast<double>(worlds)));
  if (rank == 0 || rank > seconds.size()) return std::nullopt;
  return seconds[rank - 1];
}

StartEstimate EstimateStart(const Input& input, const WorldOptions& options, uint32_t job,
                            size_t worlds, const std::function<bool()>& should_continue) {
  StartEstimate estimate;
  WorldOptions each = options;
  for (size_t i = 0; i < worlds && (!should_continue || should_continue()); ++i) {
    each.seed = options.seed + i;
    World world(input, each);
    while (world.outcome(job).first_start == kNever && world.Step()) {
    }
    const JobOutcome& outcome = world.outcome(job);
    ++estimate.worlds;
    estimate.is_running = outcome.held_at_start;
    if (outcome.first_start == kNever) continue;
    const base::Time from = std::max(input.start, outcome.arrival);
    estimate.seconds.push_back(std::max(0.0, (outcome.first_start - from).seconds()));
  }
  std::ranges::sort(estimate.seconds);
  return estimate;
}

std::string ToText(const StartEstimate& estimate, const std::string& name) {
  if (estimate.is_running) return name + " holds quota already\n";
  std::string text = name + " starts, in " + std::to_string(estimate.worlds) + " simulated runs:\n";
  for (const double probability : kProbabilities) {
    const std::optional<double> within = estimate.Within(probability);
    const std::string percent = PercentText(probability);
    text += "  " + std::string(5 - std::min<size_t>(5, percent.size()), ' ') + percent +
            (within ? "  within " + LengthText(*within) : "  -") + "\n";
  }
  if (estimate.seconds.size() < estimate.worlds)
    text += "  never starts in " +
            PercentText(1 - static_cast<double>(estimate.seconds.size()) /
                                static_cast<double>(estimate.worlds)) +
            " of the runs\n";
  return text;
}

std::string ToJson(const StartEstimate& estimate, const std::string& name) {
  schema::JsonWriter w;
  w.BeginObject().Member("workload", name).Member("worlds", estimate.worlds);
  w.Member("started", estimate.seconds.size()).Member("isRunning", estimate.is_running);
  w.Key("startsWithin").BeginArray();
  for (const double probability : kProbabilities) {
    const std::optional<double> within = estimate.Within(probability);
    w.BeginObject().Key("probability").Raw(JsonNumber(probability));
    w.Key("seconds").Raw(within ? JsonNumber(*within) : "null").EndObject();
  }
  w.EndArray().EndObject();
  return w.Take() + "\n";
}

}  // namespace berth::simulate
