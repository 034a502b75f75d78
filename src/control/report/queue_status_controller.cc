#include "control/report/queue_status_controller.h"

#include <algorithm>
#include <utility>

#include "api/kueue/cluster_queue.h"
#include "api/kueue/local_queue.h"
#include "api/kueue/well_known.h"
#include "api/meta/conditions.h"
#include "control/report/in_use.h"
#include "control/write/finalizer_patch.h"
#include "jobs/start_stop.h"
#include "quantity/resource_amount.h"
#include "schema/encode.h"
#include "workload/convert/convert_workload.h"

namespace berth::control {
namespace {

// Delay of the first status of a ClusterQueue, so that a client that creates a queue and updates it
// at once has no conflict.
constexpr base::Duration kFirstStatusDelay = base::Duration::Milliseconds(100);
// The burst of status writes of one object.
constexpr int kStatusesInARow = 8;
// Afterwards the interval between writes of one object; longer with many objects, since all objects
// together are limited as well.
constexpr base::Duration kShortestInterval = base::Duration::Seconds(1);
constexpr base::Duration kLongestInterval = base::Duration::Seconds(10);
constexpr int64_t kStatusesInASecond = 10;

json::value StatusTree(const std::string& text) {
  return json::Parse(text).value_or(json::object());
}

}  // namespace

const schema::Kind& QueueStatusController::KindOf(Sort sort) {
  switch (sort) {
    case Sort::kClusterQueue:
      return api::ClusterQueue::KindInfo();
    case Sort::kLocalQueue:
      return api::LocalQueue::KindInfo();
    case Sort::kCohort:
      return api::Cohort::KindInfo();
    case Sort::kFlavor:
      return api::ResourceFlavor::KindInfo();
    case Sort::kCheck:
      return api::AdmissionCheck::KindInfo();
    case Sort::kTopology:
      break;
  }
  return api::Topology::KindInfo();
}

ObjectKey QueueStatusController::KeyOf(const Item& item) {
  const auto& [sort, name] = item;
  const size_t slash = sort == Sort::kLocalQueue ? name.find('/') : name.npos;
  return {.resource = store::ResourceOf(KindOf(sort)).GroupResource(),
          .namespace_ = slash == name.npos ? "" : name.substr(0, slash),
          .name = slash == name.npos ? name : name.substr(slash + 1)};
}

QueueStatusController::Item QueueStatusController::ItemOf(const ObjectKey& key) {
  for (const Sort sort : {Sort::kClusterQueue, Sort::kLocalQueue, Sort::kCohort, Sort::kFlavor,
                          Sort::kCheck, Sort::kTopology})
    if (store::ResourceOf(KindOf(sort)).GroupResource() == key.resource)
      return {sort, sort == Sort::kLocalQueue ? workload::NamespacedName(key.namespace_, key.name)
                                              : key.name};
  return {};
}

QueueStatusController::QueueStatusController(store::Store& store, store::Executor& executor,
                                             const workload::ClusterState& cluster,
                                             EventRecorder& events,
                                             std::optional<UsageSampling> sampling, Hooks hooks)
    : cluster_(cluster),
      sampling_(sampling),
      hooks_(std::move(hooks)),
      timer_(executor, [this] { hooks_.on_enqueued(); }),
      writer_(store, executor, events, CacheHooks(),
              [this](const ObjectKey& key, const store::Failure& failure) {
                const Item item = ItemOf(key);
                hooks_.log(std::string(KindOf(item.first).kind) + " " + item.second + ": " +
                           store::ToString(failure));
              }) {}

QueueStatusController::~QueueStatusController() = default;

// --- Changes -----------------------------------------------------------------------------------

void QueueStatusController::AddHandlers(workload::ObjectHandlers& handlers) {
  AddQueueHandler<api::ClusterQueue>(handlers, Sort::kClusterQueue);
  AddQueueHandler<api::LocalQueue>(handlers, Sort::kLocalQueue);
  AddObjectHandler(handlers, known_.cohorts);
  AddObjectHandler(handlers, known_.flavors);
  AddObjectHandler(handlers, known_.checks);
  AddObjectHandler(handlers, known_.topologies);
}

template <class T>
void QueueStatusController::AddQueueHandler(workload::ObjectHandlers& handlers, Sort sort) {
  const auto item = [sort](std::string_view namespace_name, std::string_view name) {
    return Item(sort, sort == Sort::kLocalQueue ? workload::NamespacedName(namespace_name, name)
                                                : std::string(name));
  };
  handlers.Add<T>({.on_upsert =
                       [this, item](const T& queue, const T*) {
                         OnQueueUpsert(item(queue.metadata.namespace_, queue.metadata.name),
                                       queue.metadata);
                       },
                   .on_delete =
                       [this, item](std::string_view namespace_name, std::string_view name) {
                         queues_.erase(item(namespace_name, name));
                         new_queues_.erase(item(namespace_name, name));
                         are_all_dirty_ = true;
                       }});
}

template <class T>
void QueueStatusController::AddObjectHandler(workload::ObjectHandlers& handlers,
                                             std::map<std::string, T, std::less<>>& objects) {
  handlers.Add<T>({.on_upsert =
                       [this, &objects](const T& object, const T*) {
                         objects[object.metadata.name] = object;
                         are_all_dirty_ = true;
                       },
                   .on_delete =
                       [this, &objects](std::string_view, std::string_view name) {
                         objects.erase(std::string(name));
                         are_all_dirty_ = true;
                       }});
}

// An update of the status alone is most often our own write.
void QueueStatusController::OnQueueUpsert(Item item, const api::ObjectMeta& metadata) {
  Version version{.uid = metadata.uid,
                  .generation = metadata.generation,
                  .deletion = metadata.deletion_timestamp};
  Version& known = queues_[item];
  if (known != version || version.generation == 0) are_all_dirty_ = true;
  known = std::move(version);
  dirty_finalizers_.insert(item);
  MarkStatusDirty(std::move(item));
}

void QueueStatusController::MarkStatusDirty(Item item) {
  if (!deferred_.contains(item)) dirty_statuses_.insert(std::move(item));
}

// A change of a spec is visible at once: it resets the rate limits.
void QueueStatusController::MarkAllDirty() {
  deferred_.clear();
  rate_limits_.clear();
  for (const auto& [item, version] : queues_) {
    MarkStatusDirty(item);
    dirty_finalizers_.insert(item);
  }
  for (const auto& [name, cohort] : known_.cohorts) MarkStatusDirty({Sort::kCohort, name});
  for (const auto& [name, flavor] : known_.flavors) dirty_finalizers_.insert({Sort::kFlavor, name});
  for (const auto& [name, check] : known_.checks) dirty_finalizers_.insert({Sort::kCheck, name});
  for (const auto& [name, topology] : known_.topologies)
    dirty_finalizers_.insert({Sort::kTopology, name});
}

void QueueStatusController::Count() {
  const QueueCounters::Changes changes = counters_.Flush(cluster_);
  for (const std::string& name : changes.cluster_queues) {
    MarkStatusDirty({Sort::kClusterQueue, name});
    dirty_finalizers_.insert({Sort::kClusterQueue, name});
  }
  for (const std::string& name : changes.local_queues) MarkStatusDirty({Sort::kLocalQueue, name});
  // The usage of one queue is part of the share of all queues in its tree.
  if (changes.cluster_queues.empty() || !cluster_.engine().state().options.fair_sharing) return;
  for (const auto& [item, version] : queues_)
    if (item.first == Sort::kClusterQueue) MarkStatusDirty(item);
  for (const auto& [name, cohort] : known_.cohorts) MarkStatusDirty({Sort::kCohort, name});
}

void QueueStatusController::MarkSamplesDirty(base::Time now) {
  if (!next_sample_) return;
  if (now < *next_sample_) return timer_.SetFor(*next_sample_, now);
  next_sample_.reset();
  for (const auto& [item, version] : queues_)
    if (item.first == Sort::kLocalQueue) MarkStatusDirty(item);
}

base::Duration QueueStatusController::Interval() const {
  const auto objects = static_cast<int64_t>(queues_.size() + known_.cohorts.size());
  return std::clamp(base::Duration::Milliseconds(objects * 1000 / kStatusesInASecond),
                    kShortestInterval, kLongestInterval);
}

// No status is due before the timer fires.
void QueueStatusController::ReleaseDeferred(base::Time now) {
  if (deferred_.empty() || timer_.is_set()) return;
  for (auto item = deferred_.begin(); item != deferred_.end();) {
    const base::Time due = DueTime(*item, now);
    if (now < due) {
      timer_.SetFor(due, now);
      ++item;
    } else {
      dirty_statuses_.insert(*item);
      item = deferred_.erase(item);
    }
  }
}

// --- What follows -------------------------------------------------------------------------------

void QueueStatusController::Plan(base::Time now) {
  Count();
  if (std::exchange(are_all_dirty_, false)) MarkAllDirty();
  ReleaseDeferred(now);
  MarkSamplesDirty(now);
  const std::set<Item> finalizers = TakeFree(dirty_finalizers_);
  const std::set<Item> statuses = TakeFree(dirty_statuses_);
  for (const Item& item : finalizers) SyncFinalizer(item);
  for (const Item& item : statuses) SyncStatus(item, now);
}

std::set<QueueStatusController::Item> QueueStatusController::TakeFree(std::set<Item>& items) const {
  std::set<Item> free = std::exchange(items, {});
  std::erase_if(free, [&](const Item& item) {
    const bool is_busy = writer_.IsBusy(KeyOf(item));
    if (is_busy) items.insert(item);
    return is_busy;
  });
  return free;
}

base::Time QueueStatusController::DueTime(const Item& item, base::Time now) {
  const auto& [sort, name] = item;
  const base::Time due =
      rate_limits_.try_emplace(item, kStatusesInARow).first->second.Next(Interval());
  if (sort != Sort::kClusterQueue) return due;
  const api::ClusterQueue* queue = cluster_.FindClusterQueue(name);
  if (queue == nullptr || !queue->status.conditions.empty()) {
    new_queues_.erase(item);
    return due;
  }
  return std::max(due, new_queues_.try_emplace(item, now).first->second + kFirstStatusDelay);
}

void QueueStatusController::SyncStatus(const Item& item, base::Time now) {
  const auto& [sort, name] = item;
  const base::Time due = DueTime(item, now);
  if (now < due) {
    deferred_.insert(item);
    return timer_.SetFor(due, now);
  }
  if (sort == Sort::kClusterQueue) {
    if (const api::ClusterQueue* queue = cluster_.FindClusterQueue(name))
      WriteStatus(item, *queue, StatusOf(*queue, counters_.OfClusterQueue(name), cluster_, now),
                  now);
    return;
  }
  if (sort == Sort::kCohort) {
    if (const auto cohort = known_.cohorts.find(name); cohort != known_.cohorts.end())
      WriteStatus(item, cohort->second, StatusOf(cohort->second, cluster_), now);
    return;
  }
  const api::LocalQueue* queue = cluster_.FindLocalQueue(name);
  if (queue == nullptr) return;
  api::LocalQueueStatus status = StatusOf(*queue, counters_.OfLocalQueue(name), cluster_, now);
  if (sampling_) Sample(*queue, now, status);
  WriteStatus(item, *queue, status, now);
}

void QueueStatusController::SyncFinalizer(const Item& item) {
  const auto& [sort, name] = item;
  if (sort == Sort::kClusterQueue) {
    if (const api::ClusterQueue* queue = cluster_.FindClusterQueue(name))
      KeepFinalizer(item, *queue, counters_.OfClusterQueue(name).reserving > 0);
  } else if (sort == Sort::kFlavor) {
    if (const auto flavor = known_.flavors.find(name); flavor != known_.flavors.end())
      KeepFinalizer(item, flavor->second, IsFlavorUsed(name));
  } else if (sort == Sort::kCheck) {
    if (const auto check = known_.checks.find(name); check != known_.checks.end())
      KeepFinalizer(item, check->second, IsCheckUsed(name));
  } else if (sort == Sort::kTopology) {
    const auto topology = known_.topologies.find(name);
    if (topology == known_.topologies.end()) return;
    // Without topology-aware scheduling nothing uses it.
    const bool is_deleted = topology->second.metadata.deletion_timestamp.has_value();
    if (cluster_.engine().state().options.topology || is_deleted)
      KeepFinalizer(item, topology->second, IsTopologyUsed(name));
  }
}

// Of queues that can admit.
void QueueStatusController::Sample(const api::LocalQueue& queue, base::Time now,
                                   api::LocalQueueStatus& status) {
  if (!api::IsConditionTrue(status.conditions, api::condition::kActive)) return;
  std::map<std::string, double> used;
  for (const auto& [key, amount] :
       counters_.OfLocalQueue(workload::NamespacedName(queue.metadata)).used)
    used[key.second] +=
        static_cast<double>(amount) / (quantity::CountsInMilli(key.second) ? 1000 : 1);
  if (!status.fair_sharing) status.fair_sharing.emplace();
  auto& consumed = status.fair_sharing->admission_fair_sharing_status;
  UsageSample sample = SampleUsage(consumed, used, *sampling_, now);
  consumed = std::move(sample.status);
  next_sample_ = std::min(next_sample_.value_or(sample.next), sample.next);
  timer_.SetFor(sample.next, now);
}

bool QueueStatusController::IsFlavorUsed(std::string_view flavor) const {
  bool is_used = false;
  cluster_.ForEachClusterQueue([&](const api::ClusterQueue& queue, engine::NodeId) {
    for (const api::ResourceGroup& group : queue.spec.resource_groups)
      is_used |=
          std::ranges::find(group.flavors, flavor, &api::FlavorQuotas::name) != group.flavors.end();
  });
  return is_used;
}

bool QueueStatusController::IsTopologyUsed(std::string_view topology) const {
  return cluster_.engine().state().options.topology &&
         std::ranges::any_of(known_.flavors, [&](const auto& flavor) {
           return flavor.second.spec.topology_name == topology;
         });
}

bool QueueStatusController::IsCheckUsed(std::string_view check) const {
  bool is_used = false;
  cluster_.ForEachClusterQueue([&](const api::ClusterQueue& queue, engine::NodeId) {
    if (!queue.spec.admission_checks_strategy) return;
    for (const auto& rule : queue.spec.admission_checks_strategy->admission_checks)
      is_used |= rule.name == check;
  });
  return is_used;
}

template <class T, class Status>
void QueueStatusController::WriteStatus(const Item& item, const T& object, const Status& status,
                                        base::Time now) {
  if (status == object.status) return;
  json::value change = jobs::MergePatchBetween(StatusTree(schema::Encode(object.status)),
                                               StatusTree(schema::Encode(status)));
  if (change.as_object().empty()) return;
  rate_limits_.at(item).Record(now, Interval());
  Write(item, object.metadata, T::KindInfo(), json::object{{"status", std::move(change)}},
        store::kStatusSubresource);
}

template <class T>
void QueueStatusController::KeepFinalizer(const Item& item, const T& object, bool is_used) {
  const FinalizerStep step = PlanFinalizer(object.metadata, is_used);
  if (step == FinalizerStep::kNothing) return;
  Write(item, object.metadata, T::KindInfo(),
        FinalizerPatch(object.metadata, api::kResourceInUseFinalizer, step == FinalizerStep::kAdd),
        "");
}

// --- Writes -------------------------------------------------------------------------------------

void QueueStatusController::Write(const Item& item, const api::ObjectMeta& metadata,
                                  const schema::Kind& kind, const json::object& patch,
                                  std::string_view subresource) {
  store::Patch call{.resource = store::ResourceOf(kind),
                    .namespace_ = metadata.namespace_,
                    .name = metadata.name,
                    .subresource = std::string(subresource),
                    .type = store::PatchType::kMerge,
                    .body = json::Print(patch),
                    .is_forced = false,
                    .options = {}};
  ObjectWriter::Sequence sequence;
  sequence.writes.push_back(
      {.build = [call = std::move(call)] { return ObjectWriter::Request(store::Call(call)); }});
  sequence.on_done = [this, item](const ObjectWriter::Result& result) {
    if (result.is_written) Enqueue(item);
  };
  sequence.replan = [this, item] { Enqueue(item); };
  writer_.Submit(KeyOf(item), std::move(sequence));
}

void QueueStatusController::Enqueue(const Item& item) {
  dirty_finalizers_.insert(item);
  const bool has_status =
      item.first != Sort::kFlavor && item.first != Sort::kCheck && item.first != Sort::kTopology;
  if (has_status) MarkStatusDirty(item);
  hooks_.on_enqueued();
}

const api::ObjectMeta* QueueStatusController::FindMetadata(const Item& item) const {
  const auto& [sort, name] = item;
  const auto in = [&](const auto& objects) -> const api::ObjectMeta* {
    const auto found = objects.find(name);
    return found == objects.end() ? nullptr : &found->second.metadata;
  };
  const auto of = [](const auto* object) -> const api::ObjectMeta* {
    return object == nullptr ? nullptr : &object->metadata;
  };
  switch (sort) {
    case Sort::kClusterQueue:
      return of(cluster_.FindClusterQueue(name));
    case Sort::kLocalQueue:
      return of(cluster_.FindLocalQueue(name));
    case Sort::kCohort:
      return in(known_.cohorts);
    case Sort::kFlavor:
      return in(known_.flavors);
    case Sort::kCheck:
      return in(known_.checks);
    case Sort::kTopology:
      return in(known_.topologies);
  }
  return nullptr;
}

ObjectWriter::Cache QueueStatusController::CacheHooks() {
  return {.find_version = [this](const ObjectKey& key) -> std::optional<std::string> {
            const api::ObjectMeta* metadata = FindMetadata(ItemOf(key));
            if (metadata == nullptr) return std::nullopt;
            return metadata->resource_version;
          },
          .upsert =
              [this](const ObjectKey& key, const store::Object& object) {
                hooks_.on_written(KindOf(ItemOf(key).first), object);
              }};
}

}  // namespace berth::control
