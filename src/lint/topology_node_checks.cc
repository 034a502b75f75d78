#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "api/core/node.h"
#include "api/kueue/resource_flavor.h"
#include "api/kueue/topology.h"
#include "api/kueue/well_known.h"
#include "api/meta/problem_report.h"
#include "lint/checks.h"
#include "lint/topology_requests.h"

namespace berth::lint {
namespace {

// A flavor and its Topology.
struct FlavorLevels {
  const api::ResourceFlavor* flavor;
  const api::Topology* topology;

  bool HasNode(const api::Node& node) const {
    return std::ranges::all_of(flavor->spec.node_labels, [&](const auto& wanted) {
      const std::string* value = node.metadata.labels.Find(wanted.first);
      return value != nullptr && *value == wanted.second;
    });
  }
  bool HasHostnames() const {
    return topology->spec.levels.back().node_label == api::kHostnameLabel;
  }
};

std::vector<FlavorLevels> FlavorsWithTopology(const Catalog& catalog) {
  std::vector<FlavorLevels> flavors;
  if (!catalog.gates().IsOn(api::Gate::kTopologyAwareScheduling)) return flavors;
  catalog.ForEach<api::ResourceFlavor>([&](const Entry&, const api::ResourceFlavor& flavor) {
    if (!flavor.spec.topology_name) return;
    const auto* topology = catalog.Find<api::Topology>(*flavor.spec.topology_name);
    if (topology != nullptr && !topology->spec.levels.empty())
      flavors.push_back({&flavor, topology});
  });
  return flavors;
}

// The kubelet sets the label of the hostname.
std::vector<std::string_view> MissingLevels(const FlavorLevels& flavor, const api::Node& node) {
  std::vector<std::string_view> missing;
  for (const api::TopologyLevel& level : flavor.topology->spec.levels) {
    if (level.node_label != api::kHostnameLabel && !node.metadata.labels.Contains(level.node_label))
      missing.push_back(level.node_label);
  }
  return missing;
}

void CheckLevelLabels(const std::vector<FlavorLevels>& flavors, const Entry& entry,
                      const api::Node& node, Report& report) {
  std::set<const api::Topology*> reported;
  for (const FlavorLevels& flavor : flavors) {
    const std::vector<std::string_view> missing = MissingLevels(flavor, node);
    if (missing.empty() || !flavor.HasNode(node) || !reported.insert(flavor.topology).second)
      continue;
    report.Warn(
        entry, "node-lacks-level",
        {.field = "metadata.labels",
         .message = "Node " + api::Quoted(node.metadata.name) +
                    " has the labels of ResourceFlavor " +
                    api::Quoted(flavor.flavor->metadata.name) + ", but no label " +
                    api::QuotedList(missing) + " of Topology " +
                    api::Quoted(flavor.topology->metadata.name) + ": no pods are placed on it",
         .hint = "label the node"});
  }
}

// Nodes of topologies that identify nodes by their hostname.
class HostnameChecker {
 public:
  HostnameChecker(const std::vector<FlavorLevels>& flavors, Report& report)
      : flavors_(flavors), report_(report) {}

  void Check(const Entry& entry, const api::Node& node) {
    const std::string* hostname = node.metadata.labels.Find(api::kHostnameLabel);
    const bool counts = hostname != nullptr && std::ranges::any_of(flavors_, [&](const auto& f) {
                          return f.HasHostnames() && f.HasNode(node);
                        });
    if (!counts) return;
    const auto [first, is_new] = seen_.try_emplace(*hostname, node.metadata.name);
    if (is_new || first->second == node.metadata.name) return;
    report_.Warn(entry, "duplicate-hostname",
                 {.field = "metadata.labels[" + std::string(api::kHostnameLabel) + "]",
                  .message = "hostname " + api::Quoted(*hostname) + " is also that of Node " +
                             api::Quoted(first->second) +
                             ": pods that are placed on one may run on the other",
                  .hint = "give every node a hostname of its own"});
  }

 private:
  const std::vector<FlavorLevels>& flavors_;
  Report& report_;
  std::map<std::string, std::string> seen_;  // node by hostname
};

}  // namespace

void CheckTopologyNodes(const Catalog& catalog, Report& report) {
  const std::vector<FlavorLevels> flavors = FlavorsWithTopology(catalog);
  HostnameChecker hostnames(flavors, report);
  catalog.ForEach<api::Node>([&](const Entry& entry, const api::Node& node) {
    CheckLevelLabels(flavors, entry, node, report);
    hostnames.Check(entry, node);
  });
}

}  // namespace berth::lint
