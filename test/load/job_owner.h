#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/workload.h"
#include "base/time.h"
#include "load/quota_audit.h"
#include "simulate/input.h"
#include "store/inbox.h"
#include "store/informer.h"
#include "store/store.h"

namespace berth::load {

// Plays the role of those who own jobs: creates Workloads at the times of an input, lets admitted
// ones run for their time and calls them finished, and stops those that are evicted. Beside that it
// watches everything, as an auditor would.
class JobOwner {
 public:
  struct Figures {
    double wall_seconds = 0;  // from the first creation to the last end
    size_t finished = 0;
    size_t evictions = 0;
    // Writes to Workloads that were not ours, and writes of Events.
    size_t writes_of_others = 0;
    size_t event_writes = 0;
    // Of ours, which were done again: somebody wrote first, or the server was away.
    size_t conflicts = 0;
    size_t failures = 0;
    std::map<std::string, std::vector<double>> wait_seconds;  // creation to admission, by class
    std::vector<base::Time> admissions;                       // when they were seen
    // Quota exceeded, Workloads lost, writes refused.
    std::vector<std::string> faults;
  };

  // Everything must outlive it. Its input is in order of arrival.
  JobOwner(store::Store& store, const simulate::Input& input);
  // Waits for the answers to what it has asked.
  ~JobOwner();
  JobOwner(const JobOwner&) = delete;
  JobOwner& operator=(const JobOwner&) = delete;

  // Queues, namespaces and whatever else the input has besides jobs. Says what was refused.
  std::string CreateObjects();
  // Until somebody has said of every ClusterQueue that it is active, or for so long; whether it is.
  bool AwaitActiveQueues(base::Duration limit);
  // Until every job has ended, or for so long.
  Figures Run(base::Duration limit);

 private:
  struct Job {
    const simulate::Job* given = nullptr;
    base::Time created;
    bool was_admitted = false;
    bool is_finished = false;
    std::optional<base::Time> ends_at;  // while it runs
    // The version that was last written over. What comes of that is waited for.
    std::string acted_on;
  };

  void CreateNext();
  void Create(uint32_t number);
  void OnWorkload(const store::Change& change);
  void Audit();
  void Note(const api::Workload& workload, Job& job);
  // What the owner of the job has to do now, as its Workload is.
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
  std::map<std::string, Job> jobs_;  // by "namespace/name"
  std::unique_ptr<store::Informer> workloads_;
  base::Time begin_;
  size_t next_ = 0;
  // After a failure, a new list may tell many changes at once, in no order of time: what holds then
  // is seen at its end.
  bool is_catching_up_ = false;
  size_t calls_under_way_ = 0;
  size_t versions_seen_ = 0;
  size_t own_writes_ = 0;
  Figures figures_;
};

}  // namespace berth::load
