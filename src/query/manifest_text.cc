#include "query/manifest_text.h"

#include "json/json.h"
#include "schema/encode.h"
#include "schema/yaml/writer.h"

namespace berth::query {
namespace {

// Nullopt for a null object.
template <class T>
std::optional<std::string> TextOf(const T* object) {
  if (object == nullptr) return std::nullopt;
  auto tree = json::Parse(schema::Encode(*object));
  if (!tree || !tree->is_object()) return std::nullopt;
  if (auto* metadata = tree->as_object().if_contains("metadata");
      metadata != nullptr && metadata->is_object())
    metadata->as_object().erase("managedFields");
  auto yaml = schema::JsonToYaml(json::Print(*tree));
  return yaml ? std::optional(*std::move(yaml)) : std::nullopt;
}

std::string_view NamespaceOf(std::string_view namespaced_name) {
  return namespaced_name.substr(0, namespaced_name.find('/'));
}

}  // namespace

std::optional<std::string> ManifestText(const workload::ClusterState& cluster,
                                        std::string_view plural, std::string_view name,
                                        const Viewer& viewer) {
  if (plural == "clusterqueues" && viewer.sees_cluster_queues)
    return TextOf(cluster.FindClusterQueue(name));
  if (plural == "cohorts" && viewer.sees_cohorts) return TextOf(cluster.FindCohort(name));
  if (plural == "resourceflavors" && viewer.sees_flavors) return TextOf(cluster.FindFlavor(name));
  if (plural == "localqueues" && viewer.local_queues.Contains(NamespaceOf(name)))
    return TextOf(cluster.FindLocalQueue(name));
  if (plural == "workloads" && viewer.workloads.Contains(NamespaceOf(name)))
    return TextOf(cluster.FindWorkload(name));
  return std::nullopt;
}

}  // namespace berth::query
