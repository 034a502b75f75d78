#pragma once

// The watches that only placement needs: of nodes, and of all pods that take room on one. Both are
// reduced on arrival (workload/topology/reduced_objects.h), so that a large cluster is not kept in
// memory, and a heartbeat of a node is no change.
//
// They start with the first ResourceFlavor that names a Topology, or with the first Workload that
// has a place, and stay.

#include <functional>

#include "control/kind_watches.h"
#include "schema/describe.h"
#include "store/reflector.h"
#include "workload/state/object_handlers.h"

namespace berth::control {

class PlacementWatches {
 public:
  using OnChange = std::function<void(const schema::Kind&, const store::Change&)>;

  // The watches must outlive this.
  PlacementWatches(KindWatches& watches, OnChange on_change);

  // Whether objects of the kind come from these watches.
  static bool Cover(const schema::Kind& kind);
  // Starts the watches with the first flavor that has a topology.
  void AddHandlers(workload::ObjectHandlers& handlers);
  // Without effect if they have started.
  void Start();

 private:
  KindWatches& watches_;
  OnChange on_change_;
  bool is_started_ = false;
};

}  // namespace berth::control
