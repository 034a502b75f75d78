// Compares this module with recordings of Kueue: Jobs and their Workloads, step by step.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "api/kueue/resource_flavor.h"
#include "api/kueue/well_known.h"
#include "api/meta/conditions.h"
#include "api/testing/shared_data.h"
#include "jobs/defaulting.h"
#include "jobs/equivalent.h"
#include "jobs/integration_set.h"
#include "jobs/job_state.h"
#include "jobs/managed.h"
#include "jobs/rules/job_rules.h"
#include "jobs/start_stop.h"
#include "jobs/workload_for.h"
#include "objects/owner_chain.h"
#include "schema/decode.h"
#include "schema/encode.h"

namespace berth::jobs {
namespace {

const Integration& BatchJob() { return *IntegrationSet::BuiltIn().FindFramework("batch/job"); }

template <class T>
T Read(const json::value& value) {
  auto read = schema::Decode<T>(json::Print(value));
  if (read) return *std::move(read);
  ADD_FAILURE() << schema::ToString(read.error().front());
  return {};
}

json::value Tree(const auto& value) { return *json::Parse(schema::Encode(value)); }

// Recorded times are replaced by "T", which does not parse.
json::value WithoutTimes(json::value value) {
  if (json::object* object = value.if_object()) {
    json::object kept;
    for (const auto& member : *object) {
      if (member.value() == json::value("T")) continue;
      kept[member.key()] = WithoutTimes(member.value());
    }
    return kept;
  }
  if (json::array* list = value.if_array()) {
    for (json::value& element : *list) element = WithoutTimes(element);
  }
  return value;
}

// The recorded objects after a step.
struct Snapshot {
  std::vector<json::value> jobs;
  std::vector<api::Workload> workloads;
  std::map<std::string, api::ResourceFlavor, std::less<>> flavors;
};

Snapshot ReadSnapshot(const json::array& objects) {
  Snapshot snapshot;
  for (const json::value& raw : objects) {
    const json::value object = WithoutTimes(raw);
    const std::string kind = json::TextAt(object, "kind");
    if (kind == "Job") snapshot.jobs.push_back(object);
    if (kind == "Workload") snapshot.workloads.push_back(Read<api::Workload>(object));
    if (kind == "ResourceFlavor")
      snapshot.flavors.emplace(json::TextAt(object, "metadata.name"),
                               Read<api::ResourceFlavor>(object));
  }
  return snapshot;
}

struct Recording {
  std::string name;
  api::Configuration configuration;
  std::map<std::string, std::string> uids;
  std::vector<Snapshot> snapshots;
  json::value tree;
};

Recording ReadRecording(const std::string& name, const std::string& text) {
  Recording recording{.name = name, .tree = *json::Parse(text)};
  recording.configuration = Read<api::Configuration>(recording.tree.at("configuration"));
  api::ApplyConfigurationDefaults(recording.configuration);
  for (const auto& uid : recording.tree.at("uids").as_object())
    recording.uids[std::string(json::View(uid.key()))] =
        std::string(json::View(uid.value().as_string()));
  for (const json::value& step : recording.tree.at("steps").as_array())
    recording.snapshots.push_back(ReadSnapshot(step.at("objects").as_array()));
  return recording;
}

std::filesystem::path SharedDirectory() {
  const char* configured = std::getenv("BERTH_SHARED_DIR");
  return configured != nullptr ? configured : BERTH_SOURCE_DIR "/../shared";
}

std::vector<std::string> RecordingNames() {
  std::vector<std::string> names;
  std::error_code error;
  for (const auto& entry :
       std::filesystem::directory_iterator(SharedDirectory() / "lifecycles", error)) {
    if (entry.path().extension() == ".json") names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

const std::vector<Recording>& Recordings() {
  static const std::vector<Recording> kAll = [] {
    std::vector<Recording> all;
    for (const std::string& name : RecordingNames())
      all.push_back(ReadRecording(name, *api::testing::ReadShared("lifecycles/" + name)));
    return all;
  }();
  return kAll;
}

// A job and its Workload in one snapshot.
struct Pair {
  const Recording& recording;
  const Snapshot& snapshot;
  const json::value& job;
  const api::Workload& workload;
  WorkloadOptions options;

  bool Has(std::string_view condition) const {
    return api::IsConditionTrue(workload.status.conditions, condition);
  }
  FindFlavor Flavors() const {
    return [this](std::string_view name) -> const api::ResourceFlavor* {
      const auto found = snapshot.flavors.find(name);
      return found == snapshot.flavors.end() ? nullptr : &found->second;
    };
  }
};

template <class Visit>
void ForEachPair(const Visit& visit) {
  for (const Recording& recording : Recordings()) {
    for (size_t step = 0; step < recording.snapshots.size(); ++step) {
      const Snapshot& snapshot = recording.snapshots[step];
      for (const json::value& job : snapshot.jobs) {
        for (const api::Workload& workload : snapshot.workloads) {
          const api::OwnerReference* owner = objects::ControllerOf(workload.metadata);
          if (owner == nullptr || owner->uid != json::TextAt(job, "metadata.uid")) continue;
          // The state is inconsistent between the two writes of a stop.
          if (json::FindAt(job, "metadata.annotations[kueue.x-k8s.io/stopping]") != nullptr)
            continue;
          SCOPED_TRACE(recording.name + " step " + std::to_string(step) + " job " +
                       json::TextAt(job, "metadata.name"));
          visit(Pair{.recording = recording,
                     .snapshot = snapshot,
                     .job = job,
                     .workload = workload,
                     .options = WorkloadOptions::From(recording.configuration, {})});
        }
      }
    }
  }
}

class Lifecycles : public ::testing::Test {
 protected:
  void SetUp() override {
    if (Recordings().empty()) GTEST_SKIP() << "shared/lifecycles not found";
  }
};

// The job before it started.
json::value Stopped(const Pair& pair) {
  const auto sets = PodSetsOf(BatchJob(), pair.job, pair.options.pod_sets);
  json::value job = pair.job;
  json::EraseAt(job, "status");
  const StopPlan plan = StopJob(BatchJob(), job, *sets, InfosFromPodSets(pair.workload));
  return plan.writes.empty() ? job : plan.writes.back().object;
}

bool IsPrebuilt(const Pair& pair) {
  const auto metadata = MetadataOf(pair.job);
  return !PrebuiltWorkloadName(*metadata, true).empty();
}

TEST_F(Lifecycles, WorkloadsMatchTheRecording) {
  int compared = 0;
  PriorityTable priorities;
  ForEachPair([&](const Pair& pair) {
    if (IsPrebuilt(pair) || pair.workload.spec.priority_class_ref) return;
    json::value job = Stopped(pair);
    const auto made = WorkloadFor(BatchJob(), job, priorities, pair.options);
    ASSERT_TRUE(made.has_value()) << made.error().error.message;
    EXPECT_EQ(Tree(*made).at("metadata").at("labels"),
              Tree(pair.workload).at("metadata").at("labels"));
    EXPECT_EQ(made->metadata.owner_references, pair.workload.metadata.owner_references);
    EXPECT_EQ(made->spec.maximum_execution_time_seconds,
              pair.workload.spec.maximum_execution_time_seconds);
    EXPECT_EQ(made->spec.priority, pair.workload.spec.priority);
    // Kueue never removes the queue name of a pending Workload.
    if (made->spec.queue_name) {
      EXPECT_EQ(made->spec.queue_name, pair.workload.spec.queue_name);
    }
    const std::string uid = json::TextAt(job, "metadata.uid");
    *json::MakeAt(job, "metadata.uid") = pair.recording.uids.at(uid);
    const auto named = WorkloadFor(BatchJob(), job, priorities, pair.options);
    EXPECT_EQ(named->metadata.name, pair.workload.metadata.name);
    // Node selectors added to a pending job are missing in the recorded Workload.
    if (pair.recording.name.starts_with("16-")) return;
    EXPECT_EQ(Tree(*made).at("spec").at("podSets"), Tree(pair.workload).at("spec").at("podSets"));
    ++compared;
  });
  EXPECT_GT(compared, 200);
}

TEST_F(Lifecycles, StartedJobsCarryTheirAdmission) {
  int compared = 0;
  ForEachPair([&](const Pair& pair) {
    if (IsSuspended(BatchJob(), pair.job) || !pair.Has(api::condition::kAdmitted)) return;
    if (pair.Has(api::condition::kEvicted)) return;      // being evicted
    if (pair.recording.name.starts_with("16-")) return;  // template changed meanwhile
    const json::value before = Stopped(pair);
    const StartOptions start;
    const auto sets = PodSetsOf(BatchJob(), before, pair.options.pod_sets);
    const auto infos = InfosFromAdmission(pair.workload, pair.Flavors(), start);
    if (!infos) return;  // flavor missing in this snapshot
    const auto started = StartJob(BatchJob(), before, *sets, *infos, start);
    ASSERT_TRUE(started.has_value()) << started.error().error.message;
    EXPECT_EQ(started->back().object.at("spec"), pair.job.at("spec"))
        << json::Print(MergePatchBetween(pair.job.at("spec"), started->back().object.at("spec")));
    ++compared;
  });
  EXPECT_GT(compared, 100);
}

TEST_F(Lifecycles, StoppedJobsAreRestored) {
  ForEachPair([&](const Pair& pair) {
    if (!IsSuspended(BatchJob(), pair.job) || IsPrebuilt(pair)) return;
    if (pair.recording.name.starts_with("16-")) return;  // template changed meanwhile
    if (json::FindAt(pair.job, "metadata.annotations[kueue.x-k8s.io/job-min-parallelism]")) return;
    EXPECT_EQ(Stopped(pair).at("spec"), pair.job.at("spec"));
  });
}

TEST_F(Lifecycles, EndsAgree) {
  int ended = 0;
  ForEachPair([&](const Pair& pair) {
    const api::Condition* finished =
        api::FindCondition(pair.workload.status.conditions, api::condition::kFinished);
    const auto end = Finished(BatchJob(), pair.job);
    const bool is_of_job =
        finished != nullptr && (finished->reason == "Succeeded" || finished->reason == "Failed");
    ASSERT_EQ(end.has_value(), is_of_job);
    if (!end) return;
    EXPECT_EQ(end->is_success, finished->reason == "Succeeded");
    ++ended;
  });
  EXPECT_GT(ended, 10);
}

TEST_F(Lifecycles, ReadinessAndReclaimablePodsAgree) {
  int ready = 0;
  ForEachPair([&](const Pair& pair) {
    if (pair.Has(api::condition::kFinished) || !pair.Has(api::condition::kAdmitted)) return;
    const auto sets = PodSetsOf(BatchJob(), pair.job, pair.options.pod_sets);
    EXPECT_EQ(PodsReady(BatchJob(), pair.job, *sets), pair.Has(api::condition::kPodsReady));
    EXPECT_EQ(ReclaimablePods(BatchJob(), pair.job, *sets), pair.workload.status.reclaimable_pods);
    ready += pair.Has(api::condition::kPodsReady);
  });
  EXPECT_GT(ready, 20);
}

TEST_F(Lifecycles, QuietJobsMatchTheirWorkloads) {
  ForEachPair([&](const Pair& pair) {
    if (pair.Has(api::condition::kFinished)) return;
    if (pair.recording.name.starts_with("16-")) return;  // Kueue ignores this change
    const auto equivalent = IsEquivalent({.integration = &BatchJob(),
                                          .job = &pair.job,
                                          .workload = &pair.workload,
                                          .find_flavor = pair.Flavors(),
                                          .is_prebuilt = IsPrebuilt(pair)},
                                         pair.options, StartOptions());
    ASSERT_TRUE(equivalent.has_value());
    EXPECT_TRUE(*equivalent);
  });
}

// --- Webhooks ----------------------------------------------------------------------------------

api::Labels LabelsOf(const std::string& space) {
  api::Labels labels = {{"kubernetes.io/metadata.name", space}};
  if (space == "ns1") labels.Set("team", "a");
  if (space == "ns2") labels.Set("team", "b");
  return labels;
}

bool HasDefaultQueue(const Recording& recording, const std::string& space) {
  for (const json::value& object : recording.tree.at("setup").as_array()) {
    if (json::TextAt(object, "kind") == "LocalQueue" &&
        json::TextAt(object, "metadata.name") == "default" &&
        json::TextAt(object, "metadata.namespace") == space)
      return true;
  }
  return false;
}

const json::value* FindJob(const Snapshot& snapshot, const std::string& space,
                           const std::string& name) {
  for (const json::value& job : snapshot.jobs) {
    if (json::TextAt(job, "metadata.name") == name &&
        json::TextAt(job, "metadata.namespace") == space)
      return &job;
  }
  return nullptr;
}

// Whether a job is created and changed in the same step.
bool IsChangedAgain(const Recording& recording, size_t step, const std::string& name) {
  const json::array& operations = recording.tree.at("steps").as_array()[step].at("do").as_array();
  return std::ranges::any_of(operations, [&](const json::value& operation) {
    return json::TextAt(operation, "op") == "patch" && json::TextAt(operation, "name") == name;
  });
}

template <class Visit>
void ForEachJobOperation(const Visit& visit) {
  for (const Recording& recording : Recordings()) {
    const json::array& steps = recording.tree.at("steps").as_array();
    for (size_t i = 0; i < steps.size(); ++i) {
      for (const json::value& operation : steps[i].at("do").as_array()) {
        const bool is_job = json::TextAt(operation, "object.kind") == "Job" ||
                            json::TextAt(operation, "kind") == "Job";
        if (!is_job) continue;
        SCOPED_TRACE(recording.name + " step " + std::to_string(i) + " " +
                     json::Print(operation).substr(0, 200));
        visit(recording, i, operation);
      }
    }
  }
}

TEST_F(Lifecycles, NewJobsAreRejectedAsRecorded) {
  int refused = 0;
  ForEachJobOperation([&](const Recording&, size_t, const json::value& operation) {
    if (json::TextAt(operation, "op") != "create") return;
    json::value job = operation.at("object");
    for (std::string_view path : {"spec.parallelism"}) {  // API server default
      if (json::FindAt(job, path) == nullptr) *json::MakeAt(job, path) = 1;
    }
    const JobRules rules;
    const bool is_wrong = !ValidateJobCreate(BatchJob(), job, rules).empty();
    EXPECT_EQ(is_wrong, json::FindAt(operation, "error") != nullptr);
    refused += is_wrong;
  });
  EXPECT_GE(refused, 9);
}

TEST_F(Lifecycles, NewJobsAreSuspendedAsRecorded) {
  int held_back = 0;
  ForEachJobOperation([&](const Recording& recording, size_t step, const json::value& operation) {
    if (json::TextAt(operation, "op") != "create" || json::FindAt(operation, "error") != nullptr)
      return;
    const json::value& job = operation.at("object");
    if (json::FindAt(job, "metadata.ownerReferences") != nullptr)
      return;  // see docs/differences.md
    const std::string space = json::TextAt(job, "metadata.namespace");
    const ManagedJobsPolicy policy(recording.configuration, {});
    const api::Labels labels = LabelsOf(space);
    const auto defaulted =
        ApplyJobDefaults(BatchJob(), job,
                         {.policy = &policy,
                          .namespace_labels = &labels,
                          .has_default_queue = HasDefaultQueue(recording, space)});
    ASSERT_TRUE(defaulted.has_value());
    if (IsChangedAgain(recording, step, json::TextAt(job, "metadata.name"))) return;
    const json::value* stored =
        FindJob(recording.snapshots[step], space, json::TextAt(job, "metadata.name"));
    if (stored == nullptr) return;
    const std::string label = "metadata.labels[kueue.x-k8s.io/queue-name]";
    EXPECT_EQ(json::TextAt(defaulted->job, label), json::TextAt(*stored, label));
    const bool has_workload = std::ranges::any_of(
        recording.snapshots[step].workloads, [&](const api::Workload& workload) {
          const api::OwnerReference* owner = objects::ControllerOf(workload.metadata);
          return owner != nullptr && owner->uid == json::TextAt(*stored, "metadata.uid");
        });
    if (has_workload) {
      EXPECT_TRUE(IsSuspended(BatchJob(), defaulted->job));
    }
    held_back += has_workload;
  });
  EXPECT_GT(held_back, 50);
}

TEST_F(Lifecycles, ChangesOfJobsAreRejectedAsRecorded) {
  int refused = 0;
  ForEachJobOperation([&](const Recording& recording, size_t step, const json::value& operation) {
    if (json::TextAt(operation, "op") != "patch" || step == 0) return;
    if (json::TextAt(operation, "error.code") != "403") return;
    const json::value* old_job =
        FindJob(recording.snapshots[step - 1], json::TextAt(operation, "namespace"),
                json::TextAt(operation, "name"));
    ASSERT_NE(old_job, nullptr);
    json::value job = *old_job;
    // The recorded patches contain no nulls.
    const std::function<void(json::value&, const json::value&)> merge =
        [&](json::value& into, const json::value& from) {
          if (!from.is_object()) {
            into = from;
            return;
          }
          if (!into.is_object()) into.emplace_object();
          for (const auto& member : from.get_object())
            merge(into.get_object()[member.key()], member.value());
        };
    merge(job, operation.at("patch"));
    EXPECT_FALSE(ValidateJobUpdate(BatchJob(), *old_job, job, JobRules()).empty());
    ++refused;
  });
  EXPECT_GE(refused, 4);
}

}  // namespace
}  // namespace berth::jobs
