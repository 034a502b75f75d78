#include "api/dra/device_class_conflicts.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "api/kueue/rules/quota_rules.h"
#include "api/meta/problem_report.h"

namespace berth::api {
namespace {

using Classes = std::vector<std::string>;

// Cohorts grouped into trees by name.
class Trees {
 public:
  // The representative of the tree of a cohort.
  std::string_view RootOf(std::string_view cohort) {
    const auto parent = parents_.find(cohort);
    if (parent == parents_.end() || parent->second == cohort) return cohort;
    return parent->second = RootOf(parent->second);
  }

  void Join(std::string_view a, std::string_view b) {
    a = RootOf(a);
    b = RootOf(b);
    if (a != b) parents_[a] = b;
  }

 private:
  std::map<std::string_view, std::string_view> parents_;
};

// A node of a tree, ordered by name; ClusterQueues first.
struct TreeNode {
  bool is_cohort = false;
  std::string_view name;

  friend auto operator<=>(const TreeNode&, const TreeNode&) = default;
};

// Definitions of a resource in a tree, each with the first node that has it.
using Definitions = std::map<Classes, TreeNode>;

std::map<std::string, Classes> ClassesOfAll(const std::vector<ResourceGroup>& groups) {
  std::map<std::string, Classes> classes;
  for (const ResourceGroup& group : groups) {
    for (const std::string& resource : group.covered_resources) classes[resource];
  }
  for (const auto& [resource, names] : DeviceClassesByResource(groups)) classes[resource] = names;
  return classes;
}

class ConflictSearch {
 public:
  void Add(const Cohort& cohort) {
    const auto& parent = cohort.spec.parent_name;
    if (parent && !parent->empty()) trees_.Join(cohort.metadata.name, *parent);
  }

  void AddMeanings(TreeNode node, std::string_view tree, const std::vector<ResourceGroup>& groups) {
    if (tree.empty()) return;
    for (auto& [resource, classes] : ClassesOfAll(groups)) {
      auto [first, is_new] =
          definitions_[{trees_.RootOf(tree), resource}].try_emplace(std::move(classes), node);
      if (!is_new && node < first->second) first->second = node;
    }
  }

  std::optional<DeviceClassConflict> Find(const ClusterQueue& queue) {
    const auto& cohort = queue.spec.cohort_name;
    if (!cohort || cohort->empty()) return std::nullopt;
    for (const auto& [resource, classes] : ClassesOfAll(queue.spec.resource_groups)) {
      const Definitions& meanings = definitions_[{trees_.RootOf(*cohort), resource}];
      const Definitions::value_type* other = nullptr;
      for (const auto& meaning : meanings) {
        if (meaning.first == classes) continue;
        if (other == nullptr || meaning.second < other->second) other = &meaning;
      }
      if (other == nullptr) continue;
      return DeviceClassConflict{.resource = resource,
                                 .classes = classes,
                                 .other = std::string(other->second.name),
                                 .is_other_cohort = other->second.is_cohort,
                                 .other_classes = other->first};
    }
    return std::nullopt;
  }

 private:
  Trees trees_;
  std::map<std::pair<std::string_view, std::string>, Definitions>
      definitions_;  // by tree and resource
};

std::string ClassesText(const Classes& classes) {
  if (classes.empty()) return "no device classes";
  return (classes.size() == 1 ? "device class " : "device classes ") +
         QuotedList({classes.begin(), classes.end()});
}

}  // namespace

std::string ToString(const DeviceClassConflict& conflict, std::string_view place) {
  return Quoted(conflict.resource) + " counts " + ClassesText(conflict.classes) + " " +
         std::string(place) + " and " + ClassesText(conflict.other_classes) + " in " +
         (conflict.is_other_cohort ? "Cohort " : "ClusterQueue ") + Quoted(conflict.other) +
         " of the same cohort tree";
}

std::map<std::string, DeviceClassConflict, std::less<>> FindDeviceClassConflicts(
    std::span<const ClusterQueue* const> queues, std::span<const Cohort* const> cohorts) {
  const auto has_classes = [](const auto* node) {
    return !DeviceClassesByResource(node->spec.resource_groups).empty();
  };
  if (std::ranges::none_of(queues, has_classes) && std::ranges::none_of(cohorts, has_classes))
    return {};
  ConflictSearch search;
  for (const Cohort* cohort : cohorts) search.Add(*cohort);
  for (const Cohort* cohort : cohorts)
    search.AddMeanings({true, cohort->metadata.name}, cohort->metadata.name,
                       cohort->spec.resource_groups);
  for (const ClusterQueue* queue : queues) {
    if (queue->spec.cohort_name)
      search.AddMeanings({false, queue->metadata.name}, *queue->spec.cohort_name,
                         queue->spec.resource_groups);
  }
  std::map<std::string, DeviceClassConflict, std::less<>> conflicts;
  for (const ClusterQueue* queue : queues) {
    if (auto conflict = search.Find(*queue))
      conflicts.emplace(queue->metadata.name, *std::move(conflict));
  }
  return conflicts;
}

}  // namespace berth::api
