#include "observe/pending_list.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <vector>

#include "schema/json/writer.h"
#include "workload/convert/convert_queue.h"
#include "workload/convert/convert_workload.h"

namespace berth::observe {
namespace {

constexpr std::string_view kGroupsPath = "/apis";
constexpr std::string_view kGroupPath = "/apis/visibility.kueue.x-k8s.io";
constexpr std::string_view kVersions[] = {"v1beta2", "v1beta1"};  // preferred first
constexpr int64_t kMaxPending = 100'000;

std::string GroupVersion(std::string_view version) {
  return std::string(kVisibilityGroup) + '/' + std::string(version);
}

std::vector<std::string_view> SplitAt(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const size_t end = std::min(text.find(separator), text.size());
    parts.push_back(text.substr(0, end));
    if (end == text.size()) return parts;
    text.remove_prefix(end + 1);
  }
}

// Clamped to valid values; a malformed number is ignored.
void ReadNumber(std::string_view parameter, std::string_view name, int64_t& number) {
  if (!parameter.starts_with(name) || !parameter.substr(name.size()).starts_with('=')) return;
  const std::string_view text = parameter.substr(name.size() + 1);
  int64_t read = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), read).ec == std::errc())
    number = std::max<int64_t>(read, 0);
}

// A pending workload and its positions.
struct Pending {
  const api::Workload* workload;
  int64_t priority;
  int64_t in_cluster_queue;
  int64_t in_local_queue;
};

void WriteMetadata(const api::ObjectMeta& metadata, schema::JsonWriter& w) {
  w.Key("metadata").BeginObject().Member("name", metadata.name);
  w.Member("namespace", metadata.namespace_);
  if (metadata.creation_timestamp)
    w.Member("creationTimestamp", base::FormatTime(*metadata.creation_timestamp));
  if (!metadata.owner_references.empty()) {
    w.Key("ownerReferences").BeginArray();
    for (const api::OwnerReference& owner : metadata.owner_references)
      w.BeginObject()
          .Member("apiVersion", owner.api_version)
          .Member("kind", owner.kind)
          .Member("name", owner.name)
          .Member("uid", owner.uid)
          .EndObject();
    w.EndArray();
  }
  w.EndObject();
}

void WritePending(const Pending& pending, schema::JsonWriter& w) {
  w.BeginObject();
  WriteMetadata(pending.workload->metadata, w);
  w.Member("priority", pending.priority);
  w.Member("localQueueName", pending.workload->spec.queue_name.value_or(""));
  w.Member("positionInClusterQueue", pending.in_cluster_queue);
  w.Member("positionInLocalQueue", pending.in_local_queue).EndObject();
}

std::vector<Pending> PendingIn(std::string_view cluster_queue,
                               const workload::ClusterState& cluster) {
  const engine::Engine& engine = cluster.engine();
  const engine::NodeId node = engine.FindClusterQueue(cluster_queue);
  std::vector<Pending> all;
  if (node.is_none()) return all;
  std::map<std::string, int64_t> places;
  for (const engine::WorkloadId id : engine.WaitingIn(node)) {
    const api::Workload& w = cluster.WorkloadOf(id);
    int64_t& place =
        places[workload::NamespacedName(w.metadata.namespace_, w.spec.queue_name.value_or(""))];
    all.push_back({&w, w.spec.priority.value_or(0), static_cast<int64_t>(all.size()), place++});
  }
  return all;
}

// Nullopt if the queue does not exist.
std::optional<std::string> TargetOf(const PendingQuery& query,
                                    const workload::ClusterState& cluster) {
  if (query.namespace_.empty())
    return cluster.FindClusterQueue(query.name) == nullptr ? std::nullopt
                                                           : std::optional(query.name);
  const api::LocalQueue* local =
      cluster.FindLocalQueue(workload::NamespacedName(query.namespace_, query.name));
  if (local == nullptr || workload::IsStopped(local->spec.stop_policy)) return std::nullopt;
  return local->spec.cluster_queue.value_or("");
}

// The members of an APIGroup.
void WriteGroup(schema::JsonWriter& w) {
  const auto write_version = [&](std::string_view version) {
    w.BeginObject().Member("groupVersion", GroupVersion(version)).Member("version", version);
    w.EndObject();
  };
  w.Member("name", kVisibilityGroup).Key("versions").BeginArray();
  for (const std::string_view version : kVersions) write_version(version);
  w.EndArray().Key("preferredVersion");
  write_version(kVersions[0]);
}

void WriteSubresource(std::string_view parent, bool is_namespaced, schema::JsonWriter& w) {
  w.BeginObject().Member("name", std::string(parent) + "/pendingworkloads");
  w.Member("singularName", "").Member("namespaced", is_namespaced);
  w.Member("kind", "PendingWorkloadsSummary").Key("verbs").BeginArray().Value("get").EndArray();
  w.EndObject();
}

std::string ResourcesOf(std::string_view version) {
  schema::JsonWriter w;
  w.BeginObject().Member("kind", "APIResourceList").Member("apiVersion", "v1");
  w.Member("groupVersion", GroupVersion(version)).Key("resources").BeginArray();
  WriteSubresource("clusterqueues", false, w);
  WriteSubresource("localqueues", true, w);
  w.EndArray().EndObject();
  return w.Take();
}

}  // namespace

std::optional<std::string> VisibilityDiscovery(std::string_view path) {
  for (const std::string_view version : kVersions)
    if (path == std::string(kGroupPath) + '/' + std::string(version)) return ResourcesOf(version);
  if (path != kGroupsPath && path != kGroupPath) return std::nullopt;
  schema::JsonWriter w;
  w.BeginObject().Member("kind", path == kGroupPath ? "APIGroup" : "APIGroupList");
  w.Member("apiVersion", "v1");
  if (path == kGroupPath) {
    WriteGroup(w);
  } else {
    w.Key("groups").BeginArray().BeginObject();
    WriteGroup(w);
    w.EndObject().EndArray();
  }
  w.EndObject();
  return w.Take();
}

std::optional<PendingQuery> ParsePendingQuery(std::string_view target) {
  if (!target.starts_with(kGroupPath) || !target.substr(kGroupPath.size()).starts_with('/'))
    return std::nullopt;
  target.remove_prefix(kGroupPath.size() + 1);
  const size_t mark = std::min(target.find('?'), target.size());
  const std::vector<std::string_view> parts = SplitAt(target.substr(0, mark), '/');
  PendingQuery query{.version = std::string(parts[0])};
  if (std::ranges::find(kVersions, query.version) == std::end(kVersions)) return std::nullopt;
  if (parts.size() < 4 || parts.back() != "pendingworkloads") return std::nullopt;
  query.name = parts[parts.size() - 2];
  const bool is_local = parts.size() == 6 && parts[1] == "namespaces" && parts[3] == "localqueues";
  if (is_local) query.namespace_ = parts[2];
  const bool is_cluster = parts.size() == 4 && parts[1] == "clusterqueues";
  if (query.name.empty() || (is_local ? query.namespace_.empty() : !is_cluster))
    return std::nullopt;
  for (const std::string_view parameter : SplitAt(target.substr(mark), '&')) {
    const std::string_view bare = parameter.starts_with('?') ? parameter.substr(1) : parameter;
    ReadNumber(bare, "limit", query.limit);
    ReadNumber(bare, "offset", query.offset);
  }
  query.limit = std::min(query.limit, kMaxPending);
  return query;
}

std::optional<std::string> PendingSummary(const PendingQuery& query,
                                          const workload::ClusterState& cluster) {
  const std::optional<std::string> target = TargetOf(query, cluster);
  if (!target) return std::nullopt;
  schema::JsonWriter w;
  w.BeginObject().Member("kind", "PendingWorkloadsSummary");
  w.Member("apiVersion", GroupVersion(query.version));
  w.Key("metadata").BeginObject().Key("creationTimestamp").Raw("null").EndObject();
  w.Key("items").BeginArray();
  int64_t skipped = 0, written = 0;
  for (const Pending& pending : PendingIn(*target, cluster)) {
    const bool is_meant =
        query.namespace_.empty() || (pending.workload->metadata.namespace_ == query.namespace_ &&
                                     pending.workload->spec.queue_name == query.name);
    if (!is_meant || skipped++ < query.offset) continue;
    if (written++ >= query.limit) break;
    WritePending(pending, w);
  }
  w.EndArray().EndObject();
  return w.Take();
}

}  // namespace berth::observe
