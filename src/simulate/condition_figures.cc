#include <algorithm>
#include <charconv>
#include <optional>

#include "api/meta/problem_report.h"
#include "base/suggest.h"
#include "simulate/condition_node.h"

namespace berth::simulate {
namespace {

using Node = Condition::Node;

constexpr std::string_view kGroupFigures[] = {
    "jobs", "finished", "unstarted", "preemptions", "evictions", "throughput", "abovenominal"};
constexpr std::string_view kWorldFigures[] = {"makespan", "loops", "starved", "infeasible"};
constexpr std::string_view kWaitFigures[] = {"p50", "p90", "p99", "max", "mean"};

template <class Words>
bool IsAmong(const Words& words, std::string_view word) {
  return std::ranges::find(words, word) != std::end(words);
}

// 0.9 of "p90".
std::optional<double> PartOf(std::string_view name) {
  if (!name.starts_with('p')) return std::nullopt;
  int percent = 0;
  const auto [end, error] = std::from_chars(name.data() + 1, name.data() + name.size(), percent);
  if (error != std::errc() || end != name.data() + name.size() || percent < 1 || percent > 100)
    return std::nullopt;
  return percent / 100.0;
}

bool IsWaitFigure(std::string_view name) {
  return name == "max" || name == "mean" || PartOf(name).has_value();
}

const std::string* ArgumentOf(const Node& figure, std::string_view key) {
  for (const auto& [name, value] : figure.arguments) {
    if (name == key) return &value;
  }
  return nullptr;
}

std::vector<std::string_view> FigureNames() {
  std::vector<std::string_view> names(std::begin(kGroupFigures), std::end(kGroupFigures));
  names.insert(names.end(), std::begin(kWorldFigures), std::end(kWorldFigures));
  names.insert(names.end(), std::begin(kWaitFigures), std::end(kWaitFigures));
  names.push_back("utilisation");
  return names;
}

const GroupFigures* FindGroup(const std::vector<GroupFigures>& groups, std::string_view name) {
  const auto found = std::ranges::find(groups, name, &GroupFigures::name);
  return found == groups.end() ? nullptr : &*found;
}

std::unexpected<base::Error> NoSuch(std::string_view what, std::string_view name,
                                    const std::vector<GroupFigures>& groups) {
  std::vector<std::string_view> known;
  for (const GroupFigures& group : groups) known.push_back(group.name);
  return base::Fail("--fail-if: there is no " + std::string(what) + " " + api::Quoted(name),
                    base::DidYouMean(name, known));
}

// The group that the arguments select; without arguments, all jobs.
base::Result<const GroupFigures*> GroupOf(const Node& figure, const Summary& summary) {
  const std::vector<GroupFigures>* groups = &summary.classes;
  const std::string* name = ArgumentOf(figure, "queue");
  std::string_view what = "class";
  if (name != nullptr) {
    const bool is_local = name->find('/') != std::string::npos;
    what = is_local ? "LocalQueue with jobs" : "ClusterQueue";
    groups = is_local ? &summary.local_queues : &summary.cluster_queues;
  } else {
    name = ArgumentOf(figure, "class");
    if (name == nullptr) return &summary.all;
  }
  const GroupFigures* group = FindGroup(*groups, *name);
  if (group == nullptr) return NoSuch(what, *name, *groups);
  return group;
}

// Percentiles that the summary lacks are computed from the jobs.
double WaitPart(const Node& figure, const Report& world, double part) {
  std::vector<double> waits;
  const std::string* queue = ArgumentOf(figure, "queue");
  const std::string* label = ArgumentOf(figure, "class");
  for (size_t i = 0; i < world.result->jobs.size(); ++i) {
    const JobOutcome& job = world.result->jobs[i];
    if (job.state == JobState::kNotArrived || job.held_at_start) continue;
    const JobKind& kind = world.input->kinds[world.input->jobs[i].kind];
    const auto is_in = [&](const std::string& name) {
      if (name.find('/') != std::string::npos)
        return name ==
               kind.workload.metadata.namespace_ + "/" + kind.workload.spec.queue_name.value_or("");
      return job.queue != kNoIndex && world.result->queues[job.queue].name == name;
    };
    if ((queue == nullptr || is_in(*queue)) && (label == nullptr || kind.label == *label))
      waits.push_back(WaitOf(job, world.result->end).seconds());
  }
  std::ranges::sort(waits);
  return Percentile(waits, part);
}

base::Result<double> UtilisationOf(const Node& figure, const Report& world) {
  const std::string* queue = ArgumentOf(figure, "queue");
  const std::string* flavor = ArgumentOf(figure, "flavor");
  const std::string* resource = ArgumentOf(figure, "resource");
  const auto selects = [](const std::string* wanted, const std::string& name) {
    return wanted == nullptr || *wanted == name;
  };
  double used = 0, nominal = 0;
  bool has_any = false;
  for (const QueueOutcome& outcome : world.result->queues) {
    for (const UsageOutcome& usage : outcome.usage) {
      if (!selects(queue, outcome.name) || !selects(flavor, usage.flavor) ||
          !selects(resource, usage.resource))
        continue;
      has_any = true;
      used += usage.used;
      nominal += usage.nominal;
    }
  }
  if (!has_any)
    return base::Fail("--fail-if: no ClusterQueue has quota that utilisation(…) selects",
                      "the tables of `berth simulate` name queues, flavors and resources");
  return nominal > 0 ? used / nominal : 0;
}

double WorldFigure(std::string_view name, const Report& world) {
  if (name == "makespan") return world.summary.seconds;
  if (name == "loops") return static_cast<double>(world.warnings.loops.size());
  if (name == "infeasible") return static_cast<double>(world.warnings.infeasible.size());
  uint64_t starved = 0;
  for (const Starvation& queue : world.warnings.starved) starved += queue.jobs;
  return static_cast<double>(starved);
}

double GroupFigure(std::string_view name, const GroupFigures& group) {
  if (name == "max") return group.wait.max;
  if (name == "mean") return group.wait.mean;
  if (name == "jobs") return static_cast<double>(group.arrived);
  if (name == "finished") return static_cast<double>(group.finished);
  if (name == "unstarted") return static_cast<double>(group.waiting);
  if (name == "preemptions") return static_cast<double>(group.preemptions);
  if (name == "evictions") return static_cast<double>(group.evictions);
  return name == "throughput" ? group.per_hour : group.share_above_nominal;
}

}  // namespace

std::string ProblemWith(const Node& figure) {
  const bool is_wait = IsWaitFigure(figure.name);
  const bool is_world = IsAmong(kWorldFigures, figure.name);
  const bool is_usage = figure.name == "utilisation";
  if (!is_wait && !is_world && !is_usage && !IsAmong(kGroupFigures, figure.name))
    return "there is no figure " + api::Quoted(figure.name);
  if (is_wait && ArgumentOf(figure, "wait") == nullptr) return figure.name + "(…) needs a selector";
  for (const auto& [key, value] : figure.arguments) {
    const bool is_known = (key == "wait" && is_wait && value.empty()) ||
                          (key == "queue" && !is_world) ||
                          (key == "class" && !is_world && !is_usage) ||
                          ((key == "flavor" || key == "resource") && is_usage);
    if (!is_known) return figure.name + "(…) has no " + api::Quoted(key);
    if (key != "wait" && value.empty()) return key + "= is empty";
  }
  return {};
}

std::string HintFor(const Node& figure) {
  if (IsWaitFigure(figure.name)) return "write " + figure.name + "(wait, queue=NAME)";
  const std::vector<std::string_view> names = FigureNames();
  return base::DidYouMean(figure.name, names);
}

base::Result<double> FigureOf(const Node& figure, const Report& world) {
  if (IsAmong(kWorldFigures, figure.name)) return WorldFigure(figure.name, world);
  if (figure.name == "utilisation") return UtilisationOf(figure, world);
  const base::Result<const GroupFigures*> group = GroupOf(figure, world.summary);
  if (!group) return std::unexpected(group.error());
  if (const std::optional<double> part = PartOf(figure.name)) return WaitPart(figure, world, *part);
  return GroupFigure(figure.name, **group);
}

}  // namespace berth::simulate
