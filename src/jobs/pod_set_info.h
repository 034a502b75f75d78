#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "api/feature_gates.h"
#include "api/pod_set.h"
#include "api/pod_spec.h"
#include "api/resource_flavor.h"
#include "api/workload.h"
#include "base/error.h"
#include "base/flat_map.h"

// What an admission gives to the pods of a set: places by node labels and tolerations, marks by
// labels and annotations, gates, and their number.
namespace berth::jobs {

struct PodSetInfo {
  std::string name;
  int32_t count = 0;
  base::FlatMap<std::string> annotations;
  base::FlatMap<std::string> labels;
  base::FlatMap<std::string> node_selector;
  std::vector<api::Toleration> tolerations;
  std::vector<std::string> scheduling_gates;

  friend bool operator==(const PodSetInfo&, const PodSetInfo&) = default;
};

// Why a job cannot start. What will not become right by waiting is permanent.
struct StartFailure {
  base::Error error;
  bool is_permanent = false;
};
std::unexpected<StartFailure> PermanentFailure(std::string message, std::string hint);

using FindFlavor = std::function<const api::ResourceFlavor*(std::string_view name)>;

struct StartOptions {
  bool has_topology = true;          // gate TopologyAwareScheduling
  bool assigns_queue_labels = true;  // gate AssignQueueLabelsForPods
  bool has_elastic_jobs = true;      // gate ElasticJobsViaWorkloadSlices

  static StartOptions From(const api::FeatureGates& gates);
};

// By the Workload's status: its admission and what its admission checks ask for. One for each
// assignment, in its order. A flavor that is missing is a failure that passes; check updates that
// contradict each other or the admission are permanent ones.
std::expected<std::vector<PodSetInfo>, StartFailure> InfosFromAdmission(
    const api::Workload& workload, const FindFlavor& find_flavor, const StartOptions& options);

// What the pods were before: the templates of the Workload.
std::vector<PodSetInfo> InfosFromPodSets(const api::Workload& workload);

// Equal for all purposes; an absent operator means Equal.
bool SameToleration(const api::Toleration& a, const api::Toleration& b);

// Adds one map to another. False, with `conflict` set, if a key has two values.
bool MergeTexts(const base::FlatMap<std::string>& from, base::FlatMap<std::string>& into,
                std::string& conflict);

}  // namespace berth::jobs
