#include "control/queue_desk.h"

#include <algorithm>
#include <utility>

#include "api/cluster_queue.h"
#include "api/conditions.h"
#include "api/local_queue.h"
#include "api/well_known.h"
#include "control/in_use.h"
#include "jobs/start_stop.h"
#include "quantity/resource_amount.h"
#include "schema/encode.h"
#include "workload/convert_workload.h"

namespace berth::control {
namespace {

namespace json = store::json;

json::value StatusTree(const std::string& text) {
  return store::ParseJson(text).value_or(json::object());
}

}  // namespace

QueueDesk::QueueDesk(store::Store& store, store::Executor& executor,
                     const workload::EngineFeed& feed, std::optional<UsageSampling> sampling,
                     Hooks hooks)
    : store_(store),
      executor_(executor),
      feed_(feed),
      sampling_(sampling),
      hooks_(std::move(hooks)),
      self_(std::make_shared<QueueDesk*>(this)) {}

QueueDesk::~QueueDesk() = default;

void QueueDesk::Learn(const api::Object& object) {
  const std::string& name = object.metadata()->name;
  if (const auto* cohort = object.As<api::Cohort>()) cohorts_[name] = *cohort;
  if (const auto* flavor = object.As<api::ResourceFlavor>()) flavors_[name] = *flavor;
  if (const auto* check = object.As<api::AdmissionCheck>()) checks_[name] = *check;
  if (const auto* queue = object.As<api::LocalQueue>())
    local_queues_.insert(workload::NamespacedName(queue->metadata));
}

void QueueDesk::Forget(const schema::Kind& kind, std::string_view namespace_name,
                       std::string_view name) {
  if (&kind == &api::Cohort::KindInfo()) cohorts_.erase(std::string(name));
  if (&kind == &api::ResourceFlavor::KindInfo()) flavors_.erase(std::string(name));
  if (&kind == &api::AdmissionCheck::KindInfo()) checks_.erase(std::string(name));
  if (&kind == &api::LocalQueue::KindInfo())
    local_queues_.erase(workload::NamespacedName(std::string(namespace_name), std::string(name)));
}

void QueueDesk::Plan(base::Time now) {
  const Tallies tallies = Tallies::Of(feed_);
  feed_.ForEachClusterQueue([&](const api::ClusterQueue& queue, engine::NodeId) {
    const auto tally = tallies.cluster_queues.find(queue.metadata.name);
    KeepFinalizer(queue, tally != tallies.cluster_queues.end() && tally->second.reserving > 0);
    WriteStatus(queue, StatusOf(queue, tallies, feed_, now));
  });
  for (const std::string& name : local_queues_) {
    const api::LocalQueue* queue = feed_.FindLocalQueue(name);
    if (queue == nullptr) continue;
    api::LocalQueueStatus status = StatusOf(*queue, tallies, feed_, now);
    if (sampling_) Sample(tallies, *queue, now, status);
    WriteStatus(*queue, status);
  }
  for (const auto& [name, cohort] : cohorts_) WriteStatus(cohort, StatusOf(cohort, feed_));
  for (const auto& [name, flavor] : flavors_) KeepFinalizer(flavor, IsFlavorUsed(name));
  for (const auto& [name, check] : checks_) KeepFinalizer(check, IsCheckUsed(name));
}

// Of queues that can admit.
void QueueDesk::Sample(const Tallies& tallies, const api::LocalQueue& queue, base::Time now,
                       api::LocalQueueStatus& status) {
  if (!api::IsConditionTrue(status.conditions, api::condition::kActive)) return;
  std::map<std::string, double> used;
  const auto tally = tallies.local_queues.find(workload::NamespacedName(queue.metadata));
  if (tally != tallies.local_queues.end())
    for (const auto& [key, amount] : tally->second.used)
      used[key.second] +=
          static_cast<double>(amount) / (quantity::CountsInMilli(key.second) ? 1000 : 1);
  if (!status.fair_sharing) status.fair_sharing.emplace();
  auto& consumed = status.fair_sharing->admission_fair_sharing_status;
  UsageSample sample = SampleUsage(consumed, used, *sampling_, now);
  consumed = std::move(sample.status);
  LookAgainAt(sample.next, now);
}

void QueueDesk::LookAgainAt(base::Time when, base::Time now) {
  if (next_look_ && now < *next_look_ && *next_look_ <= when) return;
  next_look_ = when;
  executor_.PostAfter(when - now, [weak = std::weak_ptr(self_)] {
    if (const auto self = weak.lock()) (*self)->hooks_.on_over();
  });
}

bool QueueDesk::IsFlavorUsed(std::string_view flavor) const {
  bool is_used = false;
  feed_.ForEachClusterQueue([&](const api::ClusterQueue& queue, engine::NodeId) {
    for (const api::ResourceGroup& group : queue.spec.resource_groups)
      is_used |=
          std::ranges::find(group.flavors, flavor, &api::FlavorQuotas::name) != group.flavors.end();
  });
  return is_used;
}

bool QueueDesk::IsCheckUsed(std::string_view check) const {
  bool is_used = false;
  feed_.ForEachClusterQueue([&](const api::ClusterQueue& queue, engine::NodeId) {
    if (!queue.spec.admission_checks_strategy) return;
    for (const auto& rule : queue.spec.admission_checks_strategy->admission_checks)
      is_used |= rule.name == check;
  });
  return is_used;
}

template <class T, class Status>
void QueueDesk::WriteStatus(const T& object, const Status& status) {
  if (status == object.status) return;
  const json::value change = jobs::MergePatchBetween(StatusTree(schema::Encode(object.status)),
                                                     StatusTree(schema::Encode(status)));
  if (change.as_object().empty()) return;
  WriteOnce(
      "status/" + std::string(T::KindInfo().kind) + "/" + workload::NamespacedName(object.metadata),
      T::KindInfo(),
      {.resource = store::ResourceOf<T>(),
       .namespace_ = object.metadata.namespace_,
       .name = object.metadata.name,
       .subresource = std::string(store::kStatusSubresource),
       .type = store::PatchType::kMerge,
       .body = store::PrintJson(json::object{{"status", change}}),
       .is_forced = false,
       .options = {}});
}

template <class T>
void QueueDesk::KeepFinalizer(const T& object, bool is_used) {
  const FinalizerStep step = PlanFinalizer(object.metadata, is_used);
  if (step == FinalizerStep::kNothing) return;
  json::array finalizers;
  for (const std::string& finalizer : object.metadata.finalizers)
    if (finalizer != api::kResourceInUseFinalizer) finalizers.emplace_back(finalizer);
  if (step == FinalizerStep::kAdd)
    finalizers.emplace_back(store::BoostView(api::kResourceInUseFinalizer));
  WriteOnce(
      "finalizer/" + std::string(T::KindInfo().kind) + "/" +
          workload::NamespacedName(object.metadata),
      T::KindInfo(),
      {.resource = store::ResourceOf<T>(),
       .namespace_ = object.metadata.namespace_,
       .name = object.metadata.name,
       .subresource = "",
       .type = store::PatchType::kMerge,
       .body = store::PrintJson(json::object{
           {"metadata", json::object{{"finalizers", std::move(finalizers)},
                                     {"resourceVersion", object.metadata.resource_version}}}}),
       .is_forced = false,
       .options = {}});
}

// One write of each at a time; what it leads to comes as a change, and if it fails the next turn
// tries again.
void QueueDesk::WriteOnce(const std::string& key, const schema::Kind& kind, store::Patch patch) {
  if (!writes_.insert(key).second) return;
  store_.Do(std::move(patch), executor_,
            [weak = std::weak_ptr(self_), key, &kind](store::Outcome<store::Reply> outcome) {
              const auto self = weak.lock();
              if (!self) return;
              (*self)->writes_.erase(key);
              if (!outcome && outcome.error().IsTransient())
                (*self)->hooks_.log(key + ": " + store::ToString(outcome.error()));
              if (outcome) (*self)->hooks_.on_written(kind, outcome->object);
              (*self)->hooks_.on_over();
            });
}

}  // namespace berth::control
