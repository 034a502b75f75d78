#include "simulate/findings.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

#include "engine/state.h"
#include "quantity/resource_amount.h"
#include "simulate/strongly_connected.h"
#include "simulate/world/empty_world.h"

namespace berth::simulate {
namespace {

std::vector<PreemptionLoop> FindLoops(const Result& result) {
  // Dense indices of the jobs that take part.
  std::unordered_map<uint32_t, uint32_t> number_of;
  std::vector<uint32_t> jobs;
  const auto number = [&](uint32_t job) {
    const auto [at, is_new] = number_of.try_emplace(job, static_cast<uint32_t>(jobs.size()));
    if (is_new) jobs.push_back(job);
    return at->second;
  };
  std::vector<std::pair<uint32_t, uint32_t>> edges;
  for (const Preemption& p : result.preemptions) edges.emplace_back(number(p.by), number(p.target));
  const std::vector<uint32_t> component_of = StronglyConnected(jobs.size(), edges);
  std::map<uint32_t, PreemptionLoop> loops;
  for (const auto& [from, to] : edges) {
    if (component_of[from] != kNoComponent && component_of[from] == component_of[to])
      ++loops[component_of[from]].preemptions;
  }
  for (uint32_t i = 0; i < jobs.size(); ++i) {
    if (component_of[i] != kNoComponent) loops[component_of[i]].jobs.push_back(jobs[i]);
  }
  std::vector<PreemptionLoop> found;
  for (auto& [component, loop] : loops) {
    std::ranges::sort(loop.jobs);
    found.push_back(std::move(loop));
  }
  std::ranges::sort(found, [](const PreemptionLoop& a, const PreemptionLoop& b) {
    return std::pair(b.preemptions, a.jobs) < std::pair(a.preemptions, b.jobs);
  });
  return found;
}

std::vector<Starvation> FindStarved(const Result& result, base::Duration age) {
  std::map<std::string, Starvation> by_queue;
  for (uint32_t i = 0; i < result.jobs.size(); ++i) {
    const JobOutcome& job = result.jobs[i];
    if (job.state == JobState::kNotArrived || job.held_at_start) continue;
    const base::Duration wait = WaitOf(job, result.end);
    if (wait <= age) continue;
    const std::string queue = job.queue == kNoIndex ? "" : result.queues[job.queue].name;
    Starvation& starvation = by_queue[queue];
    starvation.queue = queue;
    ++starvation.jobs;
    if (wait.seconds() > starvation.seconds) {
      starvation.seconds = wait.seconds();
      starvation.oldest = i;
    }
  }
  std::vector<Starvation> starved;
  for (auto& [name, starvation] : by_queue) starved.push_back(std::move(starvation));
  return starved;
}

// Flavors and resources that jobs could use, by root of the cohort tree.
using Reach = std::set<std::pair<uint32_t, engine::FlavorResourceId>>;

void AddReach(const engine::State& state, const engine::PendingSpec& spec, Reach& reach) {
  if (!state.forest.HasTree(spec.cluster_queue)) return;
  const engine::Queue& queue = state.queue(spec.cluster_queue);
  const engine::QuotaForest::Tree& tree = state.forest.TreeOf(spec.cluster_queue);
  for (const engine::PodSetSpec& pods : spec.shape.pod_sets) {
    for (const engine::Request& request : pods.requests) {
      const int32_t index = queue.GroupOf(request.resource);
      if (index == engine::Queue::kUndeclared || request.amount <= 0) continue;
      const engine::Queue::Group& group = queue.groups[static_cast<size_t>(index)];
      for (size_t f = 0; f < group.flavors.size(); ++f) {
        if (std::ranges::find(pods.mismatches, group.flavors[f], &engine::FlavorMismatch::flavor) !=
            pods.mismatches.end())
          continue;
        for (size_t r = 0; r < group.resources.size(); ++r) {
          if (group.resources[r] == request.resource)
            reach.emplace(tree.root.value(), tree.flavor_resources[group.column(f, r)]);
        }
      }
    }
  }
}

std::vector<UnusableQuota> FindUnusable(const Input& input, EmptyWorld& world) {
  Reach reach;
  for (const JobKind& kind : input.kinds) {
    if (const auto spec = world.Describe(kind.workload)) AddReach(world.state(), *spec, reach);
  }
  std::vector<UnusableQuota> unusable;
  const engine::State& state = world.state();
  for (const engine::Queue& queue : state.queues) {
    if (queue.node.is_none() || !state.forest.HasTree(queue.node)) continue;
    const engine::QuotaForest::Tree& tree = state.forest.TreeOf(queue.node);
    for (const engine::Queue::Group& group : queue.groups) {
      for (const engine::ColumnIndex column : group.columns) {
        const engine::FlavorResourceId pair = tree.flavor_resources[column];
        const engine::Amount nominal = state.forest.cell(queue.node, column).nominal;
        if (!(nominal > 0) || reach.contains({tree.root.value(), pair})) continue;
        const std::string& resource = state.forest.ResourceName(state.forest.ResourceOf(pair));
        unusable.push_back({.queue = state.forest.node(queue.node).name,
                            .flavor = state.forest.FlavorName(state.forest.FlavorOf(pair)),
                            .resource = resource,
                            .nominal = quantity::InUnits(resource, nominal)});
      }
    }
  }
  std::ranges::sort(unusable, {},
                    [](const UnusableQuota& u) { return std::tie(u.queue, u.flavor, u.resource); });
  return unusable;
}

std::vector<uint32_t> FindInfeasible(const Input& input, const Result& result, EmptyWorld& world) {
  constexpr size_t kMaxKinds = 10'000;
  std::map<uint32_t, bool> has_room;
  std::vector<uint32_t> infeasible;
  for (uint32_t i = 0; i < result.jobs.size(); ++i) {
    const JobOutcome& job = result.jobs[i];
    if (job.starts > 0 || job.state == JobState::kNotArrived) continue;
    const uint32_t kind = input.jobs[i].kind;
    if (has_room.size() == kMaxKinds && !has_room.contains(kind)) continue;
    const auto [known, is_new] = has_room.try_emplace(kind, false);
    if (is_new) known->second = world.HasRoomFor(input.kinds[kind].workload);
    if (!known->second) infeasible.push_back(i);
  }
  return infeasible;
}

}  // namespace

Warnings Inspect(const Input& input, const WorldOptions& world, const Result& result,
                 const FindingsOptions& options) {
  Warnings warnings;
  warnings.loops = FindLoops(result);
  warnings.starved = FindStarved(result, options.starvation_age);
  EmptyWorld empty(input, world);
  warnings.infeasible = FindInfeasible(input, result, empty);
  warnings.unusable = FindUnusable(input, empty);
  for (const QueueOutcome& queue : result.queues) {
    if (!queue.inactive.empty()) warnings.inactive.push_back(queue.name + ": " + queue.inactive);
  }
  return warnings;
}

}  // namespace berth::simulate
