#include "webhook/device_class_review.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/dra/device_class_conflicts.h"
#include "api/kueue/cluster_queue.h"
#include "api/kueue/cohort.h"
#include "api/meta/problem_report.h"

namespace berth::webhook {
namespace {

// The nodes of all cohort trees.
struct Trees {
  std::vector<api::ClusterQueue> queues;
  std::vector<api::Cohort> cohorts;

  auto Conflicts() const {
    std::vector<const api::ClusterQueue*> queue_list;
    std::vector<const api::Cohort*> cohort_list;
    for (const api::ClusterQueue& queue : queues) queue_list.push_back(&queue);
    for (const api::Cohort& cohort : cohorts) cohort_list.push_back(&cohort);
    return api::FindDeviceClassConflicts(queue_list, cohort_list);
  }
};

template <class T>
void PutInTree(const T& object, std::vector<T>& all) {
  std::erase_if(all, [&](const T& other) { return other.metadata.name == object.metadata.name; });
  all.push_back(object);
}

bool IsSameInTree(const api::Object& object, const api::Object* old) {
  if (old == nullptr) return false;
  if (const auto* queue = object.As<api::ClusterQueue>()) {
    const auto* before = old->As<api::ClusterQueue>();
    return before != nullptr && before->spec.cohort_name == queue->spec.cohort_name &&
           before->spec.resource_groups == queue->spec.resource_groups;
  }
  const auto* cohort = object.As<api::Cohort>();
  const auto* before = old->As<api::Cohort>();
  return before != nullptr && before->spec == cohort->spec;
}

schema::Problem Refusal(const std::string& queue, const api::DeviceClassConflict& conflict,
                        bool is_of_queue) {
  return {
      .type = schema::ProblemType::kInvalid,
      .field = is_of_queue ? "spec.resourceGroups" : "spec",
      .message = ToString(conflict, is_of_queue ? "here" : "in ClusterQueue " + api::Quoted(queue)),
      .hint =
          "give the resource the same deviceClassNames everywhere in the cohort tree, or "
          "another name in one of the two",
      .place = {}};
}

}  // namespace

schema::Problems ReviewDeviceClasses(const api::Object& object, const api::Object* old,
                                     const Lookup& lookup) {
  const auto* queue = object.As<api::ClusterQueue>();
  const auto* cohort = object.As<api::Cohort>();
  if ((queue == nullptr && cohort == nullptr) || IsSameInTree(object, old)) return {};
  Trees trees{.queues = lookup.ClusterQueues(), .cohorts = lookup.Cohorts()};
  const auto before = trees.Conflicts();
  if (queue != nullptr) PutInTree(*queue, trees.queues);
  if (cohort != nullptr) PutInTree(*cohort, trees.cohorts);
  schema::Problems problems;
  std::set<std::string_view> reported;
  const auto after = trees.Conflicts();
  for (const auto& [name, conflict] : after) {
    if (queue != nullptr && name != queue->metadata.name) continue;
    const auto known = before.find(name);
    if (known != before.end() && known->second == conflict) continue;
    // The other queue of a conflict has the same one.
    if (!conflict.is_other_cohort && reported.contains(conflict.other)) continue;
    reported.insert(name);
    problems.push_back(Refusal(name, conflict, queue != nullptr));
  }
  return problems;
}

}  // namespace berth::webhook
