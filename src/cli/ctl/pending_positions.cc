#include "cli/ctl/pending_positions.h"

#include <memory>
#include <optional>

#include "cli/live_objects.h"
#include "cli/settings.h"
#include "explain/load.h"
#include "json/json.h"
#include "json/path.h"
#include "observe/pending_list.h"
#include "store/system_time.h"

namespace berth::cli {
namespace {

using Positions = std::map<store::ObjectName, int64_t>;

const store::Resource& VisibleLocalQueue() {
  static const store::Resource kResource{.group = std::string(observe::kVisibilityGroup),
                                         .version = "v1beta2",
                                         .plural = "localqueues",
                                         .kind = "LocalQueue",
                                         .is_namespaced = true};
  return kResource;
}

void AddPositions(std::string_view summary, Positions& positions) {
  const auto parsed = json::Parse(summary);
  const json::value* items = parsed ? json::Find(*parsed, {"items"}) : nullptr;
  if (items == nullptr || !items->is_array()) return;
  for (const json::value& item : items->get_array())
    positions[{.namespace_ = std::string(json::StringAt(item, {"metadata", "namespace"})),
               .name = std::string(json::StringAt(item, {"metadata", "name"}))}] =
        json::IntAt(item, "positionInLocalQueue").value_or(0);
}

// Whether the server has the visibility API at all.
bool IsServed(ctl::Cluster& cluster) {
  store::Resource group = VisibleLocalQueue();
  group.plural.clear();
  return cluster.TryGet({.resource = group, .namespace_ = {}, .name = {}, .subresource = {}})
      .has_value();
}

Positions Computed(ctl::Cluster& cluster, const std::set<store::ObjectName>& local_queues,
                   Output& err) {
  Positions positions;
  const auto manifests = ReadCluster(cluster.store());
  if (!manifests) return positions;
  const std::optional<Settings> settings = ReadSettings({}, *manifests, err);
  if (!settings) return positions;
  const std::unique_ptr<workload::ClusterState> state =
      explain::Load(settings->configuration, settings->gates, *manifests, store::SystemTime());
  for (const store::ObjectName& queue : local_queues) {
    const auto summary = observe::PendingSummary(
        {.namespace_ = queue.namespace_, .name = queue.name, .limit = INT32_MAX}, *state);
    if (summary) AddPositions(*summary, positions);
  }
  return positions;
}

}  // namespace

Positions PendingPositions(ctl::Cluster& cluster, const std::set<store::ObjectName>& local_queues,
                           Output& err) {
  Positions positions;
  if (local_queues.empty()) return positions;
  if (!IsServed(cluster)) return Computed(cluster, local_queues, err);
  for (const store::ObjectName& queue : local_queues) {
    const auto summary = cluster.TryGet({.resource = VisibleLocalQueue(),
                                         .namespace_ = queue.namespace_,
                                         .name = queue.name,
                                         .subresource = "pendingworkloads"});
    if (summary) AddPositions(summary->text(), positions);
  }
  return positions;
}

}  // namespace berth::cli
