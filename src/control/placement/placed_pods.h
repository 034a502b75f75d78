#pragma once

// The pods that were placed in a topology and have not ended, with what placement depends on.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/kueue/workload.h"
#include "api/meta/meta.h"
#include "base/flat_map.h"
#include "store/informer.h"
#include "store/object.h"

namespace berth::control {

struct PlacedPod {
  std::string uid;
  std::string version;
  store::ObjectName workload;  // PodOwnerName of the Workload that it runs on
  std::string pod_set;
  std::string node;   // "" until it is bound
  std::string phase;  // Pending, Running or Unknown
  base::FlatMap<std::string> node_selector;
  std::vector<std::string> gates;
  base::FlatMap<int32_t> indices;  // the labels whose values are numbers
  std::string index_offset;        // "" if it has none
  bool is_of_group = false;
  bool is_terminating = false;

  bool HasGate(std::string_view gate) const;
  // Whether it waits for its domain.
  bool IsGated() const;
  // The node that it is pinned to; "" if it is not, as long as it is gated or if the nodes are not
  // a level of its topology.
  std::string_view PinnedNode() const;
};

// Whether a pod was placed, or is to be, by topology-aware scheduling. Jobs start with such an
// annotation in each template with a topology assignment.
bool IsPlaced(const api::ObjectMeta& pod);

// The Workload that pods name as theirs: all slices of an elastic job share the first one's pods.
store::ObjectName PodOwnerName(const api::Workload& workload);

class PlacedPods {
 public:
  using Pods = std::map<std::string, PlacedPod>;  // by name

  using OnAnswer = std::function<void(const std::set<store::ObjectName>& workloads)>;

  // `reads_annotations`: a group's name may be given by an annotation. `on_answer` gets the
  // Workloads whose pods an answer of the API server changed: the watch event that repeats it
  // changes none.
  PlacedPods(bool reads_annotations, OnAnswer on_answer)
      : reads_annotations_(reads_annotations), on_answer_(std::move(on_answer)) {}

  // A watch event. Returns the Workloads whose pods changed: known and older versions are ignored.
  std::set<store::ObjectName> OnPodChange(const store::Change& change);
  // A version that the API server answered with.
  void OnWritten(const store::Object& pod);

  // Null if there is no such pod.
  const PlacedPod* Find(const store::ObjectName& pod) const;
  // The pods of a Workload, by PodOwnerName.
  const Pods& Of(const store::ObjectName& workload) const;

 private:
  // Returns the Workloads whose pods changed.
  std::set<store::ObjectName> Upsert(const store::Object& pod);
  void Insert(const store::ObjectName& name, PlacedPod pod);
  void Erase(const store::ObjectName& name);
  // Nullopt if the pod was not placed, or has ended.
  std::optional<PlacedPod> Read(const store::Object& object) const;

  const bool reads_annotations_;
  OnAnswer on_answer_;
  std::map<store::ObjectName, store::ObjectName> workloads_;  // by pod
  std::map<store::ObjectName, Pods> pods_;                    // by Workload
};

}  // namespace berth::control
