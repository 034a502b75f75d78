#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/describe.h"

// A kind of job as data: where it keeps its suspend flag, its pod templates and counts, its status.
// A new kind is a description in YAML, not code; those that Berth knows are in kinds/, and an admin
// can add a directory of others. All paths are as in path.h.
namespace berth::jobs {

// Something that holds of an object or not.
struct Test {
  std::string condition;        // status.conditions has this type with status True
  std::string path;             // what stands here is in `in`, or just set if `in` is empty
  std::vector<std::string> in;  // as texts; "" also stands for absent
  std::string each;             // holds for one element of this list or map; `path` begins there
  bool is_not = false;          // "not": the opposite
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const Test&, const Test&) = default;
};

// A factor of a number of pods: what stands at `path`, or the default; not more than what stands at
// `at_most`, if something does; not less than `at_least`.
struct CountFactor {
  std::string path;
  int32_t default_ = 1;
  std::string at_most;
  int32_t plus = 0;  // is added
  int32_t at_least = 0;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const CountFactor&, const CountFactor&) = default;
};

// A field that holds the number of pods that a job starts with.
struct CountField {
  std::string path;
  std::string only_if;  // a path where the text "true" stands; absent: always
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const CountField&, const CountField&) = default;
};

// One set of pods or, with `each`, one for each element of a list; the other paths then begin at
// the element.
struct PodSetRule {
  std::string each;
  std::vector<Test> when;    // of the object: all must hold, else there is no such set
  std::string name;          // of the set; one of the two
  std::string name_path;     // "namePath": where the name stands; it becomes lower-case
  std::string template_;     // "template"
  bool has_metadata = true;  // "metadata": the template's labels and annotations are part of it
  std::vector<CountFactor> count;         // their product; none: 1
  std::string min_count;                  // text with the fewest pods that the job can start with
  std::vector<CountField> partial_count;  // written when it starts with fewer
  std::string pod_index_label;
  std::string sub_group_index_label;
  std::string sub_group_count;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const PodSetRule&, const PodSetRule&) = default;
};

// How a job can end. The first whose tests all hold counts.
struct EndRule {
  std::vector<Test> when;
  bool is_success = false;
  std::string message;       // fixed, or
  std::string message_path;  // where it stands; else that of the first condition in `when`
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const EndRule&, const EndRule&) = default;
};

// A sum of numbers. Lists and maps count by their size, or, with `in`, by how many of their values
// are in it.
struct SumRule {
  std::string each;  // the sum goes over all elements of this list
  std::vector<std::string> add;
  std::vector<std::string> in;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const SumRule&, const SumRule&) = default;
};

// Pods are ready when all tests hold and `counted` is not less than `wanted`.
struct ReadyRule {
  std::vector<Test> when;
  std::optional<SumRule> counted;
  std::optional<SumRule> wanted;  // absent: the pods of all sets
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const ReadyRule&, const ReadyRule&) = default;
};

// What finished pods give back while others still run.
struct ReclaimRule {
  // The whole job is one set of pods with completions, as batch/v1 Jobs are.
  bool by_completions = false;
  // Each element of this list tells of the pod set with its name how many replicas (the first
  // factor of the count) are done.
  std::string statuses;
  std::string name;
  std::string succeeded;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const ReclaimRule&, const ReclaimRule&) = default;
};

// Which controller runs the job: MultiKueue writes itself here.
struct ManagedByRule {
  std::string path;
  std::string controller;  // who does if nothing stands there
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const ManagedByRule&, const ManagedByRule&) = default;
};

// How a job waits.
inline constexpr std::string_view kWaitsSuspended = "Suspended";      // by its suspend flag
inline constexpr std::string_view kWaitsAsPods = "Pods";              // it is a pod, with a gate
inline constexpr std::string_view kWaitsThroughPods = "ThroughPods";  // each of its pods does
inline constexpr std::string_view kWaitsAsGroup = "ThroughGroup";     // its pods do, all as one
inline constexpr std::string_view kWaitsAsGroups = "ThroughGroups";   // a group each replica
inline constexpr std::string_view kWaits[] = {kWaitsSuspended, kWaitsAsPods, kWaitsThroughPods,
                                              kWaitsAsGroup, kWaitsAsGroups};

// Where what an admission gives to pods is written when a job starts.
inline constexpr std::string_view kInjectsIntoTemplates = "Templates";
inline constexpr std::string_view kInjectsPodSetInfos = "PodSetInfos";        // AppWrapper
inline constexpr std::string_view kInjectsRuntimePatches = "RuntimePatches";  // TrainJob
inline constexpr std::string_view kInjectsSparkFields = "SparkFields";        // SparkApplication
inline constexpr std::string_view kInjections[] = {kInjectsIntoTemplates, kInjectsPodSetInfos,
                                                   kInjectsRuntimePatches, kInjectsSparkFields};

// How pod sets come about where rules do not suffice.
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
  std::string waits = std::string(kWaitsSuspended);
  std::string suspend;  // a boolean
  std::vector<PodSetRule> pod_sets;
  std::string derives;      // of kDerivations; "" if the rules are all
  std::string ray_cluster;  // where the spec of a RayCluster stands, for the derivations of Ray
  std::string injects = std::string(kInjectsIntoTemplates);
  // Labels that the job's own controller gives its template. They stay when a job is stopped;
  // those in `hidden_labels` are not shown in Workloads.
  std::vector<std::string> own_labels;
  std::vector<std::string> hidden_labels;
  std::vector<Test> active;  // one must hold
  std::vector<EndRule> finished;
  ReadyRule ready;
  std::optional<ReclaimRule> reclaimable;
  std::vector<std::string> priority_class;  // the first text that is set, before the pods'
  std::optional<ManagedByRule> managed_by;
  std::vector<Test> skip;     // one holds: not Berth's business
  std::vector<Test> on_hold;  // one holds: quota is given back until it does not
  // Stopping takes a step more: pods must be gone before templates can be restored.
  bool stops_in_steps = false;
  std::string reset_on_stop;  // of the status
  bool allows_prebuilt = false;
  bool allows_elastic = false;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const Integration&, const Integration&) = default;

  // "batch", "" for the core group.
  std::string_view group() const;
  bool waits_through_pods() const { return waits != kWaitsSuspended; }
};

}  // namespace berth::jobs
