#pragma once

#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "api/config/configuration.h"
#include "api/config/feature_gates.h"
#include "api/kueue/workload.h"
#include "base/error.h"
#include "jobs/integration.h"
#include "jobs/pods/pod_sets.h"
#include "jobs/priority.h"
#include "json/path.h"

// Derives the Workload of a job, identical to Kueue's, so that the two controllers are
// interchangeable.
namespace berth::jobs {

// On an elastic RayJob or RayService: the generation of the RayCluster that it created.
inline constexpr std::string_view kRayClusterGenerationAnnotation =
    "kueue.x-k8s.io/raycluster-generation";

struct WorkloadOptions {
  PodSetOptions pod_sets;
  size_t max_name_length = 253;        // gate ShortWorkloadNames
  bool copies_admission_gates = true;  // gate AdmissionGatedBy
  bool has_elastic_jobs = true;        // gate ElasticJobsViaWorkloadSlices
  bool has_constraints = false;        // gate WorkloadAdmissionConstraints
  bool reads_name_annotations = true;  // gate WorkloadIdentifierAnnotations
  std::vector<std::string> label_keys_to_copy;
  std::vector<std::string> annotation_keys_to_copy;

  static WorkloadOptions From(const api::Configuration& configuration,
                              const api::FeatureGates& gates);
};

// The reason why a job has no Workload: a missing priority class, or another error.
struct WorkloadFailure {
  base::Error error;
  std::optional<MissingPriorityClass> missing_class;
};

// The Workload of a suspendable job or of a pod without a group. `replaced`: for an elastic job,
// the slice that this Workload replaces, if any.
std::expected<api::Workload, WorkloadFailure> WorkloadFor(const Integration& integration,
                                                          const json::value& job,
                                                          const PriorityTable& priorities,
                                                          const WorkloadOptions& options,
                                                          const api::Workload* replaced = nullptr);

// The Workload of the pod group of a StatefulSet (index 0) or of a replica of a LeaderWorkerSet.
std::expected<api::Workload, WorkloadFailure> GroupWorkloadFor(const Integration& integration,
                                                               const json::value& job, size_t index,
                                                               const PriorityTable& priorities,
                                                               const WorkloadOptions& options);

// The name of a StatefulSet's Workload in versions of Kueue whose names had no part of the uid; ""
// for other kinds.
std::string LegacyGroupName(const Integration& integration, const api::ObjectMeta& metadata,
                            const WorkloadOptions& options);

// The name that WorkloadFor gives to the Workload of a job.
std::string WorkloadNameFor(const Integration& integration, const api::ObjectMeta& metadata,
                            const WorkloadOptions& options);

// --- Shared parts -------------------------------------------------------------------------------

// The job's metadata, empty if absent. Fails if it is malformed.
base::Result<api::ObjectMeta> MetadataOf(const json::value& job);

// The name of the prebuilt Workload; "" if there is none.
std::string PrebuiltWorkloadName(const api::ObjectMeta& metadata, bool reads_annotations);

// The value of the label kueue.x-k8s.io/max-exec-time-seconds; nullopt unless positive.
std::optional<int32_t> MaximumExecutionTime(const api::ObjectMeta& metadata);

bool IsElastic(const api::ObjectMeta& metadata, const WorkloadOptions& options);

// The WorkloadPriorityClass of the job's label, and the PriorityClass of the job or its pods.
std::string_view WorkloadPriorityClassOf(const api::ObjectMeta& metadata);
std::string PodPriorityClassOf(const Integration& integration, const json::value& job,
                               const std::vector<api::PodSet>& pod_sets);

// Common parts of all Workloads: name, finalizer, copied labels and annotations, queue.
api::Workload NewWorkload(std::string name, const api::ObjectMeta& job,
                          std::vector<api::PodSet> pod_sets, const WorkloadOptions& options);

// An owner reference to the object, as controller or plain owner.
api::OwnerReference OwnerReferenceTo(const Integration& integration,
                                     const api::ObjectMeta& metadata, bool is_controller);

}  // namespace berth::jobs
