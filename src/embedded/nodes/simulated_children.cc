#include "embedded/nodes/simulated_children.h"

#include <algorithm>
#include <utility>

#include "api/core/pod.h"
#include "base/fnv.h"
#include "json/path.h"

namespace berth::embedded {

std::string ShortHash(std::string_view text) {
  uint64_t hash = base::Fnv1a(text);
  hash = (hash ^ (hash >> 29)) * 0xbf58476d1ce4e5b9u;
  constexpr std::string_view kLetters = "bcdfghjklmnpqrstvwxz2456789";
  std::string name;
  for (int i = 0; i < 10; ++i, hash /= kLetters.size()) name += kLetters[hash % kLetters.size()];
  return name;
}

std::string NameIn(const json::value& object) { return json::TextAt(object, "metadata.name"); }
bool IsTerminating(const json::value& object) {
  return json::FindAt(object, "metadata.deletionTimestamp") != nullptr;
}

bool IsFinishedPod(const json::value& pod) {
  const std::string phase = json::TextAt(pod, "status.phase");
  return phase == api::kPodSucceeded || phase == api::kPodFailed;
}

bool IsReadyPod(const json::value& pod) {
  const json::value* conditions = json::FindAt(pod, "status.conditions");
  if (IsTerminating(pod) || IsFinishedPod(pod) || conditions == nullptr || !conditions->is_array())
    return false;
  return std::ranges::any_of(conditions->get_array(), [](const json::value& condition) {
    return json::StringAt(condition, {"type"}) == "Ready" &&
           json::StringAt(condition, {"status"}) == "True";
  });
}

void SetMetadata(json::value& object, std::string_view map, std::string_view key,
                 std::string_view text) {
  if (json::value* at =
          json::MakeAt(object, "metadata." + std::string(map) + "[" + std::string(key) + "]"))
    *at = json::BoostView(text);
}

json::value ChildOf(const json::value& set, std::string_view name,
                    const json::value* pod_template) {
  json::value child = json::object{{"metadata", json::object{}}};
  json::object& metadata = child.as_object()["metadata"].as_object();
  for (const std::string_view part : {"labels", "annotations"})
    if (pod_template != nullptr)
      if (const json::value* found = json::Find(*pod_template, {"metadata", part}))
        metadata[json::BoostView(part)] = *found;
  if (pod_template != nullptr)
    if (const json::value* spec = json::Find(*pod_template, {"spec"}))
      child.as_object()["spec"] = *spec;
  metadata["name"] = json::BoostView(name);
  metadata["namespace"] = json::TextAt(set, "metadata.namespace");
  metadata["ownerReferences"] = json::array{{{"apiVersion", json::TextAt(set, "apiVersion")},
                                             {"kind", json::TextAt(set, "kind")},
                                             {"name", NameIn(set)},
                                             {"uid", json::TextAt(set, "metadata.uid")},
                                             {"controller", true},
                                             {"blockOwnerDeletion", true}}};
  return child;
}

PodCounts CountPods(SetChildren pods) {
  PodCounts counts;
  for (const json::value& pod : pods) {
    if (IsTerminating(pod) || IsFinishedPod(pod)) continue;
    ++counts.all;
    if (IsReadyPod(pod)) ++counts.ready;
  }
  return counts;
}

std::set<std::string> NamesOf(SetChildren children) {
  std::set<std::string> names;
  for (const json::value& child : children) names.insert(NameIn(child));
  return names;
}

ChildrenByName ByName(SetChildren children) {
  ChildrenByName names;
  for (const json::value& child : children) names.emplace(NameIn(child), &child);
  return names;
}

}  // namespace berth::embedded
