#pragma once

// Objects for tests of topology-aware scheduling: hosts in racks, and a team whose pods are placed
// on them.

#include <string>
#include <string_view>

#include "api/kueue/workload.h"
#include "embedded/testing/live_cluster.h"

namespace berth::embedded::testing {

// The namespace "team" with the LocalQueue "main" of the ClusterQueue "team", which has cpu of the
// flavor "tas". Its nodes have the label pool=tas, its Topology "racks" has the levels "rack" and
// the host. `queue` and `flavor` are added to the specs: as "  a: b\n", as ", a: b".
std::string PlacedTeam(int cpu, std::string_view queue = "", std::string_view flavor = "");
std::string Racks(
    std::string_view levels = "{nodeLabel: rack}, {nodeLabel: kubernetes.io/hostname}");

struct NodeText {
  std::string_view name;
  std::string_view rack = "r1";  // "": without the label
  std::string_view host = "";    // the hostname; "": the name
  std::string_view cpu = "4";
  std::string_view spec = "";  // as "a: b"
  bool is_ready = true;
};
// Creates or updates the node with its status.
void PutNode(LiveCluster& cluster, const NodeText& node);

// A job of `pods` pods. `where`: the annotation of its template, as "required-topology: rack".
struct PlacedJobText {
  std::string_view name;
  int pods = 1;
  std::string_view cpu = "3";
  std::string_view where = "required-topology: rack";
  std::string_view metadata = "";  // as in JobText
};
std::string PlacedJob(const PlacedJobText& job);

// The domains of all pod sets: "n1:2 n2:1".
std::string PlacesOf(const api::Workload& workload);
std::string PlacesOf(LiveCluster& cluster, std::string_view job);

}  // namespace berth::embedded::testing
