#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "api/config/feature_gates.h"
#include "api/kueue/pod_set.h"
#include "base/error.h"
#include "jobs/integration.h"
#include "json/path.h"

// Derives the pod sets of a Workload from a job.
namespace berth::jobs {

class IntegrationSet;

// Of a Workload.
inline constexpr size_t kMaxPodSets = 18;

// Objects besides the job that determine the pod sets of some kinds.
struct RelatedObjects {
  // The TrainingRuntime or ClusterTrainingRuntime of a TrainJob; null if there is none.
  std::function<const json::value*(const json::value& train_job)> find_training_runtime;
  // The RayCluster that an elastic RayJob or RayService created; null if there is none.
  std::function<const json::value*(const json::value& job)> find_ray_cluster;
};

struct PodSetOptions {
  bool has_topology = true;              // gate TopologyAwareScheduling
  bool has_multi_layer_topology = true;  // gate TASMultiLayerTopology
  bool has_partial_admission = true;     // gate PartialAdmission
  RelatedObjects related;
  // For objects in an AppWrapper. Null: the built-in set.
  const IntegrationSet* integrations = nullptr;

  static PodSetOptions From(const api::FeatureGates& gates);
};

// A pod set and its origin in the job.
struct JobPodSet {
  api::PodSet pod_set;
  std::string template_path;         // "" if there is no template in the object
  std::string source_path;           // of a template that is written elsewhere than it is read
  const PodSetRule* rule = nullptr;  // null if derived
  int32_t replicas = 1;              // groups of pods that the job counts as one
  int32_t pods_per_replica = 1;
};

// The pod sets in Kueue's order. Templates are unchanged, except that labels of the job's
// controller are dropped and duplicate environment variables are merged: the last value at the
// first position.
base::Result<std::vector<JobPodSet>> PodSetsOf(const Integration& integration,
                                               const json::value& job,
                                               const PodSetOptions& options);

// The same without the origin.
base::Result<std::vector<api::PodSet>> PodSets(const Integration& integration,
                                               const json::value& job,
                                               const PodSetOptions& options);

// The topology request in the annotations of a pod template. Nullopt if there is neither a request
// nor an index label.
struct TopologyIndices {
  std::string pod_index_label;
  std::string sub_group_index_label;
  std::optional<int32_t> sub_group_count;

  bool empty() const {
    return pod_index_label.empty() && sub_group_index_label.empty() && !sub_group_count;
  }
};
base::Result<std::optional<api::PodSetTopologyRequest>> TopologyRequest(
    const base::FlatMap<std::string>& annotations, const TopologyIndices& indices,
    const PodSetOptions& options);

// Merges duplicate environment variables: the last value at the first position.
void DropRepeatedVariables(api::PodSpec& pod);

// The name in lower case, as required of pod sets.
std::string PodSetName(std::string_view name);

// The product of the factors for an object or a list element.
int32_t CountOf(const std::vector<CountFactor>& factors, const json::value& at);

// Decodes a pod template. Errors name `path`.
base::Result<api::PodTemplateSpec> ReadTemplate(const json::value& value, std::string_view path);

}  // namespace berth::jobs
