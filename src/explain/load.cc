#include "explain/load.h"

#include <algorithm>

#include "api/core/node.h"
#include "api/meta/problem_report.h"
#include "base/suggest.h"
#include "explain/sentences.h"
#include "objects/stored_object.h"
#include "workload/convert/convert_workload.h"

namespace berth::explain {
namespace {

using workload::NamespacedName;

bool IsCalled(const api::Workload& workload, std::string_view name, std::string_view space) {
  if (!space.empty() && workload.metadata.namespace_ != space) return false;
  return workload.metadata.name == name;
}

bool IsOwnedBy(const api::Workload& workload, std::string_view name, std::string_view space) {
  if (!space.empty() && workload.metadata.namespace_ != space) return false;
  return std::ranges::any_of(workload.metadata.owner_references,
                             [&](const auto& owner) { return owner.name == name; });
}

std::string NameHint(std::string_view wanted, const std::vector<const api::Workload*>& all) {
  constexpr size_t kMaxNamed = 10;
  if (all.empty())
    return "no Workloads in these files: add the output of `kubectl get workloads -A -o "
           "yaml`";
  std::vector<std::string> names;
  for (const api::Workload* w : all) {
    names.push_back(NamespacedName(w->metadata));
  }
  std::vector<std::string_view> candidates(names.begin(), names.end());
  for (const api::Workload* w : all) candidates.push_back(w->metadata.name);
  std::string near = base::DidYouMean(wanted, candidates);
  if (!near.empty()) return near;
  const size_t count = names.size();
  if (count > kMaxNamed) names.resize(kMaxNamed);
  return (count == 1 ? "known Workload: " : "known Workloads: ") + Listed(names, count);
}

bool HasNode(std::span<const api::Manifest> manifests) {
  return std::ranges::any_of(manifests, [](const api::Manifest& manifest) {
    return manifest.object && manifest.object->As<api::Node>() != nullptr;
  });
}

}  // namespace

bool LacksNodes(const api::FeatureGates& gates, std::span<const api::Manifest> manifests) {
  return gates.IsOn(api::Gate::kTopologyAwareScheduling) && !HasNode(manifests);
}

std::unique_ptr<workload::ClusterState> Load(const api::Configuration& configuration,
                                             const api::FeatureGates& gates,
                                             std::span<const api::Manifest> manifests,
                                             base::Time now) {
  auto cluster = std::make_unique<workload::ClusterState>(
      configuration, gates, workload::ClusterStateOptions{.topology = HasNode(manifests)});
  std::vector<api::Object> stored;
  std::vector<api::ObjectMeta*> workloads;
  for (const api::Manifest& manifest : manifests) {
    if (!manifest.object) continue;
    api::Object& object = stored.emplace_back(objects::AsStored(*manifest.object));
    if (object.As<api::Workload>() == nullptr) continue;
    workloads.push_back(object.metadata());  // on the heap, so that it stays when `stored` grows
    objects::EnsureUid(object.kind().kind, *workloads.back());
  }
  objects::SeparateUids(workloads);
  for (const api::Object& object : stored) cluster->Apply(object);
  cluster->Sync(now);
  return cluster;
}

base::Result<const api::Workload*> FindWorkload(const workload::ClusterState& cluster,
                                                std::string_view name) {
  const size_t slash = name.find('/');
  const std::string_view space = slash == std::string_view::npos ? "" : name.substr(0, slash);
  const std::string_view bare = slash == std::string_view::npos ? name : name.substr(slash + 1);
  std::vector<const api::Workload*> all, called, owned;
  cluster.ForEachWorkload([&](const api::Workload& workload) {
    all.push_back(&workload);
    if (IsCalled(workload, bare, space)) called.push_back(&workload);
    if (IsOwnedBy(workload, bare, space)) owned.push_back(&workload);
  });
  const std::vector<const api::Workload*>& found = called.empty() ? owned : called;
  if (found.size() == 1) return found.front();
  if (found.empty())
    return std::unexpected(
        base::Error{"Workload " + api::Quoted(name) + " not found", NameHint(name, all), {}});
  std::vector<std::string> names;
  for (const api::Workload* workload : found) names.push_back(NamespacedName(workload->metadata));
  return std::unexpected(base::Error{"Workload " + api::Quoted(name) + " is ambiguous",
                                     "write one of " + Listed(names, names.size(), "or"),
                                     {}});
}

}  // namespace berth::explain
