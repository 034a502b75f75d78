#pragma once

// The admission of a Workload: reserved quota, flavors and topology.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/kueue/topology_assignment.h"
#include "base/flat_map.h"
#include "quantity/quantity.h"
#include "schema/describe.h"

namespace berth::api {

// States of a topology assignment that is delayed until the admission checks are Ready.
inline constexpr std::string_view kDelayedTopologyPending = "Pending";
inline constexpr std::string_view kDelayedTopologyReady = "Ready";
inline constexpr std::string_view kDelayedTopologyRequestStates[] = {kDelayedTopologyPending,
                                                                     kDelayedTopologyReady};

struct PodSetAssignment {
  std::string name;
  base::FlatMap<std::string> flavors;                // keyed by resource
  base::FlatMap<quantity::Quantity> resource_usage;  // of all pods together
  std::optional<int32_t> count;                      // absent: the count of the pod set
  std::optional<TopologyAssignment> topology_assignment;
  std::optional<std::string> delayed_topology_request;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const PodSetAssignment&, const PodSetAssignment&) = default;
};

struct Admission {
  std::string cluster_queue;
  std::vector<PodSetAssignment> pod_set_assignments;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const Admission&, const Admission&) = default;
};

}  // namespace berth::api

// Compiled once, in admission.cc.
extern template class std::vector<berth::api::PodSetAssignment>;
