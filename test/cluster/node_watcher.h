#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "api/core/pod.h"
#include "api/meta/object.h"
#include "load/node_audit.h"
#include "store/inbox.h"
#include "store/informer.h"
#include "store/store.h"
#include "workload/requests/requests.h"

namespace berth::cluster {

// Watches whether nodes are ever overfull, independently of the engine and on a thread of its own:
// by the pods that are bound to them, and by those that Workloads with quota are assigned there.
class NodeWatcher {
 public:
  // The store must outlive this. Host names are the names of the nodes.
  NodeWatcher(store::Store& store, const std::vector<api::Object>& nodes);
  ~NodeWatcher();

  // Ends the watches and returns the faults of all versions seen, each once.
  std::set<std::string> Stop();

 private:
  template <class T>
  void Watch(store::Store& store);
  void Observe(const std::string& name, const api::Pod* pod);
  void Observe(const std::string& name, const api::Workload* workload);
  void Add(const api::Pod& pod, int64_t times);

  store::Inbox inbox_;
  load::NodeAudit assigned_;
  std::map<std::string, workload::Requests> allocatable_;  // by node
  std::map<std::string, workload::Requests> bound_;        // by node
  std::map<std::string, api::Pod> pods_;                   // that are bound and run
  std::set<std::string> faults_;
  std::vector<std::unique_ptr<store::Informer>> informers_;
  std::thread thread_;
};

}  // namespace berth::cluster
