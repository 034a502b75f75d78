#pragma once

// An engine with one flavor of hosts in racks, for tests of cycles that place pods. Every pod takes
// one cpu.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/engine.h"

namespace berth::engine::testing {

inline constexpr base::Time kPlacedStart = base::Time::FromSeconds(1'700'000'000);

inline EngineOptions WithTopology(EngineOptions options = {}) {
  options.topology = true;
  return options;
}

class PlacedEngine {
 public:
  explicit PlacedEngine(const EngineOptions& options = {}, int64_t quota = 1000)
      : engine(WithTopology(options)) {
    engine.SetTopology({.name = "t", .levels = {"rack", std::string(kHostnameLevel)}});
    engine.SetTopologyFlavor({.flavor = flavor, .topology = "t", .node_labels = {}});
    queue = engine.SetClusterQueue(
        {.name = "q",
         .groups = {{.resources = {cpu},
                     .flavors = {{.flavor = flavor, .quotas = {{.nominal = Amount(quota)}}}}}},
         .strategy = QueueingStrategy::kStrictFIFO,
         .preemption = {.within_cluster_queue = PreemptionPolicy::kLowerPriority}});
  }

  // By rack and host, such as "r1/n1".
  void AddNode(std::string_view path, int64_t cpus, bool is_usable = true) {
    const size_t slash = path.find('/');
    const std::string rack(path.substr(0, slash)), host(path.substr(slash + 1));
    engine.SetNode({.name = host,
                    .labels = {{std::string(kHostnameLevel), host}, {"rack", rack}},
                    .allocatable = {{cpu, cpus}, {engine.Resource("pods"), 110}},
                    .is_usable = is_usable});
  }

  PodSetTopology Requiring(std::string_view level, int32_t group = 0) const {
    return {.kind = TopologyKind::kRequired,
            .level = std::string(level),
            .slices = {},
            .group = group,
            .per_pod = {{cpu, 1}}};
  }

  PendingSpec Waiting(std::string uid, const std::vector<int32_t>& counts,
                      std::vector<PodSetTopology> requests, int64_t priority = 0) {
    PendingSpec spec{.uid = std::move(uid),
                     .local_queue = engine.LocalQueue("ns/lq"),
                     .cluster_queue = queue,
                     .queue_order_time = kPlacedStart,
                     .shape = {.pod_sets = {}, .priority = priority, .key = {1, ++shapes_}}};
    for (const int32_t count : counts)
      spec.shape.pod_sets.push_back(
          {.count = count, .full_count = count, .requests = {{cpu, count}}});
    spec.topology = WorkloadTopology{.pod_sets = std::move(requests)};
    return spec;
  }
  WorkloadId AddPending(std::string uid, const std::vector<int32_t>& counts,
                        std::vector<PodSetTopology> requests, int64_t priority = 0) {
    return engine.AddPending(Waiting(std::move(uid), counts, std::move(requests), priority),
                             kPlacedStart);
  }

  struct Pods {
    std::string host;
    int32_t count = 0;
  };
  // Holds quota for pods on hosts.
  ReservedSpec Running(std::string uid, const std::vector<Pods>& pods, PodSetTopology request) {
    PodSetAssignment assignment;
    for (const Pods& on : pods) {
      assignment.domains.push_back({engine.DomainPath({&on.host, 1}), on.count});
      assignment.count += on.count;
    }
    assignment.resources = {{cpu, flavor, assignment.count}};
    return {.uid = std::move(uid),
            .local_queue = engine.LocalQueue("ns/lq"),
            .cluster_queue = queue,
            .queue_order_time = kPlacedStart,
            .reserved_at = kPlacedStart,
            .pod_sets = {std::move(assignment)},
            .topology = WorkloadTopology{.pod_sets = {std::move(request)}}};
  }
  // The first host has failed.
  WorkloadId AddFailed(std::string uid, const std::vector<Pods>& pods, PodSetTopology request) {
    ReservedSpec spec = Running(std::move(uid), pods, std::move(request));
    spec.second_pass = SecondPass::kFailedNode;
    spec.failed_nodes = {pods[0].host};
    return engine.AddReserved(std::move(spec));
  }

  // "n1:2 n2:1", of one podset.
  std::string PlacesOf(WorkloadId id, size_t pod_set = 0) const {
    std::string text;
    const std::vector<PodSetAssignment> assignment = engine.AssignmentOf(id);
    for (const DomainPods& pods : assignment.at(pod_set).domains)
      text += (text.empty() ? "" : " ") + engine.DomainValues(pods.path).back() + ":" +
              std::to_string(pods.count);
    return text;
  }

  // The outcome of the workload in the next cycle; nullopt if the cycle does not consider it.
  std::optional<Outcome> OutcomeOf(WorkloadId id, base::Time now = kPlacedStart) {
    for (const Decision& decision : engine.RunCycle(now))
      if (decision.workload == id) return decision.outcome;
    return std::nullopt;
  }

  Engine engine;
  const FlavorId flavor = engine.Flavor("tas");
  const ResourceId cpu = engine.Resource("cpu");
  NodeId queue;

 private:
  uint64_t shapes_ = 0;
};

}  // namespace berth::engine::testing
