#include "control/placement/failure_recovery.h"

#include <memory>
#include <optional>
#include <utility>

#include "api/kueue/well_known.h"
#include "control/write/pod_failure.h"
#include "lifecycle/messages.h"
#include "store/resource_version.h"

namespace berth::control {
namespace {

// Kueue's names, of the Event and of what records it.
constexpr std::string_view kForcefullyDeleted = "KueueForcefullyDeleted";
constexpr std::string_view kForcefulTermination = "ForcefulTermination";
constexpr std::string_view kPodTerminationController = "kueue-pod-termination-controller";

// Objects that do not mention the word need not be decoded.
store::Projection OnlyWith(std::string_view word) {
  return [word, none = std::make_shared<const std::string>("{}")](store::Object object) {
    if (!object.text().contains(word)) object.json = none;
    return object;
  };
}

ObjectKey StuckPodKey(const store::ObjectName& pod) {
  return ObjectKey::Of(store::ResourceOf<api::Pod>(), pod.namespace_, pod.name);
}

std::string DeletionMessage(const StuckPod& pod) {
  return lifecycle::messages::ForcefullyDeleted(pod.node, pod.grace);
}

}  // namespace

FailureRecovery::FailureRecovery(store::Store& store, store::Executor& executor,
                                 EventRecorder& events, Hooks hooks)
    : executor_(executor),
      events_(events),
      hooks_(std::move(hooks)),
      timer_(executor, [this] { EnqueueAll(); }),
      writer_(store, executor, events, CacheHooks(),
              [this](const ObjectKey& key, const store::Failure& failure) {
                hooks_.log("Pod " + store::ObjectName{key.namespace_, key.name}.ToString() +
                           " not deleted by force: " + store::ToString(failure));
              }) {}

FailureRecovery::~FailureRecovery() = default;

ObjectWriter::Cache FailureRecovery::CacheHooks() {
  return {
      .find_version = [this](const ObjectKey& key) -> std::optional<std::string> {
        const auto pod = pods_.find({.namespace_ = key.namespace_, .name = key.name});
        if (pod == pods_.end()) return std::nullopt;
        return pod->second.version;
      },
      .upsert = [this](const ObjectKey&, const store::Object& pod) { Upsert(pod.key(), &pod); }};
}

// --- Watches -------------------------------------------------------------------------------------

void FailureRecovery::Watch(KindWatches& watches) {
  watches.WatchReduced(store::ResourceOf<api::Node>(), {}, OnlyWith(kUnreachableTaint),
                       [this](const store::Change& change) { OnNodeChange(change); });
  watches.WatchReduced(store::ResourceOf<api::Pod>(), {},
                       OnlyWith(api::kSafeToForcefullyDeleteAnnotation),
                       [this](const store::Change& change) { OnPodChange(change); });
}

void FailureRecovery::OnPodChange(const store::Change& change) {
  const store::Object& any = change.after != nullptr ? *change.after : *change.before;
  Upsert(any.key(), change.after);
  writer_.OnWatchEvent(StuckPodKey(any.key()));
  if (pods_.contains(any.key())) Enqueue(any.key());
}

void FailureRecovery::Upsert(const store::ObjectName& name, const store::Object* object) {
  const auto known = pods_.find(name);
  const bool is_same =
      known != pods_.end() && object != nullptr && known->second.uid == object->uid;
  if (is_same && !store::IsOlderVersion(known->second.version, object->resource_version)) return;
  const bool is_deleted = is_same && known->second.is_deleted;
  pods_.erase(name);
  const auto pod =
      object == nullptr ? std::unexpected(schema::Problems()) : object->Decode<api::Pod>();
  const std::optional<StuckPod> stuck = pod ? StuckPod::From(*pod) : std::nullopt;
  if (stuck) pods_.emplace(name, *stuck).first->second.is_deleted = is_deleted;
}

void FailureRecovery::OnNodeChange(const store::Change& change) {
  const store::Object& any = change.after != nullptr ? *change.after : *change.before;
  const auto node = any.Decode<api::Node>();
  if (change.after == nullptr || !node || !IsUnreachable(*node)) {
    unreachable_.erase(any.name);
    return;
  }
  if (!unreachable_.insert(any.name).second) return;
  for (const auto& [name, pod] : pods_)
    if (pod.node == any.name) Enqueue(name);
}

void FailureRecovery::Enqueue(const store::ObjectName& pod) {
  queued_.insert(pod);
  hooks_.on_enqueued();
}

void FailureRecovery::EnqueueAll() {
  for (const auto& [name, pod] : pods_) Enqueue(name);
}

// --- Plans ---------------------------------------------------------------------------------------

void FailureRecovery::Plan(base::Time now) {
  for (const store::ObjectName& name : std::exchange(queued_, {})) {
    const auto pod = pods_.find(name);
    if (pod == pods_.end() || writer_.IsBusy(StuckPodKey(name))) continue;
    const ForcedDeletion plan =
        PlanForcedDeletion(pod->second, unreachable_.contains(pod->second.node), now);
    if (plan.requeue_at) timer_.SetFor(*plan.requeue_at, now);
    if (plan.is_due) Delete(name, pod->second);
  }
}

void FailureRecovery::Delete(const store::ObjectName& name, const StuckPod& pod) {
  ObjectWriter::Sequence sequence;
  if (!pod.is_marked)
    sequence.writes.push_back(
        {.build = [this, name, uid = pod.uid] { return BuildMark(name, uid); },
         .accepts_not_found = true});
  sequence.writes.push_back(
      {.build = [this, name, uid = pod.uid] { return BuildDelete(name, uid); },
       .on_answer =
           [this, name, pod](const store::Outcome<store::Reply>& outcome) {
             OnDeleteAnswer(name, pod, outcome);
           },
       .accepts_not_found = true});
  sequence.replan = [this, name] { Enqueue(name); };
  writer_.Submit(StuckPodKey(name), std::move(sequence));
}

// A pod that is gone already ended in another way.
void FailureRecovery::OnDeleteAnswer(const store::ObjectName& name, const StuckPod& pod,
                                     const store::Outcome<store::Reply>& outcome) {
  if (!outcome && !outcome.error().IsNotFound()) return;
  const auto known = pods_.find(name);
  if (known != pods_.end() && known->second.uid == pod.uid) known->second.is_deleted = true;
  if (outcome)
    events_.Record(PodReference(name, pod.uid), kPodTerminationController,
                   {.about = lifecycle::EventRecord::About::kJob,
                    .is_warning = true,
                    .reason = std::string(kForcefullyDeleted),
                    .message = DeletionMessage(pod),
                    .action = std::string(kForcefulTermination)});
}

const StuckPod* FailureRecovery::Find(const store::ObjectName& name, const std::string& uid) const {
  const auto pod = pods_.find(name);
  return pod == pods_.end() || pod->second.uid != uid ? nullptr : &pod->second;
}

ObjectWriter::Request FailureRecovery::BuildMark(const store::ObjectName& name,
                                                 const std::string& uid) const {
  const StuckPod* pod = Find(name, uid);
  if (pod == nullptr) return ObjectWriter::NothingToWrite{};
  return FailPodCall(name, pod->version,
                     {.condition = kFailureRecoveryCondition,
                      .reason = kForcefullyDeleted,
                      .message = DeletionMessage(*pod)},
                     pod->has_ended, executor_.Now());
}

ObjectWriter::Request FailureRecovery::BuildDelete(const store::ObjectName& name,
                                                   const std::string& uid) const {
  if (Find(name, uid) == nullptr) return ObjectWriter::NothingToWrite{};
  return store::Delete{.resource = store::ResourceOf<api::Pod>(),
                       .namespace_ = name.namespace_,
                       .name = name.name,
                       .options = {.uid = uid, .grace_period_seconds = 0}};
}

}  // namespace berth::control
