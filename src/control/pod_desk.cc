#include "control/pod_desk.h"

#include <utility>

#include "base/time.h"
#include "control/pace.h"
#include "jobs/pod_group.h"
#include "jobs/start_stop.h"
#include "schema/decode.h"
#include "schema/encode.h"
#include "workload/convert_workload.h"

namespace berth::control {
namespace {

constexpr std::string_view kPodTeller = "pod-kueue-controller";
// A write that was refused is not worth trying again at once.

std::optional<KnownPod> ReadPod(const store::Object& object) {
  auto pod = schema::Decode<api::Pod>(object.text());
  auto tree = store::ParseJson(object.text());
  if (!pod || !tree) return std::nullopt;
  return KnownPod{.pod = std::move(*pod), .tree = std::move(*tree)};
}

store::json::object WithVersion(store::json::object patch, const std::string& version) {
  store::json::value& metadata = patch["metadata"];
  if (!metadata.is_object()) metadata.emplace_object();
  metadata.get_object()["resourceVersion"] = version;
  return patch;
}

// The conditions of the pod, with the one that says why it is stopped.
store::json::array WithTarget(const store::json::value& pod, const StopPod& stop, base::Time now) {
  store::json::array conditions;
  const store::json::value* known = store::FindJson(pod, {"status", "conditions"});
  if (known != nullptr && known->is_array())
    for (const store::json::value& condition : known->get_array())
      if (store::JsonStringAt(condition, {"type"}) != "TerminationTarget")
        conditions.push_back(condition);
  conditions.push_back({{"type", "TerminationTarget"},
                        {"status", "True"},
                        {"reason", stop.reason},
                        {"message", stop.message},
                        {"lastTransitionTime", base::FormatTime(now)}});
  return conditions;
}

}  // namespace

// A plan that is being done.
struct PodDesk::Work {
  PodUnitKey key;
  PodPlan plan;
  std::map<std::string, std::string> uids;  // of the pods, which may be gone when all is told
  size_t action = 0;
  size_t step = 0;          // within an action
  bool opens_gate = false;  // what is being sent
  // The pod that is being written, and the version of it that is known.
  store::ObjectName pod;
  std::string version;
};

PodDesk::PodDesk(store::Store& store, store::Executor& executor, WorkloadDesk& workloads,
                 EventRecorder& events, bool reads_annotations, Hooks hooks)
    : store_(store),
      executor_(executor),
      workloads_(workloads),
      events_(events),
      reads_annotations_(reads_annotations),
      hooks_(std::move(hooks)),
      self_(std::make_shared<PodDesk*>(this)) {}

PodDesk::~PodDesk() = default;

// --- What there is ------------------------------------------------------------------------------

PodUnitKey PodDesk::UnitOf(const api::Pod& pod) const {
  const std::string group = jobs::PodGroupName(pod.metadata, reads_annotations_);
  const bool is_group = !group.empty();
  return {.namespace_ = pod.metadata.namespace_,
          .name = is_group ? group : pod.metadata.name,
          .is_group = is_group};
}

void PodDesk::Learn(const store::Object& object) {
  std::optional<KnownPod> known = ReadPod(object);
  if (!known) return;
  const auto old = pods_.find(object.key());
  if (old != pods_.end()) Forget(old);
  Entry entry{.known = std::move(*known), .text = object, .unit = {}};
  entry.unit = UnitOf(entry.known.pod);
  units_[entry.unit].insert(object.key());
  by_uid_.insert_or_assign(object.uid, entry.unit);
  pods_.insert_or_assign(object.key(), std::move(entry));
}

void PodDesk::Forget(std::map<store::ObjectName, Entry>::iterator entry) {
  const auto unit = units_.find(entry->second.unit);
  unit->second.erase(entry->first);
  if (unit->second.empty()) units_.erase(unit);
  by_uid_.erase(entry->second.text.uid);
  pods_.erase(entry);
}

void PodDesk::OnSeen(const store::ObjectName& name, const store::Object* object) {
  const auto known = pods_.find(name);
  if (object != nullptr && known != pods_.end() && known->second.text.uid == object->uid &&
      !IsOlderVersion(known->second.text.resource_version, object->resource_version))
    return;
  if (known != pods_.end()) {
    const PodUnitKey before = known->second.unit;
    if (object == nullptr) Forget(known);
    hooks_.on_known(before);
  }
  if (object == nullptr) return;
  Learn(*object);
  if (const auto now = pods_.find(name); now != pods_.end()) hooks_.on_known(now->second.unit);
}

PodUnit PodDesk::Find(const PodUnitKey& key) const {
  PodUnit unit{.group = key.is_group ? key.name : "", .pods = {}};
  const auto found = units_.find(key);
  if (found == units_.end()) return unit;
  for (const store::ObjectName& name : found->second) unit.pods.push_back(pods_.at(name).known);
  return unit;
}

const PodUnitKey* PodDesk::FindByUid(std::string_view uid) const {
  const auto found = by_uid_.find(uid);
  return found == by_uid_.end() ? nullptr : &found->second;
}

void PodDesk::ForEach(const std::function<void(const PodUnitKey&, const KnownPod&)>& visit) const {
  for (const auto& [name, entry] : pods_) visit(entry.unit, entry.known);
}

// --- What is done ----------------------------------------------------------------------------

void PodDesk::Perform(const PodUnitKey& key, PodPlan plan) {
  auto work = std::make_shared<Work>(Work{.key = key, .plan = std::move(plan)});
  if (const auto unit = units_.find(key); unit != units_.end())
    for (const store::ObjectName& name : unit->second)
      work->uids[name.name] = pods_.at(name).text.uid;
  busy_.insert(key);
  Next(work);
}

void PodDesk::Next(const std::shared_ptr<Work>& work) {
  if (work->action == work->plan.actions.size()) {
    Tell(*work);
    return Done(*work);
  }
  std::visit([&](const auto& action) { Act(work, action); }, work->plan.actions[work->action]);
}

void PodDesk::Done(const Work& work) {
  busy_.erase(work.key);
  if (!work.plan.actions.empty()) hooks_.on_known(work.key);
}

void PodDesk::Skip(const std::shared_ptr<Work>& work) {
  work->step = 0;
  ++work->action;
  Next(work);
}

PodDesk::Entry* PodDesk::FindPod(const Work& work, const std::string& pod) {
  const auto found = pods_.find({.namespace_ = work.key.namespace_, .name = pod});
  if (found == pods_.end()) return nullptr;
  const auto meant = work.uids.find(pod);
  return meant == work.uids.end() || meant->second != found->second.text.uid ? nullptr
                                                                             : &found->second;
}

void PodDesk::Act(const std::shared_ptr<Work>& work, const CreateWorkload& action) {
  Send(work, store::Create{.resource = store::ResourceOf<api::Workload>(),
                           .namespace_ = action.workload.metadata.namespace_,
                           .object = schema::Encode(action.workload),
                           .options = {}});
}

void PodDesk::Act(const std::shared_ptr<Work>& work, const ChangeWorkload& action) {
  workloads_.Write(workload::NamespacedName(action.workload.metadata), PlanFor(action));
  Skip(work);
}

void PodDesk::Act(const std::shared_ptr<Work>& work, const DeleteWorkload& action) {
  workloads_.Write(workload::NamespacedName(work->key.namespace_, action.name),
                   {.write = WorkloadPlan::Write::kDelete});
  Skip(work);
}

// What others did to a pod since it was planned for must not be undone.
void PodDesk::Act(const std::shared_ptr<Work>& work, const WritePod& action) {
  const Entry* pod = FindPod(*work, action.pod);
  if (pod == nullptr) return Skip(work);
  if (store::JsonStringAt(action.object, {"metadata", "resourceVersion"}) !=
      pod->text.resource_version)
    return Done(*work);
  store::json::value patch = jobs::MergePatchBetween(pod->known.tree, action.object);
  if (patch.as_object().empty()) return Skip(work);
  work->opens_gate = jobs::IsGated(pod->known.pod) &&
                     store::FindJson(patch, {"spec", "schedulingGates"}) != nullptr;
  SendPatch(work, *pod, std::move(patch.as_object()), "");
}

void PodDesk::Act(const std::shared_ptr<Work>& work, const LetPodGo& action) {
  const Entry* pod = FindPod(*work, action.pod);
  if (pod == nullptr || !HasPodFinalizer(pod->known.pod)) return Skip(work);
  store::json::array left;
  for (const std::string& finalizer : pod->known.pod.metadata.finalizers)
    if (finalizer != kPodFinalizer) left.emplace_back(finalizer);
  SendPatch(work, *pod, {{"metadata", store::json::object{{"finalizers", std::move(left)}}}}, "");
}

void PodDesk::Act(const std::shared_ptr<Work>& work, const StopPod& action) {
  const Entry* pod = FindPod(*work, action.pod);
  if (pod == nullptr) return Skip(work);
  if (work->step++ > 0) return SendDelete(work, *pod);
  SendPatch(
      work, *pod,
      {{"status",
        store::json::object{{"conditions", WithTarget(pod->known.tree, action, executor_.Now())}}}},
      store::kStatusSubresource);
}

void PodDesk::Act(const std::shared_ptr<Work>& work, const DeletePod& action) {
  const Entry* pod = FindPod(*work, action.pod);
  if (pod == nullptr) return Skip(work);
  SendDelete(work, *pod);
}

void PodDesk::SendPatch(const std::shared_ptr<Work>& work, const Entry& pod,
                        store::json::object patch, std::string_view subresource) {
  work->pod = pod.text.key();
  work->version = pod.text.resource_version;
  Send(work, store::Patch{
                 .resource = store::ResourceOf<api::Pod>(),
                 .namespace_ = work->key.namespace_,
                 .name = pod.text.name,
                 .subresource = std::string(subresource),
                 .type = store::PatchType::kMerge,
                 .body = store::PrintJson(WithVersion(std::move(patch), pod.text.resource_version)),
                 .is_forced = false,
                 .options = {}});
}

void PodDesk::SendDelete(const std::shared_ptr<Work>& work, const Entry& pod) {
  work->step = 0;
  Send(work, store::Delete{.resource = store::ResourceOf<api::Pod>(),
                           .namespace_ = work->key.namespace_,
                           .name = pod.text.name,
                           .options = {.uid = pod.text.uid}});
}

void PodDesk::Send(const std::shared_ptr<Work>& work, store::Call call) {
  const bool is_of_pod = !std::holds_alternative<store::Create>(call);
  store_.Do(std::move(call), executor_,
            [weak = std::weak_ptr(self_), work, is_of_pod](store::Outcome<store::Reply> outcome) {
              const auto self = weak.lock();
              if (!self) return;
              PodDesk& desk = **self;
              if (!outcome && !outcome.error().IsNotFound())
                return desk.OnRefused(work, outcome.error());
              if (outcome) desk.LearnWritten(*work, *outcome, is_of_pod);
              if (std::exchange(work->opens_gate, false) && outcome)
                desk.hooks_.on_released(work->key);
              if (work->step == 0) ++work->action;
              desk.Next(work);
            });
}

// Until the watch tells of it, the pods would be planned without it again.
void PodDesk::LearnWritten(const Work& work, const store::Reply& reply, bool is_of_pod) {
  if (is_of_pod) {
    if (!reply.was_removed && pods_.contains(reply.object.key()))
      OnSeen(reply.object.key(), &reply.object);
    return;
  }
  auto workload = schema::Decode<api::Workload>(reply.object.text());
  if (!workload) return;
  if (const auto unit = units_.find(work.key); unit != units_.end())
    hooks_.on_made(
        MadeFor(pods_.at(*unit->second.begin()).known.tree, api::Pod::KindInfo().kind, *workload));
  const std::string name = workload::NamespacedName(workload->metadata);
  workloads_.OnSeen(name, std::move(*workload));
}

// A conflict passes: the watch brings what is true now, if it has not yet. To plan with what is
// known to be old would only meet the next one.
void PodDesk::OnConflict(const Work& work) {
  const auto pod = pods_.find(work.pod);
  if (pod == pods_.end() || pod->second.text.resource_version != work.version) return Done(work);
  busy_.erase(work.key);
  executor_.PostAfter(kPauseAfterRefusal, [weak = std::weak_ptr(self_), key = work.key] {
    if (const auto self = weak.lock()) (*self)->hooks_.on_known(key);
  });
}

void PodDesk::OnRefused(const std::shared_ptr<Work>& work, const store::Failure& failure) {
  if (failure.IsConflict()) return OnConflict(*work);
  if (!failure.IsAlreadyExists()) hooks_.on_failure(work->key, failure);
  executor_.PostAfter(kPauseAfterRefusal, [weak = std::weak_ptr(self_), work] {
    if (const auto self = weak.lock()) (*self)->Done(*work);
  });
}

void PodDesk::Tell(const Work& work) {
  for (const auto& [pod, note] : work.plan.notes) {
    const auto uid = work.uids.find(pod);
    events_.Record({.kind = std::string(api::Pod::KindInfo().kind),
                    .namespace_ = work.key.namespace_,
                    .name = pod,
                    .uid = uid == work.uids.end() ? "" : uid->second,
                    .api_version = "v1"},
                   kPodTeller, note);
  }
}

}  // namespace berth::control
