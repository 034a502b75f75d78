#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/core/node.h"
#include "api/kueue/workload.h"
#include "base/time.h"
#include "load/node_audit.h"
#include "load/quota_audit.h"
#include "simulate/input.h"
#include "store/inbox.h"
#include "store/informer.h"
#include "store/store.h"

namespace berth::load {

// Acts as the owner of jobs: creates Workloads at the arrival times of an input, finishes admitted
// ones after their run time, and stops evicted ones. Also watches everything as an auditor.
class JobOwner {
 public:
  struct Figures {
    double wall_seconds = 0;  // first creation to last completion
    size_t finished = 0;
    size_t evictions = 0;
    // Workload writes by others, and Event writes.
    size_t writes_of_others = 0;
    size_t event_writes = 0;
    // Own writes that were retried: conflicts, or the server was unavailable.
    size_t conflicts = 0;
    size_t failures = 0;
    std::map<std::string, std::vector<double>> wait_seconds;  // creation to admission, by class
    std::vector<base::Time> admissions;                       // when observed
    // Quota or nodes exceeded, Workloads lost, writes rejected.
    std::vector<std::string> faults;
  };

  // All arguments must outlive it. The input is sorted by arrival.
  JobOwner(store::Store& store, const simulate::Input& input);
  // Waits for outstanding replies.
  ~JobOwner();
  JobOwner(const JobOwner&) = delete;
  JobOwner& operator=(const JobOwner&) = delete;

  // Creates queues, nodes, namespaces and other objects of the input. Returns rejections.
  std::string CreateObjects();
  // Waits until every ClusterQueue is active; false on timeout.
  bool AwaitActiveQueues(base::Duration limit);
  // Runs until every job has finished, or until the limit.
  Figures Run(base::Duration limit);

 private:
  struct Job {
    const simulate::Job* given = nullptr;
    base::Time created;
    bool was_admitted = false;
    bool is_finished = false;
    std::optional<base::Time> ends_at;  // while running
    // The resourceVersion of the last own write's base; its result is still awaited.
    std::string acted_on;
  };

  std::string CreateObject(const store::Resource& resource, const std::string& space,
                           std::string json);
  // An API server taints new nodes until their kubelet reports.
  std::string RestoreTaints(const api::Node& node);
  void CreateNext();
  void Create(uint32_t number);
  void OnWorkload(const store::Change& change);
  void Audit();
  void Record(const api::Workload& workload, Job& job);
  // Performs the owner's next action for the state of the Workload.
  void Act(const std::string& name);
  void ActAfter(base::Duration delay, const std::string& name);
  void Do(store::Call call, std::function<void(const store::Outcome<store::Reply>&)> then);
  void Write(const store::Object& object, const api::Workload& workload, Job& job);
  void OnWritten(const std::string& name, const store::Outcome<store::Reply>& reply);
  void Fault(std::string text);

  store::Store& store_;
  const simulate::Input& input_;
  store::Inbox inbox_;
  QuotaAudit audit_;
  NodeAudit node_audit_;
  std::map<std::string, Job> jobs_;  // by "namespace/name"
  std::unique_ptr<store::Informer> workloads_;
  base::Time begin_;
  size_t next_ = 0;
  // After a failure, a relist may deliver many changes at once and out of order; the audit waits
  // for its end.
  bool is_catching_up_ = false;
  size_t outstanding_calls_ = 0;
  size_t versions_seen_ = 0;
  size_t own_writes_ = 0;
  Figures figures_;
};

}  // namespace berth::load
