#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "api/feature_gates.h"
#include "api/pod_set.h"
#include "base/error.h"
#include "jobs/integration.h"
#include "jobs/path.h"

// From the object of a job to what its Workload asks for.
namespace berth::jobs {

class IntegrationSet;

// What the pod sets of some kinds depend on besides the job.
struct RelatedObjects {
  // The TrainingRuntime or ClusterTrainingRuntime that a TrainJob names; null if there is none.
  std::function<const json::value*(const json::value& train_job)> find_training_runtime;
  // The RayCluster that an elastic RayJob or RayService has made.
  const json::value* ray_cluster = nullptr;
};

struct PodSetOptions {
  bool has_topology = true;              // gate TopologyAwareScheduling
  bool has_multi_layer_topology = true;  // gate TASMultiLayerTopology
  bool has_partial_admission = true;     // gate PartialAdmission
  RelatedObjects related;
  // For what an AppWrapper wraps. Null: the built-in ones.
  const IntegrationSet* integrations = nullptr;

  static PodSetOptions From(const api::FeatureGates& gates);
};

// A pod set, and where in the job's object it came from.
struct JobPodSet {
  api::PodSet pod_set;
  std::string template_path;         // "" if there is no template in the object
  const PodSetRule* rule = nullptr;  // null if it was derived
  int32_t replicas = 1;              // groups of pods that the job counts as one
  int32_t pods_per_replica = 1;
};

// The pod sets in Kueue's order. Templates are as written in the object, except that labels of the
// job's controller are left out and of an environment variable that stands twice the last value
// counts, at the first place.
base::Result<std::vector<JobPodSet>> PodSetsOf(const Integration& integration,
                                               const json::value& job,
                                               const PodSetOptions& options);

// The same without the places.
base::Result<std::vector<api::PodSet>> PodSets(const Integration& integration,
                                               const json::value& job,
                                               const PodSetOptions& options);

// What the annotations of a pod template ask of topology. Nullopt if they ask nothing and there is
// nothing to say of indices.
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

// Of variables of one name the last value, at the first place.
void DropRepeatedVariables(api::PodSpec& pod);

// The name in lower-case letters, as names of pod sets must be.
std::string PodSetName(std::string_view name);

// The product of the factors, for an object or an element of one of its lists.
int32_t CountOf(const std::vector<CountFactor>& factors, const json::value& at);

// A pod template of an object. The error names `path`.
base::Result<api::PodTemplateSpec> ReadTemplate(const json::value& value, std::string_view path);

}  // namespace berth::jobs
