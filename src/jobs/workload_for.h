#pragma once

#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "api/configuration.h"
#include "api/feature_gates.h"
#include "api/workload.h"
#include "base/error.h"
#include "jobs/integration.h"
#include "jobs/path.h"
#include "jobs/pod_sets.h"
#include "jobs/priority.h"

// From a job to its Workload, as Kueue makes it, so that either controller knows the other's.
namespace berth::jobs {

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

// Why there is no Workload for a job: a class that is missing, or something else.
struct NoWorkload {
  base::Error error;
  std::optional<MissingPriorityClass> missing_class;
};

// The Workload of a job that waits suspended, and of a pod that is in no group. `replaced`: of an
// elastic job, the slice that this one is to replace, if there is one.
std::expected<api::Workload, NoWorkload> WorkloadFor(const Integration& integration,
                                                     const json::value& job,
                                                     const PriorityTable& priorities,
                                                     const WorkloadOptions& options,
                                                     const api::Workload* replaced = nullptr);

// The Workload through which the pods of a StatefulSet (index 0) or of one replica of a
// LeaderWorkerSet wait as a group.
std::expected<api::Workload, NoWorkload> GroupWorkloadFor(const Integration& integration,
                                                          const json::value& job, size_t index,
                                                          const PriorityTable& priorities,
                                                          const WorkloadOptions& options);

// What WorkloadFor calls the Workload of a job.
std::string WorkloadNameFor(const Integration& integration, const api::ObjectMeta& metadata,
                            const WorkloadOptions& options);

// --- Pieces that others need too ---------------------------------------------------------------

// The job's metadata, empty if it has none. Fails if it is not what metadata is.
base::Result<api::ObjectMeta> MetadataOf(const json::value& job);

// The name of the Workload that was made before the job; "" if the job names none.
std::string PrebuiltWorkloadName(const api::ObjectMeta& metadata, bool reads_annotations);

// The number of the label kueue.x-k8s.io/max-exec-time-seconds; nullopt unless it is above 0.
std::optional<int32_t> MaximumExecutionTime(const api::ObjectMeta& metadata);

bool IsElastic(const api::ObjectMeta& metadata, const WorkloadOptions& options);

// The class that the job's label names, and the one that its kind or its pods name.
std::string_view WorkloadPriorityClassOf(const api::ObjectMeta& metadata);
std::string PodPriorityClassOf(const Integration& integration, const json::value& job,
                               const std::vector<api::PodSet>& pod_sets);

// What every Workload has: its name, its finalizer, what is copied from the job, the queue.
api::Workload NewWorkload(std::string name, const api::ObjectMeta& job,
                          std::vector<api::PodSet> pod_sets, const WorkloadOptions& options);

// A reference to the object as the controller of what it owns, or just as an owner.
api::OwnerReference OwnerReferenceTo(const Integration& integration,
                                     const api::ObjectMeta& metadata, bool is_controller);

}  // namespace berth::jobs
