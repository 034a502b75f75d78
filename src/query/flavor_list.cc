#include "query/flavor_list.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "json/json.h"
#include "query/quota_totals.h"
#include "schema/encode.h"

namespace berth::query {
namespace {

using QueuesByFlavor = std::map<std::string, std::set<std::string>, std::less<>>;

QueuesByFlavor QueuesOf(const workload::ClusterState& cluster) {
  QueuesByFlavor queues;
  cluster.ForEachClusterQueue([&](const api::ClusterQueue& queue, engine::NodeId) {
    for (const api::ResourceGroup& group : queue.spec.resource_groups)
      for (const api::FlavorQuotas& flavor : group.flavors)
        queues[flavor.name].insert(queue.metadata.name);
  });
  return queues;
}

// Fields of the spec that the list has under another name, or of another form when absent.
void WriteSpec(const std::string& spec, schema::JsonWriter& w) {
  const auto tree = json::Parse(spec);
  const auto field = [&](std::string_view name) -> const json::value* {
    return tree ? json::Find(*tree, {name}) : nullptr;
  };
  const json::value* labels = field("nodeLabels");
  w.Key("nodeLabels").Raw(labels == nullptr ? "{}" : json::Print(*labels));
  const json::value* taints = field("nodeTaints");
  w.Key("nodeTaints").Raw(taints == nullptr ? "[]" : json::Print(*taints));
  if (const json::value* topology = field("topologyName"))
    w.Key("topology").Raw(json::Print(*topology));
}

}  // namespace

FlavorList ListFlavors(const workload::ClusterState& cluster, const Viewer& viewer) {
  FlavorList list;
  if (!viewer.sees_flavors) return list;
  cluster.ForEachFlavor([&](const api::ResourceFlavor& flavor) {
    list.flavors.push_back({.name = flavor.metadata.name, .spec = schema::Encode(flavor.spec)});
  });
  if (!viewer.sees_cluster_queues) return list;
  const std::vector<QuotaFigures> totals = TotalsOf(cluster);
  const QueuesByFlavor queues = QueuesOf(cluster);
  for (FlavorRow& row : list.flavors) {
    std::ranges::copy_if(totals, std::back_inserter(row.resources),
                         [&](const QuotaFigures& total) { return total.flavor == row.name; });
    if (const auto found = queues.find(row.name); found != queues.end())
      row.cluster_queues.assign(found->second.begin(), found->second.end());
  }
  return list;
}

std::string ToJson(const FlavorList& list, std::string_view revision) {
  schema::JsonWriter w;
  w.BeginObject().Member("revision", revision).Key("items").BeginArray();
  for (const FlavorRow& row : list.flavors) {
    w.BeginObject().Member("name", row.name);
    WriteSpec(row.spec, w);
    WriteTotals("resources", row.resources, w);
    w.Key("clusterQueues").BeginArray();
    for (const std::string& queue : row.cluster_queues) w.Value(queue);
    w.EndArray().EndObject();
  }
  w.EndArray().EndObject();
  return w.Take();
}

}  // namespace berth::query
