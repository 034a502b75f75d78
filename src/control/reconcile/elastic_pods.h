#pragma once

// The pods of elastic jobs. A scheduling gate holds each pod back until a slice of the job with
// room for it is admitted, so that a job can grow before its quota does.

#include <expected>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/core/pod.h"
#include "api/kueue/workload.h"
#include "control/report/controller_event.h"
#include "control/write/object_writer.h"
#include "jobs/pods/pod_set_info.h"
#include "json/json.h"
#include "store/informer.h"
#include "store/store.h"
#include "workload/state/cluster_state.h"

namespace berth::control {

struct ElasticPod {
  std::string name;
  std::string pod_set;
  bool is_gated = false;
};

// The gated pods to release, given all pods of a job that have not ended: no more of a pod set run
// than the slice has quota for.
std::vector<std::string> PodsToUngate(std::vector<ElasticPod> pods, const api::Workload& slice);

// The pod without the gate, and with what the admission checks of the slice add to its pod set: the
// template of a running job does not get that. Fails if the pod has other values.
std::expected<json::value, jobs::StartFailure> UngatedPod(const json::value& pod,
                                                          const api::Workload& slice);

// Removes the gates. Everything runs on the executor.
class ElasticPods {
 public:
  struct Hooks {
    std::function<void()> on_enqueued;  // there is something to plan
    std::function<void(std::string_view)> log;
    std::function<void(const ControllerEvent&)> observe;
  };

  // Everything that is referred to must outlive this.
  ElasticPods(store::Store& store, store::Executor& executor, const workload::ClusterState& cluster,
              EventRecorder& events, Hooks hooks);
  ~ElasticPods();

  void OnPodChange(const store::Change& change);
  // A Workload was created, changed or deleted. Returns whether it is a slice.
  bool OnWorkload(const api::Workload& workload);
  void OnWorkloadDeleted(const api::Workload& workload);

  void Plan();
  bool is_idle() const { return writer_.is_idle(); }

 private:
  struct Known {
    std::string uid;
    std::string version;
    std::string pod_set;
    bool is_gated = false;
    json::value tree;
  };
  // A job's pods and slices, by the name of its first slice.
  struct Family {
    std::map<std::string, Known> pods;
    std::set<std::string> slices;
  };
  using FamilyName = store::ObjectName;

  void Enqueue(const FamilyName& name);
  void EraseIfEmpty(const FamilyName& name);
  void OnUpsert(const store::Object& pod);
  void OnDelete(const store::Object& pod);
  // Null if the pod is not known.
  Known* Find(const ObjectKey& key);
  ObjectWriter::Cache CacheHooks();
  void PlanFamily(const FamilyName& name);
  // The slice that its pods run on; null if none is admitted.
  const api::Workload* SliceOf(Family& family) const;
  void Ungate(const FamilyName& family, const std::string& pod, const std::string& slice);
  ObjectWriter::Request BuildUngate(const ObjectKey& key, const std::string& slice);
  void ReportUngated(const std::string& slice) const;

  store::Executor& executor_;
  const workload::ClusterState& cluster_;
  Hooks hooks_;
  std::map<FamilyName, Family> families_;
  std::map<store::ObjectName, FamilyName> pods_;
  std::set<FamilyName> queued_;
  ObjectWriter writer_;
};

}  // namespace berth::control
