#pragma once

// A cluster for tests of what users see: objects are applied as kubectl does, and what comes of
// them is awaited. Nothing runs the jobs, unless the test has simulated nodes; without, a test that
// wants one to end says so in its status.

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/workload.h"
#include "embedded/testing/ground.h"
#include "store/inbox.h"
#include "store/json.h"

namespace berth::embedded::testing {

// What a server answers to a write.
struct Answer {
  std::string refusal;  // "" if it was accepted
  std::vector<std::string> warnings;
};

class LiveCluster {
 public:
  using OnFailure = std::function<void(const std::string&)>;

  // With a Configuration in YAML, of which "" is the default one. `fail` is told of all that a test
  // did not expect, such as a refusal.
  LiveCluster(std::string_view configuration, OnFailure fail,
              std::optional<control::SimulationSettings> nodes = {});
  // Why a cluster does not start with this Configuration; "" if it does.
  static std::string WhyNotStarted(std::string_view configuration);

  // Creates or changes objects, each a document of the YAML, as kubectl's server-side apply does.
  void Apply(std::string_view yaml);
  // Creates one object that is not there yet.
  void Create(std::string_view yaml);
  // As Apply, for one object that may be refused.
  Answer TryApply(std::string_view yaml);
  // A merge patch of an object: "Job team/train", "ClusterQueue team".
  void Patch(std::string_view object, std::string_view patch, std::string_view subresource = "");
  Answer TryPatch(std::string_view object, std::string_view patch,
                  std::string_view subresource = "");
  void Delete(std::string_view object);

  // Nullopt if it is not there.
  std::optional<store::json::value> Find(std::string_view object);
  // The Workload that a job controls; if there are several, the first by name.
  std::optional<api::Workload> WorkloadOf(std::string_view job);
  std::vector<api::Workload> WorkloadsOf(std::string_view job);
  std::optional<api::Workload> FindWorkload(std::string_view namespaced_name);
  // "Normal QuotaReserved: …" of every Event about an object of this name.
  std::vector<std::string> EventsAbout(std::string_view name);
  std::vector<std::string> log() const;

  bool IsSuspended(std::string_view job);
  // Its Workload holds quota, and it runs.
  bool Runs(std::string_view job);
  // The reason of QuotaReserved, why it waits; "" if it has no Workload or does not wait.
  std::string WaitsBecause(std::string_view job);

  // A failure unless this holds soon.
  void Await(const std::string& what, const std::function<bool()>& holds);
  void AwaitRuns(std::string_view job);
  void AwaitWaits(std::string_view job, std::string_view reason);
  // Until nothing is under way: what has not happened by now does not.
  void Settle();

 private:
  struct Log;

  store::Outcome<store::Reply> Do(store::Call call);
  store::Outcome<store::Reply> ApplyOne(std::string_view json);

  OnFailure fail_;
  std::shared_ptr<Log> log_;
  std::unique_ptr<Ground> cluster_;
  store::Inbox inbox_;
};

// --- Objects ------------------------------------------------------------------------------------

// A namespace, the flavor "standard", a ClusterQueue with cpu of it and the LocalQueue "main". All
// of the name. `spec` is more of the ClusterQueue's spec, indented by two.
std::string Team(std::string_view name, int cpu, std::string_view spec = "");

// A CustomResourceDefinition that lets everything be written, with a status.
std::string Definition(std::string_view api_version, std::string_view kind, std::string_view plural,
                       bool is_namespaced = true);

// A batch/v1 Job with one pod. `metadata` is more of its metadata, as "labels: {…}".
struct JobText {
  std::string_view name;
  std::string_view space = "team";
  std::string_view queue = "main";
  std::string_view requests = "cpu: 1";
  std::string_view annotations = "";
  std::string_view pod = "";  // more of the pod's spec, as "a: b,"
  std::string_view metadata = "";
  std::string_view labels = "";
  std::string_view spec = "";  // more of the job's spec, as "  a: b\n"
};
std::string Job(const JobText& job);

}  // namespace berth::embedded::testing
