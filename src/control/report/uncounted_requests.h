#pragma once

// Records which requests of pending workloads do not count against quota, as an Event and in the
// log: excluded ones (KEP-5800) and undeclared ones (KEP-7513).

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "api/kueue/workload.h"
#include "lifecycle/event_record.h"
#include "workload/state/cluster_state.h"

namespace berth::control {

class UncountedRequests {
 public:
  struct Hooks {
    std::function<void(std::string_view)> log;
    std::function<void(const api::Workload&, const lifecycle::EventRecord&)> record_event;
  };

  // The cluster state must outlive this.
  UncountedRequests(workload::ClusterState& cluster, Hooks hooks)
      : cluster_(cluster), hooks_(std::move(hooks)) {}

  // Records the uncounted requests of a pending workload, once until they change. The charge of a
  // workload with reserved quota does not change any more.
  void Record(const api::Workload& workload);
  void OnDelete(std::string_view workload) { recorded_.erase(std::string(workload)); }

 private:
  workload::ClusterState& cluster_;
  Hooks hooks_;
  std::map<std::string, std::string> recorded_;  // by namespaced name of the workload
};

}  // namespace berth::control
