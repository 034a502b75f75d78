#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/describe.h"

// A job kind as data: paths of its suspend flag, pod templates, counts and status. A new kind is a
// YAML description, not code. Built-in descriptions are in kinds/; an administrator can add a
// directory of others. Paths have the syntax of json/path.h.
namespace berth::jobs {

// A predicate on an object.
struct Test {
  std::string condition;        // this condition is True in status.conditions
  std::string path;             // the value is in `in`, or is set if `in` is empty
  std::vector<std::string> in;  // as text; "" also means absent
  std::string each;     // holds for any element of this list or map; `path` is relative to it
  bool is_not = false;  // "not"
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const Test&, const Test&) = default;
};

// A factor of a number of pods: the value at `path`, or the default; at most the value at
// `at_most`, if present; at least `at_least`.
struct CountFactor {
  std::string path;
  int32_t default_ = 1;
  std::string at_most;
  int32_t plus = 0;  // added to the value
  int32_t at_least = 0;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const CountFactor&, const CountFactor&) = default;
};

// A field with the number of pods that a job starts with.
struct CountField {
  std::string path;
  std::string only_if;  // path whose value must be "true"; absent: always
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const CountField&, const CountField&) = default;
};

// A pod set or, with `each`, one per element of a list; the other paths are then relative to the
// element.
struct PodSetRule {
  std::string each;
  std::vector<Test> when;          // on the object: all must hold for the set to exist
  std::string name;                // fixed name; one of the two
  std::string name_path;           // "namePath": path of the name, converted to lower case
  std::string template_;           // "template"
  bool has_metadata = true;        // "metadata": include the template's labels and annotations
  std::vector<CountFactor> count;  // their product; empty: 1
  std::string min_count;           // text with the minimum number of pods
  std::vector<CountField> partial_count;  // written on partial admission
  std::string pod_index_label;
  std::string sub_group_index_label;
  std::string sub_group_count;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const PodSetRule&, const PodSetRule&) = default;
};

// A way to finish. The first rule whose tests all hold applies.
struct EndRule {
  std::vector<Test> when;
  bool is_success = false;
  std::string message;       // fixed message, or
  std::string message_path;  // its path; defaults to that of the first condition in `when`
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const EndRule&, const EndRule&) = default;
};

// A sum of numbers. Lists and maps count their elements or, with `in`, the elements whose values
// are in it.
struct SumRule {
  std::string each;  // sum over the elements of this list
  std::vector<std::string> add;
  std::vector<std::string> in;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const SumRule&, const SumRule&) = default;
};

// Pods are ready if all tests hold and `counted` is at least `wanted`.
struct ReadyRule {
  std::vector<Test> when;
  std::optional<SumRule> counted;
  std::optional<SumRule> wanted;  // absent: the pods of all sets
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const ReadyRule&, const ReadyRule&) = default;
};

// Reclaimable pods: quota released by finished pods while others run.
struct ReclaimRule {
  // The job is one pod set with completions, like a batch/v1 Job.
  bool by_completions = false;
  // Each element of this list holds the number of finished replicas (the first factor of the count)
  // of the pod set with its name.
  std::string statuses;
  std::string name;
  std::string succeeded;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const ReclaimRule&, const ReclaimRule&) = default;
};

// The field with the controller of the job, which MultiKueue sets.
struct ManagedByRule {
  std::string path;
  std::string controller;  // default controller
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const ManagedByRule&, const ManagedByRule&) = default;
};

// How a job is suspended.
inline constexpr std::string_view kSuspendedByFlag = "Suspended";  // suspend flag
inline constexpr std::string_view kSuspendedByGate = "Pods";       // a pod with a scheduling gate
inline constexpr std::string_view kSuspendedByPodGates = "ThroughPods";  // each pod is gated
inline constexpr std::string_view kSuspendedAsGroup =
    "ThroughGroup";  // all pods are gated as one group
inline constexpr std::string_view kSuspendedAsGroups = "ThroughGroups";  // one group per replica
inline constexpr std::string_view kSuspensions[] = {kSuspendedByFlag, kSuspendedByGate,
                                                    kSuspendedByPodGates, kSuspendedAsGroup,
                                                    kSuspendedAsGroups};

// Where the admission is injected when a job starts.
inline constexpr std::string_view kInjectsIntoTemplates = "Templates";
inline constexpr std::string_view kInjectsPodSetInfos = "PodSetInfos";        // AppWrapper
inline constexpr std::string_view kInjectsRuntimePatches = "RuntimePatches";  // TrainJob
inline constexpr std::string_view kInjectsSparkFields = "SparkFields";        // SparkApplication
inline constexpr std::string_view kInjections[] = {kInjectsIntoTemplates, kInjectsPodSetInfos,
                                                   kInjectsRuntimePatches, kInjectsSparkFields};

// Derivations of pod sets beyond the rules.
inline constexpr std::string_view kDerivesRayCluster = "RayCluster";
inline constexpr std::string_view kDerivesRayJob = "RayJob";
inline constexpr std::string_view kDerivesAppWrapper = "AppWrapper";
inline constexpr std::string_view kDerivesTrainJob = "TrainJob";
inline constexpr std::string_view kDerivesSpark = "SparkApplication";
inline constexpr std::string_view kDerivations[] = {
    kDerivesRayCluster, kDerivesRayJob, kDerivesAppWrapper, kDerivesTrainJob, kDerivesSpark};

struct Integration {
  std::string framework;  // as in integrations.frameworks: "batch/job"
  std::string api_version;
  std::string kind;
  std::string plural;
  std::string suspension = std::string(kSuspendedByFlag);
  std::string suspend;  // a boolean
  std::vector<PodSetRule> pod_sets;
  std::string derives;      // one of kDerivations; "" if the rules suffice
  std::string ray_cluster;  // path of the RayCluster spec, for the derivations of Ray
  // With fault tolerance, a job that is being deleted cleans up Redis in its quota.
  bool cleans_up_redis = false;
  std::string injects = std::string(kInjectsIntoTemplates);
  // Labels that the job's controller sets in its template. They are kept when the job stops;
  // `hidden_labels` are left out of Workloads.
  std::vector<std::string> own_labels;
  std::vector<std::string> hidden_labels;
  std::vector<Test> active;  // any must hold
  std::vector<EndRule> finished;
  ReadyRule ready;
  std::optional<ReclaimRule> reclaimable;
  std::vector<std::string> priority_class;  // first non-empty text wins; overrides the pods'
  std::optional<ManagedByRule> managed_by;
  std::vector<Test> skip;     // any holds: the job is not queued
  std::vector<Test> on_hold;  // any holds: quota is released meanwhile
  // Stopping takes two steps: templates are restored after the pods are gone.
  bool stops_in_steps = false;
  std::string reset_on_stop;  // path in the status
  bool allows_prebuilt = false;
  bool allows_elastic = false;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const Integration&, const Integration&) = default;

  // "batch"; "" for the core group.
  std::string_view group() const;
  bool uses_scheduling_gates() const { return suspension != kSuspendedByFlag; }
};

}  // namespace berth::jobs
