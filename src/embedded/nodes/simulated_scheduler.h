#pragma once

// Runs node_room.h and node_lifecycle.h over a store: registers nodes, finds nodes for pods, and
// tells which pods have to leave theirs.

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "api/core/node.h"
#include "api/core/pod.h"
#include "embedded/nodes/node_room.h"
#include "embedded/nodes/simulated_nodes.h"
#include "store/informer.h"
#include "store/store.h"
#include "store/weak_self.h"

namespace berth::embedded {

// Everything runs on the executor.
class SimulatedScheduler {
 public:
  using ReconcilePod = std::function<void(const store::ObjectName& pod)>;

  // Calls `reconcile` for pods that a change of nodes may concern.
  SimulatedScheduler(store::Store& store, store::Executor& executor,
                     const SimulationSettings& settings, ReconcilePod reconcile);
  ~SimulatedScheduler();
  SimulatedScheduler(const SimulatedScheduler&) = delete;
  SimulatedScheduler& operator=(const SimulatedScheduler&) = delete;

  // To be called for every change of a pod.
  void OnPod(const store::Change& change);

  enum class PodDisposition : uint8_t {
    kKeep,
    kUnreachable,  // the kubelet does not answer: the pod does not change
    kEvicted,      // to be deleted
    kOrphaned,     // its node was deleted: to be removed without the kubelet
  };
  struct PodVerdict {
    PodDisposition disposition = PodDisposition::kKeep;
    std::optional<base::Time> changes_at;  // when the verdict changes
  };
  // What the state of its node requires for the pod.
  PodVerdict VerdictOf(const api::Pod& pod) const;
  // A node for the pod, whose room is taken from now on. Without one, `reconcile` is called when
  // there may be one.
  NodeChoice Choose(const store::ObjectName& name, const api::Pod& pod);
  // A node was chosen for the pod, and the pod has not been seen there yet.
  bool IsBeingBound(const store::ObjectName& name, const api::Pod& pod) const;
  // To be called if the pod could not be bound to the node chosen for it.
  void GiveUp(const store::ObjectName& name);

 private:
  void RegisterMore();
  void OnNode(const store::Change& change);
  void ReconcileNode(const std::string& name);
  void Write(const store::Object& node, const api::Node& now, const api::Node& wanted);
  std::optional<api::Node> FindNode(const std::string& name) const;
  void ReconcilePodsOf(const std::string& node);
  // Has pods without a node tried again, in batches.
  void Retry();
  void PostRetry();
  void RetryBatch();

  store::Store& store_;
  store::Executor& executor_;
  SimulationSettings settings_;
  ReconcilePod reconcile_;
  NodeRoom room_;
  std::map<std::string, std::set<store::ObjectName>, std::less<>> pods_of_;  // by node
  std::set<store::ObjectName> unscheduled_;
  std::deque<store::ObjectName> to_retry_;
  bool must_retry_ = false;  // all of them, after the current ones
  bool is_retry_posted_ = false;
  size_t next_registration_ = 0;
  std::set<std::string> busy_;  // nodes with a write in flight
  std::unique_ptr<store::Informer> nodes_;
  store::WeakSelf self_;
};

}  // namespace berth::embedded
