#pragma once

// A cluster for end-to-end tests: applies objects as kubectl does and awaits the effects. Without
// simulated nodes no job runs; tests then finish jobs by patching their status.

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/kueue/workload.h"
#include "embedded/testing/environment.h"
#include "json/json.h"
#include "store/store.h"

namespace berth::embedded::testing {

// The response to a write.
struct Answer {
  std::string refusal;  // "" if accepted
  std::vector<std::string> warnings;
};

class LiveCluster {
 public:
  using OnFailure = std::function<void(const std::string&)>;

  // `configuration` is YAML; "" for the default. `fail` is called for unexpected results, such as a
  // rejection. It must throw if the cluster does not start.
  LiveCluster(std::string_view configuration, OnFailure fail,
              std::optional<embedded::SimulationSettings> nodes = {}, store::Taps taps = {});
  // The error of a start with this Configuration; "" if it starts.
  static std::string StartError(std::string_view configuration);

  // Creates or updates the objects of a YAML stream by server-side apply.
  void Apply(std::string_view yaml);
  // Creates one object, which must not exist. Returns the stored object.
  json::value Create(std::string_view yaml);
  // As Apply, for one object that may be rejected.
  Answer TryApply(std::string_view yaml);
  // Merge-patches an object: "Job team/train", "ClusterQueue team".
  void Patch(std::string_view object, std::string_view patch, std::string_view subresource = "");
  Answer TryPatch(std::string_view object, std::string_view patch,
                  std::string_view subresource = "");
  void Delete(std::string_view object);
  // Ends a started batch/v1 Job, as its controller does.
  void Complete(std::string_view job);

  // Nullopt if not found.
  std::optional<json::value> Find(std::string_view object);
  // The Workload that an object owns; the first by name if there are several.
  std::optional<api::Workload> WorkloadOf(std::string_view job);
  std::vector<api::Workload> WorkloadsOf(std::string_view job);
  std::optional<api::Workload> FindWorkload(std::string_view namespaced_name);
  // "Normal QuotaReserved: …" for every Event about an object of this name.
  std::vector<std::string> EventsAbout(std::string_view name);
  // How often the Event about an object of this name occurred, by its series; 0 without one.
  int EventCount(std::string_view name, std::string_view reason);
  std::vector<std::string> log() const;

  bool IsSuspended(std::string_view job);
  // True if the Workload has quota and the job runs.
  bool IsRunning(std::string_view job);
  // The reason of the condition QuotaReserved while pending; "" if the job has no Workload or is
  // not pending.
  std::string PendingReason(std::string_view job);

  // Fails the test unless `holds` becomes true in time.
  void Await(const std::string& description, const std::function<bool()>& holds);
  void AwaitRunning(std::string_view job);
  void AwaitPending(std::string_view job, std::string_view reason);
  // Waits until nothing is in progress.
  void AwaitIdle();
  // Lets time pass, as in TestEnvironment.
  void Pass(base::Duration duration) { cluster_->Pass(duration); }

 private:
  struct Log;

  store::Outcome<store::Reply> Do(store::Call call);
  store::Outcome<store::Reply> ApplyOne(std::string_view json);
  // An API server serves a kind a moment after its definition was created.
  void AwaitServed(const json::value& definition);

  OnFailure fail_;
  std::shared_ptr<Log> log_;
  std::unique_ptr<TestEnvironment> cluster_;
};

// --- Objects ------------------------------------------------------------------------------------

// A namespace, the flavor "standard", a ClusterQueue with cpu of it and the LocalQueue "main".
// Namespace and ClusterQueue have the given name. `spec` is added to the ClusterQueue's spec,
// indented by two.
std::string Team(std::string_view name, int cpu, std::string_view spec = "");

// The resource of a kind by its name. Kueue's kind wins if several have the name.
store::Resource ResourceOfKind(std::string_view kind);

// A CustomResourceDefinition that accepts any field, with a status subresource.
std::string Definition(std::string_view api_version, std::string_view kind, std::string_view plural,
                       bool is_namespaced = true);

// A batch/v1 Job with one pod. `metadata` is added to its metadata, as "labels: {…}".
struct JobText {
  std::string_view name;
  std::string_view space = "team";
  std::string_view queue = "main";
  std::string_view requests = "cpu: 1";
  std::string_view annotations = "";
  std::string_view pod = "";  // added to the pod's spec, as "a: b,"
  std::string_view metadata = "";
  std::string_view labels = "";
  std::string_view spec = "";  // added to the job's spec, as "  a: b\n"
  std::string_view pod_annotations = "";
};
std::string Job(const JobText& job);

}  // namespace berth::embedded::testing
