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

// So often the status of an object is written in a row.
constexpr int kStatusesInARow = 8;
// Then so far apart, or farther where there are many: so often all together.
constexpr base::Duration kShortestInterval = base::Duration::Seconds(1);
constexpr base::Duration kLongestInterval = base::Duration::Seconds(10);
constexpr int64_t kStatusesInASecond = 10;
// After a write that failed.

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
      alarm_(executor, [this] { hooks_.on_over(); }),
      self_(std::make_shared<QueueDesk*>(this)) {}

QueueDesk::~QueueDesk() = default;

// --- What may have changed ----------------------------------------------------------------------

void QueueDesk::Learn(const api::Object& object) {
  const api::ObjectMeta& metadata = *object.metadata();
  if (object.As<api::ClusterQueue>() != nullptr)
    return LearnQueue({Sort::kClusterQueue, metadata.name}, metadata);
  if (object.As<api::LocalQueue>() != nullptr)
    return LearnQueue({Sort::kLocalQueue, workload::NamespacedName(metadata)}, metadata);
  if (const auto* cohort = object.As<api::Cohort>()) cohorts_[metadata.name] = *cohort;
  if (const auto* flavor = object.As<api::ResourceFlavor>()) flavors_[metadata.name] = *flavor;
  if (const auto* check = object.As<api::AdmissionCheck>()) checks_[metadata.name] = *check;
  is_everything_new_ = true;
}

// Where only its status is another one, that is most often what was written here.
void QueueDesk::LearnQueue(Item item, const api::ObjectMeta& metadata) {
  Form form{.uid = metadata.uid,
            .generation = metadata.generation,
            .deletion = metadata.deletion_timestamp};
  Form& known = queues_[item];
  if (known != form || form.generation == 0) is_everything_new_ = true;
  known = std::move(form);
  finalizers_.insert(item);
  NoteStatus(std::move(item));
}

void QueueDesk::Forget(const schema::Kind& kind, std::string_view namespace_name,
                       std::string_view name) {
  if (&kind == &api::Cohort::KindInfo()) cohorts_.erase(std::string(name));
  if (&kind == &api::ResourceFlavor::KindInfo()) flavors_.erase(std::string(name));
  if (&kind == &api::AdmissionCheck::KindInfo()) checks_.erase(std::string(name));
  if (&kind == &api::ClusterQueue::KindInfo())
    queues_.erase({Sort::kClusterQueue, std::string(name)});
  if (&kind == &api::LocalQueue::KindInfo())
    queues_.erase({Sort::kLocalQueue,
                   workload::NamespacedName(std::string(namespace_name), std::string(name))});
  is_everything_new_ = true;
}

void QueueDesk::NoteStatus(Item item) {
  if (!held_.contains(item)) statuses_.insert(std::move(item));
}

// What somebody has changed is told at once.
void QueueDesk::NoteEverything() {
  held_.clear();
  paces_.clear();
  for (const auto& [item, form] : queues_) {
    NoteStatus(item);
    finalizers_.insert(item);
  }
  for (const auto& [name, cohort] : cohorts_) NoteStatus({Sort::kCohort, name});
  for (const auto& [name, flavor] : flavors_) finalizers_.insert({Sort::kFlavor, name});
  for (const auto& [name, check] : checks_) finalizers_.insert({Sort::kCheck, name});
}

void QueueDesk::Count() {
  const Tallies::Changes changes = tallies_.Settle(feed_);
  for (const std::string& name : changes.cluster_queues) {
    NoteStatus({Sort::kClusterQueue, name});
    finalizers_.insert({Sort::kClusterQueue, name});
  }
  for (const std::string& name : changes.local_queues) NoteStatus({Sort::kLocalQueue, name});
  // What one uses is a part of the share of all in its tree.
  if (changes.cluster_queues.empty() || !feed_.engine().state().options.fair_sharing) return;
  for (const auto& [item, form] : queues_)
    if (item.first == Sort::kClusterQueue) NoteStatus(item);
  for (const auto& [name, cohort] : cohorts_) NoteStatus({Sort::kCohort, name});
}

void QueueDesk::NoteSamples(base::Time now) {
  if (!next_sample_) return;
  if (now < *next_sample_) return alarm_.SetFor(*next_sample_, now);
  next_sample_.reset();
  for (const auto& [item, form] : queues_)
    if (item.first == Sort::kLocalQueue) NoteStatus(item);
}

base::Duration QueueDesk::Interval() const {
  const auto objects = static_cast<int64_t>(queues_.size() + cohorts_.size());
  return std::clamp(base::Duration::Milliseconds(objects * 1000 / kStatusesInASecond),
                    kShortestInterval, kLongestInterval);
}

// None is due before the alarm rings.
void QueueDesk::ReleaseHeld(base::Time now) {
  if (held_.empty() || alarm_.is_set()) return;
  const base::Duration interval = Interval();
  for (auto item = held_.begin(); item != held_.end();) {
    const base::Time due = paces_.at(*item).Next(interval);
    if (now < due) {
      alarm_.SetFor(due, now);
      ++item;
    } else {
      statuses_.insert(*item);
      item = held_.erase(item);
    }
  }
}

// --- What follows -------------------------------------------------------------------------------

void QueueDesk::Plan(base::Time now) {
  Count();
  if (std::exchange(is_everything_new_, false)) NoteEverything();
  ReleaseHeld(now);
  NoteSamples(now);
  for (const Item& item : std::exchange(finalizers_, {})) LookAtFinalizer(item);
  for (const Item& item : std::exchange(statuses_, {}))
    if (!LookAtStatus(item, now)) statuses_.insert(item);
}

bool QueueDesk::LookAtStatus(const Item& item, base::Time now) {
  const auto& [sort, name] = item;
  if (status_writes_.contains(item)) return false;
  const base::Time due = paces_.try_emplace(item, kStatusesInARow).first->second.Next(Interval());
  if (now < due) {
    held_.insert(item);
    alarm_.SetFor(due, now);
    return true;
  }
  if (sort == Sort::kClusterQueue) {
    const api::ClusterQueue* queue = feed_.FindClusterQueue(name);
    return queue == nullptr ||
           WriteStatus(item, *queue, StatusOf(*queue, tallies_.OfClusterQueue(name), feed_, now),
                       now);
  }
  if (sort == Sort::kCohort) {
    const auto cohort = cohorts_.find(name);
    return cohort == cohorts_.end() ||
           WriteStatus(item, cohort->second, StatusOf(cohort->second, feed_), now);
  }
  const api::LocalQueue* queue = feed_.FindLocalQueue(name);
  if (queue == nullptr) return true;
  api::LocalQueueStatus status = StatusOf(*queue, tallies_.OfLocalQueue(name), feed_, now);
  if (sampling_) Sample(*queue, now, status);
  return WriteStatus(item, *queue, status, now);
}

void QueueDesk::LookAtFinalizer(const Item& item) {
  const auto& [sort, name] = item;
  if (sort == Sort::kClusterQueue) {
    if (const api::ClusterQueue* queue = feed_.FindClusterQueue(name))
      KeepFinalizer(item, *queue, tallies_.OfClusterQueue(name).reserving > 0);
  } else if (sort == Sort::kFlavor) {
    if (const auto flavor = flavors_.find(name); flavor != flavors_.end())
      KeepFinalizer(item, flavor->second, IsFlavorUsed(name));
  } else if (sort == Sort::kCheck) {
    if (const auto check = checks_.find(name); check != checks_.end())
      KeepFinalizer(item, check->second, IsCheckUsed(name));
  }
}

// Of queues that can admit.
void QueueDesk::Sample(const api::LocalQueue& queue, base::Time now,
                       api::LocalQueueStatus& status) {
  if (!api::IsConditionTrue(status.conditions, api::condition::kActive)) return;
  std::map<std::string, double> used;
  for (const auto& [key, amount] :
       tallies_.OfLocalQueue(workload::NamespacedName(queue.metadata)).used)
    used[key.second] +=
        static_cast<double>(amount) / (quantity::CountsInMilli(key.second) ? 1000 : 1);
  if (!status.fair_sharing) status.fair_sharing.emplace();
  auto& consumed = status.fair_sharing->admission_fair_sharing_status;
  UsageSample sample = SampleUsage(consumed, used, *sampling_, now);
  consumed = std::move(sample.status);
  next_sample_ = std::min(next_sample_.value_or(sample.next), sample.next);
  alarm_.SetFor(sample.next, now);
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
bool QueueDesk::WriteStatus(const Item& item, const T& object, const Status& status,
                            base::Time now) {
  if (status == object.status) return true;
  const json::value change = jobs::MergePatchBetween(StatusTree(schema::Encode(object.status)),
                                                     StatusTree(schema::Encode(status)));
  if (change.as_object().empty()) return true;
  paces_.at(item).Note(now, Interval());
  WriteOnce(status_writes_, item, T::KindInfo(),
            {.resource = store::ResourceOf<T>(),
             .namespace_ = object.metadata.namespace_,
             .name = object.metadata.name,
             .subresource = std::string(store::kStatusSubresource),
             .type = store::PatchType::kMerge,
             .body = store::PrintJson(json::object{{"status", change}}),
             .is_forced = false,
             .options = {}});
  return true;
}

template <class T>
void QueueDesk::KeepFinalizer(const Item& item, const T& object, bool is_used) {
  const FinalizerStep step = PlanFinalizer(object.metadata, is_used);
  if (step == FinalizerStep::kNothing) return;
  json::array finalizers;
  for (const std::string& finalizer : object.metadata.finalizers)
    if (finalizer != api::kResourceInUseFinalizer) finalizers.emplace_back(finalizer);
  if (step == FinalizerStep::kAdd)
    finalizers.emplace_back(store::BoostView(api::kResourceInUseFinalizer));
  WriteOnce(
      finalizer_writes_, item, T::KindInfo(),
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

void QueueDesk::WriteOnce(std::set<Item>& under_way, const Item& item, const schema::Kind& kind,
                          store::Patch patch) {
  if (!under_way.insert(item).second) return;
  store_.Do(std::move(patch), executor_,
            [weak = std::weak_ptr(self_), &under_way, item,
             &kind](const store::Outcome<store::Reply>& outcome) {
              const auto self = weak.lock();
              if (!self) return;
              under_way.erase(item);
              (*self)->OnWritten(item, kind, outcome);
            });
}

// What is true now comes as a change. What failed is looked at again, which is all that helps.
void QueueDesk::OnWritten(const Item& item, const schema::Kind& kind,
                          const store::Outcome<store::Reply>& outcome) {
  if (outcome) hooks_.on_written(kind, outcome->object);
  if (!outcome && outcome.error().IsTransient())
    hooks_.log(std::string(kind.kind) + " " + item.second + ": " +
               store::ToString(outcome.error()));
  finalizers_.insert(item);
  if (item.first != Sort::kFlavor && item.first != Sort::kCheck) NoteStatus(item);
  if (outcome) return hooks_.on_over();
  executor_.PostAfter(kPauseAfterRefusal, [weak = std::weak_ptr(self_)] {
    if (const auto self = weak.lock()) (*self)->hooks_.on_over();
  });
}

}  // namespace berth::control
