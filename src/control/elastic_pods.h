#pragma once

// The pods of elastic jobs. A gate holds each back until a slice of the job is admitted that has
// room for it, so that a job can grow before its quota does.

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/pod.h"
#include "api/workload.h"
#include "control/fact.h"
#include "store/informer.h"
#include "store/store.h"
#include "workload/engine_feed.h"

namespace berth::control {

struct ElasticPod {
  std::string name;
  std::string pod_set;
  bool is_gated = false;
};

// Of the pods of one job that have not ended, those that may go: no more of a pod set are let
// through than the slice has quota for.
std::vector<std::string> PodsToLetThrough(std::vector<ElasticPod> pods, const api::Workload& slice);

// Lets them through. Everything runs on the executor.
class ElasticPods {
 public:
  struct Hooks {
    std::function<void()> on_touched;  // there is something to plan
    std::function<void(std::string_view)> log;
    std::function<void(const Fact&)> observe;
  };

  ElasticPods(store::Store& store, store::Executor& executor, const workload::EngineFeed& feed,
              Hooks hooks);
  ~ElasticPods();

  void OnPodChange(const store::Change& change);
  // Came, changed, or is gone. False if it is not a slice.
  bool OnWorkload(const api::Workload& workload);

  void Plan();
  bool is_idle() const { return under_way_ == 0; }

 private:
  struct Known {
    std::string uid;
    std::string version;
    std::string pod_set;
    std::vector<std::string> gates;
    bool is_written = false;  // its gate is being taken away, or was
  };
  // A job's pods and slices, by the name of its first slice.
  struct Family {
    std::map<std::string, Known> pods;
    std::set<std::string> slices;
  };
  using FamilyName = store::ObjectName;

  void Touch(const FamilyName& name);
  void Forget(const store::Object& pod);
  void PlanFamily(const FamilyName& name);
  // The slice that its pods run on; null if none is admitted.
  const api::Workload* SliceOf(Family& family) const;
  void LetThrough(const FamilyName& family, const std::string& pod, const std::string& slice);
  void OnAnswer(const FamilyName& family, const std::string& pod, const std::string& slice,
                const store::Outcome<store::Reply>& reply);

  store::Store& store_;
  store::Executor& executor_;
  const workload::EngineFeed& feed_;
  Hooks hooks_;
  std::map<FamilyName, Family> families_;
  std::map<std::string, FamilyName, std::less<>> by_pod_;  // by uid
  std::set<FamilyName> touched_;
  size_t under_way_ = 0;
  std::shared_ptr<ElasticPods*> self_;
};

}  // namespace berth::control
