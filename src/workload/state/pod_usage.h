#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/core/pod.h"
#include "base/inline_vector.h"
#include "base/int128.h"
#include "engine/engine.h"

namespace berth::workload {

// What pods request on their nodes that are not placed here, summed by node.
//
// Pods of a placed workload count with the workload. If the workload loses its place, pods of it
// that still run count here, unless they are being deleted: as in Kueue, the next workload does not
// wait for their end.
class PodUsage {
 public:
  // The engine must outlive this.
  explicit PodUsage(engine::Engine& engine) : engine_(engine) {}

  void Upsert(const api::Pod& pod);
  void Erase(std::string_view namespaced_name);
  // Whether this workload has a place for its pods. `key`: see WorkloadKey.
  void SetPlaced(const std::string& key, const std::string& workload, bool is_placed);

  // Applies changed sums to the engine. Returns the nodes on which less is requested than before.
  std::vector<std::string> Sync();

  size_t pod_count() const { return pods_.size(); }

 private:
  struct Part {
    engine::ResourceId resource;
    int64_t amount = 0;
  };
  struct Sum {
    engine::ResourceId resource;
    base::Int128 amount = 0;  // exact, so that pods can be taken out again
  };
  using Sums = std::vector<Sum>;
  using Node = std::map<std::string, Sums, std::less<>>::iterator;
  struct Pod {
    Node node;
    base::InlineVector<Part, 3> requests;
    std::string key;  // of its workload; "" if it has none
    bool is_deleted = false;
    bool is_counted = false;
  };
  using Pods = std::map<std::string, Pod, std::less<>>;

  bool IsPlaced(const std::string& key) const { return placed_.contains(key); }
  void Count(Pod& pod, bool is_counted);

  engine::Engine& engine_;
  Pods pods_;                                             // bound to a node, by namespaced name
  std::map<std::string, Sums, std::less<>> sums_;         // by node
  std::map<std::string, std::set<std::string>> pods_of_;  // by key
  std::map<std::string, std::set<std::string>> placed_;   // workloads by key
  std::set<std::string> more_, less_;                     // nodes whose sums changed
};

}  // namespace berth::workload
