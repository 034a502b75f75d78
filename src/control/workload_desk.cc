#include "control/workload_desk.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "api/well_known.h"
#include "control/pace.h"
#include "jobs/start_stop.h"
#include "schema/encode.h"
#include "store/json_pool.h"
#include "workload/convert_workload.h"
#include "workload/status_changes.h"

namespace berth::control {
namespace {

namespace json = store::json;
using Kind = WorkloadChange::Kind;
using Write = WorkloadPlan::Write;

constexpr int kMostFailures = 5;
// Who says what, in Kueue's words.
constexpr std::string_view kScheduler = "kueue-admission";
constexpr std::string_view kLifeController = "kueue-workload-controller";

constexpr std::string_view kSpecPart = "spec";
constexpr std::string_view kMetadataPart = "metadata";
constexpr std::string_view kStatusPart = "status";

// One part of the object: the rest need not be read and compared.
json::value TreeOf(store::JsonPool& pool, const api::Workload& workload, std::string_view part) {
  const std::string text = part == kSpecPart       ? schema::Encode(workload.spec)
                           : part == kMetadataPart ? schema::Encode(workload.metadata)
                                                   : schema::Encode(workload.status);
  return store::ParseJsonIn(&pool, text).value_or(json::object());
}

json::value AnnotationsBetween(store::JsonPool& pool, const api::Workload& before,
                               const api::Workload& after) {
  if (before.metadata.annotations == after.metadata.annotations) return json::object();
  const auto of = [](const json::value& metadata) {
    const json::value* found = store::FindJson(metadata, {"annotations"});
    return found == nullptr ? json::value(json::object()) : *found;
  };
  return jobs::MergePatchBetween(of(TreeOf(pool, before, kMetadataPart)),
                                 of(TreeOf(pool, after, kMetadataPart)));
}

// The patch of one part of the object, only good for this version of it. With the spec go the
// annotations, since some say the same and must agree. Nullopt if nothing changed.
std::optional<std::string> PatchOf(const api::Workload& before, const api::Workload& after,
                                   std::string_view part) {
  store::JsonPool pool;
  const json::value change =
      jobs::MergePatchBetween(TreeOf(pool, before, part), TreeOf(pool, after, part));
  const json::value annotations =
      part == kSpecPart ? AnnotationsBetween(pool, before, after) : json::value(json::object());
  if (change.as_object().empty() && annotations.as_object().empty()) return std::nullopt;
  json::object patch{{store::BoostView(part), change}};
  if (!annotations.as_object().empty())
    patch["metadata"] = json::object{{"annotations", annotations}};
  json::object& metadata = patch["metadata"].is_object() ? patch["metadata"].get_object()
                                                         : patch["metadata"].emplace_object();
  metadata["resourceVersion"] = before.metadata.resource_version;
  return store::PrintJson(patch);
}

std::string_view PartOf(Write write) {
  switch (write) {
    case Write::kSpec:
      return kSpecPart;
    case Write::kMetadata:
    case Write::kDelete:
      return kMetadataPart;
    case Write::kNothing:
    case Write::kStatus:
      break;
  }
  return kStatusPart;
}

store::Patch PatchCall(const api::Workload& workload, std::string body, std::string_view part) {
  return {.resource = store::ResourceOf<api::Workload>(),
          .namespace_ = workload.metadata.namespace_,
          .name = workload.metadata.name,
          .subresource = part == kStatusPart ? std::string(store::kStatusSubresource) : "",
          .type = store::PatchType::kMerge,
          .body = std::move(body),
          .is_forced = false,
          .options = {.field_manager = std::string(kScheduler)}};
}

}  // namespace

WorkloadDesk::WorkloadDesk(store::Store& store, store::Executor& executor,
                           workload::EngineFeed& feed, EventRecorder& events, Hooks hooks)
    : store_(store),
      executor_(executor),
      feed_(feed),
      events_(events),
      hooks_(std::move(hooks)),
      self_(std::make_shared<WorkloadDesk*>(this)) {}

WorkloadDesk::~WorkloadDesk() = default;

WorkloadDesk::Desk& WorkloadDesk::DeskOf(const std::string& name) {
  const auto [it, is_new] = desks_.try_emplace(name);
  if (is_new)
    if (const api::Workload* known = feed_.FindWorkload(name)) it->second.newest = *known;
  return it->second;
}

bool WorkloadDesk::IsKnown(const store::Object& object) const {
  const std::string name = workload::NamespacedName(object.namespace_, object.name);
  const auto busy = desks_.find(name);
  const api::Workload* known = busy == desks_.end()  ? feed_.FindWorkload(name)
                               : busy->second.newest ? &*busy->second.newest
                                                     : nullptr;
  return known != nullptr && known->metadata.uid == object.uid &&
         !IsOlderVersion(known->metadata.resource_version, object.resource_version) &&
         (busy == desks_.end() || !busy->second.is_deleted);
}

void WorkloadDesk::OnSeen(const std::string& name, std::optional<api::Workload> workload) {
  const auto busy = desks_.find(name);
  if (busy != desks_.end()) {
    Desk& desk = busy->second;
    desk.is_deleted = !workload;
    desk.has_news = true;
    if (workload) Advance(desk, std::move(*workload));
    return;
  }
  const api::Workload* known = feed_.FindWorkload(name);
  if (workload && known != nullptr && known->metadata.uid == workload->metadata.uid &&
      !IsOlderVersion(known->metadata.resource_version, workload->metadata.resource_version))
    return;
  if (workload && known != nullptr && known->metadata.uid == workload->metadata.uid)
    hooks_.on_step({.before = known, .after = &*workload, .now = executor_.Now()});
  hooks_.on_known(name, workload ? &*workload : nullptr);
}

// The watch may have been quicker than the answer to the write that it tells of. So those who look
// on hear of a state when it is known whose it is.
void WorkloadDesk::Advance(Desk& desk, api::Workload workload) {
  if (desk.newest &&
      !IsOlderVersion(desk.newest->metadata.resource_version, workload.metadata.resource_version))
    return;
  if (!desk.told) desk.told = std::move(desk.newest);
  desk.newest = std::move(workload);
}

void WorkloadDesk::TellStep(Desk& desk, bool is_ours) {
  if (!desk.told || !desk.newest) return;
  if (desk.told->metadata.uid == desk.newest->metadata.uid)
    hooks_.on_step({.before = &*desk.told,
                    .after = &*desk.newest,
                    .is_ours = is_ours,
                    .decision = desk.writes_change ? &desk.changes.front() : nullptr,
                    .now = executor_.Now()});
  desk.told.reset();
}

void WorkloadDesk::Write(WorkloadChange change) {
  const std::string name = change.workload;
  const bool is_idle = !IsBusy(name);
  Desk& desk = DeskOf(name);
  // Of two reasons to wait the later one counts.
  if (desk.changes.size() > (desk.writes_change ? 1u : 0u) &&
      desk.changes.back().kind == Kind::kWait && change.kind == Kind::kWait) {
    if (change.victims.empty()) change.victims = std::move(desk.changes.back().victims);
    desk.changes.back() = std::move(change);
  } else {
    desk.changes.push_back(std::move(change));
  }
  if (is_idle) WriteNext(name, desk);
}

void WorkloadDesk::WriteNext(const std::string& name, Desk& desk) {
  while (!desk.changes.empty()) {
    if (!desk.newest || desk.is_deleted) return GiveUp(name, desk);
    const WorkloadChange& change = desk.changes.front();
    api::Workload after = *desk.newest;
    std::vector<Note> notes = Apply(change, feed_.FindClusterQueue(change.admission.cluster_queue),
                                    after, executor_.Now());
    if (change.kind == Kind::kReserve || change.kind == Kind::kWait) hooks_.complete(after);
    if (auto body = PatchOf(*desk.newest, after, kStatusPart)) {
      desk.writes_change = true;
      waits_under_way_ += change.kind == Kind::kWait ? 1 : 0;
      return Send(name, PatchCall(after, std::move(*body), kStatusPart), std::move(notes),
                  kScheduler);
    }
    desk.changes.pop_front();
  }
  Close(name);
}

bool WorkloadDesk::EndChange(Desk& desk) {
  if (!std::exchange(desk.writes_change, false)) return false;
  waits_under_way_ -= desk.changes.front().kind == Kind::kWait ? 1 : 0;
  return true;
}

void WorkloadDesk::Write(const std::string& name, const WorkloadPlan& plan) {
  const api::Workload& before = *DeskOf(name).newest;
  api::Workload after = plan.workload;
  if (plan.write == Write::kDelete) {
    after = before;
    std::erase(after.metadata.finalizers, api::kResourceInUseFinalizer);
  }
  const std::string_view part = PartOf(plan.write);
  if (auto body = PatchOf(before, after, part)) {
    // A deletion comes in two steps; what there is to tell is told with the second.
    return Send(name, PatchCall(before, std::move(*body), part),
                plan.write == Write::kDelete ? std::vector<Note>() : plan.notes, kLifeController);
  }
  if (plan.write != Write::kDelete) return Close(name);
  Send(name,
       store::Delete{.resource = store::ResourceOf<api::Workload>(),
                     .namespace_ = before.metadata.namespace_,
                     .name = before.metadata.name,
                     .options = {.uid = before.metadata.uid}},
       plan.notes, kLifeController);
}

void WorkloadDesk::Send(const std::string& name, store::Call call, std::vector<Note> notes,
                        std::string_view teller) {
  const bool is_write = !std::holds_alternative<store::Get>(call);
  store_.Do(std::move(call), executor_,
            [weak = std::weak_ptr(self_), name, notes = std::move(notes), teller,
             is_write](store::Outcome<store::Reply> outcome) {
              if (const auto self = weak.lock())
                (*self)->OnAnswer(name, std::move(outcome), notes, teller, is_write);
            });
}

void WorkloadDesk::OnAnswer(const std::string& name, store::Outcome<store::Reply> outcome,
                            const std::vector<Note>& notes, std::string_view teller,
                            bool is_write) {
  const auto found = desks_.find(name);
  if (found == desks_.end()) return;
  Desk& desk = found->second;
  desk.has_news = true;
  if (!outcome) return OnRefused(name, desk, outcome.error());
  if (is_write) desk.failures = 0;
  if (outcome->was_removed) {
    desk.is_deleted = true;
  } else if (!desk.newest || IsOlderVersion(desk.newest->metadata.resource_version,
                                            outcome->object.resource_version)) {
    if (auto written = outcome->object.Decode<api::Workload>()) Advance(desk, std::move(*written));
  }
  TellStep(desk, is_write);
  if (desk.newest) Tell(*desk.newest, notes, teller);
  if (EndChange(desk)) desk.changes.pop_front();
  WriteNext(name, desk);
}

void WorkloadDesk::OnRefused(const std::string& name, Desk& desk, const store::Failure& failure) {
  EndChange(desk);
  TellStep(desk, false);
  if (failure.IsNotFound()) {
    desk.is_deleted = true;
    return GiveUp(name, desk);
  }
  // A refusal may pass, too: a server that has just started does not know yet what is permitted.
  // And where it does not pass, without a pause the same would be decided and refused for ever.
  const bool may_pass = failure.IsConflict() || failure.IsTransient();
  const bool is_last = !failure.IsConflict() && ++desk.failures > kMostFailures;
  if (is_last || !may_pass) hooks_.on_failure(name, failure);
  if (is_last) return GiveUp(name, desk);
  const base::Duration pause = failure.IsConflict() ? base::Duration()
                               : may_pass
                                   ? base::Duration::Milliseconds(int64_t{50} << desk.failures)
                                   : kPauseAfterRefusal;
  executor_.PostAfter(pause, [weak = std::weak_ptr(self_), name] {
    if (const auto self = weak.lock()) (*self)->ReadAgain(name);
  });
}

void WorkloadDesk::ReadAgain(const std::string& name) {
  const auto found = desks_.find(name);
  if (found == desks_.end() || !found->second.newest) return;
  const api::ObjectMeta& metadata = found->second.newest->metadata;
  Send(name,
       store::Get{.resource = store::ResourceOf<api::Workload>(),
                  .namespace_ = metadata.namespace_,
                  .name = metadata.name,
                  .subresource = ""},
       {}, kLifeController);
}

// The decisions that were not written are taken back, unless the engine has forgotten the workload:
// its ClusterQueue may be gone.
void WorkloadDesk::GiveUp(const std::string& name, Desk& desk) {
  engine::Engine& engine = feed_.engine();
  for (const WorkloadChange& change : desk.changes) {
    const api::Workload* known = feed_.FindWorkload(name);
    const engine::WorkloadId id =
        known == nullptr ? engine::WorkloadId::None() : engine.FindWorkload(known->metadata.uid);
    if (change.kind == Kind::kReserve && !id.is_none() && engine.IsReserved(id)) engine.Undo(id);
    // The engine counts on it to go; it has to learn of it afresh.
    if (change.kind == Kind::kPreempt && desk.newest)
      feed_.Delete(api::Workload::KindInfo(), desk.newest->metadata.namespace_,
                   desk.newest->metadata.name);
  }
  desk.changes.clear();
  Close(name);
}

void WorkloadDesk::Close(const std::string& name) {
  Desk desk = std::move(desks_.find(name)->second);
  desks_.erase(name);
  TellStep(desk, false);
  if (!desk.has_news) return;
  hooks_.on_known(name, desk.is_deleted || !desk.newest ? nullptr : &*desk.newest);
}

void WorkloadDesk::Tell(const api::Workload& workload, const Note& note) {
  Tell(workload, {note}, kLifeController);
}

void WorkloadDesk::Tell(const api::Workload& workload, const std::vector<Note>& notes,
                        std::string_view teller) {
  const api::ObjectReference regarding{
      .kind = std::string(api::Workload::KindInfo().kind),
      .namespace_ = workload.metadata.namespace_,
      .name = workload.metadata.name,
      .uid = workload.metadata.uid,
      .api_version = store::ResourceOf<api::Workload>().ApiVersion(),
      .resource_version = workload.metadata.resource_version,
      .field_path = "",
      .extra = {}};
  for (const Note& note : notes) events_.Record(regarding, teller, note);
}

}  // namespace berth::control
