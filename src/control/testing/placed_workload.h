#pragma once

// Workloads with topology assignments, and pods of them, for tests.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/kueue/topology_assignment.h"
#include "api/kueue/well_known.h"
#include "api/kueue/workload.h"
#include "api/meta/conditions.h"
#include "control/placement/placed_pods.h"

namespace berth::control::testing {

// A pod set and the domains that it was assigned.
struct PlacedSet {
  std::string name = "main";
  std::vector<std::pair<std::vector<std::string>, int32_t>> domains;
  std::vector<std::string> levels = {std::string(api::kHostnameLabel)};
  std::optional<int32_t> count;  // absent: the pods of all domains
  api::PodSetTopologyRequest request;
};

inline api::Workload PlacedWorkload(const std::vector<PlacedSet>& sets) {
  api::Workload workload;
  workload.metadata.name = "w";
  workload.metadata.namespace_ = "ns";
  api::Admission& admission = workload.status.admission.emplace();
  for (const PlacedSet& set : sets) {
    std::vector<api::TopologyDomain> domains;
    int32_t sum = 0;
    for (const auto& [values, count] : set.domains) {
      domains.push_back({.values = values, .count = count, .extra = {}});
      sum += count;
    }
    workload.spec.pod_sets.push_back(
        {.name = set.name, .count = set.count.value_or(sum), .topology_request = set.request});
    admission.pod_set_assignments.push_back(
        {.name = set.name,
         .count = set.count.value_or(sum),
         .topology_assignment = api::PackTopologyAssignment(set.levels, domains)});
  }
  for (const std::string_view type : {api::condition::kQuotaReserved, api::condition::kAdmitted})
    workload.status.conditions.push_back(
        {.type = std::string(type), .status = std::string(api::kConditionTrue)});
  return workload;
}

// A pod that waits for its domain.
inline PlacedPod GatedPod(base::FlatMap<int32_t> indices = {}, std::string pod_set = "main") {
  return {.uid = "u",
          .version = "1",
          .workload = {.namespace_ = "ns", .name = "w"},
          .pod_set = std::move(pod_set),
          .phase = "Pending",
          .gates = {std::string(api::kTopologySchedulingGate)},
          .indices = std::move(indices)};
}

// A pod that was ungated on a node.
inline PlacedPod PodOn(const std::string& node, base::FlatMap<int32_t> indices = {},
                       std::string pod_set = "main") {
  PlacedPod pod = GatedPod(std::move(indices), std::move(pod_set));
  pod.gates.clear();
  pod.node_selector.Set(api::kHostnameLabel, node);
  return pod;
}

}  // namespace berth::control::testing
