#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "api/kueue/workload.h"
#include "api/meta/object.h"
#include "workload/requests/requests.h"

namespace berth::load {

// Sums what placed Workloads request on each node, from API objects only and independently of the
// engine, and detects nodes with more than is allocatable, and placed pods on nodes that do not
// exist. Only for topologies whose lowest level is the hostname.
class NodeAudit {
 public:
  explicit NodeAudit(const std::vector<api::Object>& objects);

  // The current state of a Workload; null if deleted.
  void Observe(const std::string& name, const api::Workload* workload);
  // An overfull node, or one that does not exist; "" if none.
  std::string Exceeded() const;

 private:
  struct Node {
    workload::Requests allocatable;
    workload::Requests used;
  };
  // Pods of a Workload, with their requests, by host.
  using Holding = std::map<std::string, workload::Requests>;

  static Holding HoldingOf(const api::Workload& workload);
  void Add(const Holding& holding, int64_t times);

  std::map<std::string, Node> nodes_;            // by host
  std::map<std::string, Holding> holdings_;      // by Workload
  std::map<std::string, std::string> exceeded_;  // by host
};

}  // namespace berth::load
