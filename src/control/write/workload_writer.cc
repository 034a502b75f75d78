#include "control/write/workload_writer.h"

#include <utility>

#include "api/kueue/well_known.h"
#include "api/meta/finalizers.h"
#include "jobs/start_stop.h"
#include "json/pool.h"
#include "schema/encode.h"
#include "store/resource_version.h"
#include "workload/convert/convert_workload.h"
#include "workload/status_changes.h"

namespace berth::control {
namespace {

using Kind = WorkloadChange::Kind;
using WriteKind = lifecycle::WorkloadPlan::Write;

constexpr int kMaxAttempts = 6;  // of a decision
// Reporting controllers of Events, named as in Kueue.
constexpr std::string_view kScheduler = "kueue-admission";
constexpr std::string_view kWorkloadController = "kueue-workload-controller";

constexpr std::string_view kSpecPart = "spec";
constexpr std::string_view kMetadataPart = "metadata";
constexpr std::string_view kStatusPart = "status";

// One part of the object; encoding and comparing the rest would be wasted.
json::value TreeOf(json::Pool& pool, const api::Workload& workload, std::string_view part) {
  const std::string text = part == kSpecPart       ? schema::Encode(workload.spec)
                           : part == kMetadataPart ? schema::Encode(workload.metadata)
                                                   : schema::Encode(workload.status);
  return json::ParseIn(&pool, text).value_or(json::object());
}

json::value AnnotationsBetween(json::Pool& pool, const api::Workload& before,
                               const api::Workload& after) {
  if (before.metadata.annotations == after.metadata.annotations) return json::object();
  const auto of = [](const json::value& metadata) {
    const json::value* found = json::Find(metadata, {"annotations"});
    return found == nullptr ? json::value(json::object()) : *found;
  };
  return jobs::MergePatchBetween(of(TreeOf(pool, before, kMetadataPart)),
                                 of(TreeOf(pool, after, kMetadataPart)));
}

// A merge patch of one part of the object, valid only for the version of `before`. A patch of the
// spec includes the annotations, since some of them repeat fields of the spec and must agree.
// Nullopt if nothing changed.
std::optional<std::string> PatchOf(const api::Workload& before, const api::Workload& after,
                                   std::string_view part) {
  json::Pool pool;
  const json::value change =
      jobs::MergePatchBetween(TreeOf(pool, before, part), TreeOf(pool, after, part));
  const json::value annotations =
      part == kSpecPart ? AnnotationsBetween(pool, before, after) : json::value(json::object());
  if (change.as_object().empty() && annotations.as_object().empty()) return std::nullopt;
  json::object patch{{json::BoostView(part), change}};
  if (!annotations.as_object().empty())
    patch["metadata"] = json::object{{"annotations", annotations}};
  json::object& metadata = patch["metadata"].is_object() ? patch["metadata"].get_object()
                                                         : patch["metadata"].emplace_object();
  metadata["resourceVersion"] = before.metadata.resource_version;
  return json::Print(patch);
}

std::string_view PartOf(WriteKind write) {
  switch (write) {
    case WriteKind::kSpec:
      return kSpecPart;
    case WriteKind::kMetadata:
    case WriteKind::kDelete:
      return kMetadataPart;
    case WriteKind::kNothing:
    case WriteKind::kStatus:
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

api::ObjectReference ReferenceTo(const api::Workload& workload) {
  return {.kind = std::string(api::Workload::KindInfo().kind),
          .namespace_ = workload.metadata.namespace_,
          .name = workload.metadata.name,
          .uid = workload.metadata.uid,
          .api_version = store::ResourceOf<api::Workload>().ApiVersion(),
          .resource_version = workload.metadata.resource_version,
          .field_path = "",
          .extra = {}};
}

ObjectKey WriterKey(const std::string& name) {
  static const std::string kResource = store::ResourceOf<api::Workload>().GroupResource();
  const size_t slash = name.find('/');
  return {
      .resource = kResource, .namespace_ = name.substr(0, slash), .name = name.substr(slash + 1)};
}

bool IsAsNewAs(const api::Workload& known, const api::Workload& workload) {
  return known.metadata.uid == workload.metadata.uid &&
         !store::IsOlderVersion(known.metadata.resource_version,
                                workload.metadata.resource_version);
}

// Whether the change is about a Workload that holds quota.
bool IsOfReserved(WorkloadChange::Kind kind) {
  return kind == Kind::kPreempt || kind == Kind::kPlace || kind == Kind::kEvict;
}

// The Workload that the engine decides about again if the change is not written; "" if the change
// is about one that is pending.
std::string DecidedFor(const WorkloadChange& change) {
  if (!IsOfReserved(change.kind)) return "";
  return change.kind == Kind::kPreempt ? change.preemptor : change.workload;
}

}  // namespace

store::Create CreateCallFor(const api::Workload& workload) {
  return {.resource = store::ResourceOf<api::Workload>(),
          .namespace_ = workload.metadata.namespace_,
          .object = schema::Encode(workload),
          .options = {}};
}

WorkloadWriter::WorkloadWriter(store::Store& store, store::Executor& executor,
                               workload::ClusterState& cluster, EventRecorder& events, Hooks hooks)
    : executor_(executor),
      cluster_(cluster),
      events_(events),
      hooks_(std::move(hooks)),
      writer_(store, executor, events, CacheHooks(),
              [this](const ObjectKey& key, const store::Failure& failure) {
                hooks_.on_failure(workload::NamespacedName(key.namespace_, key.name), failure);
              }) {}

WorkloadWriter::~WorkloadWriter() = default;

ObjectWriter::Cache WorkloadWriter::CacheHooks() {
  return {.find_version = [this](const ObjectKey& key) -> std::optional<std::string> {
            const Pending* pending = FindPending(key);
            if (pending == nullptr || !pending->newest || pending->is_deleted) return std::nullopt;
            return pending->newest->metadata.resource_version;
          },
          .upsert =
              [this](const ObjectKey& key, const store::Object& object) {
                if (auto written = object.Decode<api::Workload>())
                  Advance(*FindPending(key), std::move(*written));
              }};
}

// --- Known states --------------------------------------------------------------------------------

WorkloadWriter::Pending& WorkloadWriter::PendingOf(const std::string& name) {
  const auto [it, is_new] = pending_.try_emplace(name);
  if (is_new)
    if (const api::Workload* known = cluster_.FindWorkload(name)) it->second.newest = *known;
  return it->second;
}

WorkloadWriter::Pending* WorkloadWriter::FindPending(const ObjectKey& key) {
  const auto found = pending_.find(workload::NamespacedName(key.namespace_, key.name));
  return found == pending_.end() ? nullptr : &found->second;
}

bool WorkloadWriter::IsKnown(const store::Object& object) const {
  const std::string name = workload::NamespacedName(object.namespace_, object.name);
  const auto pending = pending_.find(name);
  const api::Workload* known = pending == pending_.end() ? cluster_.FindWorkload(name)
                               : pending->second.newest  ? &*pending->second.newest
                                                         : nullptr;
  return known != nullptr && known->metadata.uid == object.uid &&
         !store::IsOlderVersion(known->metadata.resource_version, object.resource_version) &&
         (pending == pending_.end() || !pending->second.is_deleted);
}

void WorkloadWriter::OnWatchEvent(const std::string& name, std::optional<api::Workload> workload) {
  if (const auto found = pending_.find(name); found != pending_.end()) {
    Pending& pending = found->second;
    pending.is_deleted = !workload;
    pending.has_news = true;
    if (workload) Advance(pending, std::move(*workload));
    return writer_.OnWatchEvent(WriterKey(name));
  }
  const api::Workload* known = cluster_.FindWorkload(name);
  if (workload && known != nullptr && IsAsNewAs(*known, *workload)) return;
  if (workload && known != nullptr && known->metadata.uid == workload->metadata.uid)
    hooks_.on_transition({.before = known, .after = &*workload, .now = executor_.Now()});
  hooks_.on_state_changed(name, workload ? &*workload : nullptr);
}

// The watch may deliver a write before its answer arrives. A transition is therefore reported only
// when its author is known.
void WorkloadWriter::Advance(Pending& pending, api::Workload workload) {
  if (pending.newest && !store::IsOlderVersion(pending.newest->metadata.resource_version,
                                               workload.metadata.resource_version))
    return;
  if (!pending.last_reported) pending.last_reported = std::move(pending.newest);
  pending.newest = std::move(workload);
}

void WorkloadWriter::ReportTransition(Pending& pending, bool is_ours) {
  if (!pending.last_reported || !pending.newest) return;
  if (pending.last_reported->metadata.uid == pending.newest->metadata.uid)
    hooks_.on_transition(
        {.before = &*pending.last_reported,
         .after = &*pending.newest,
         .is_ours = is_ours,
         .decision = pending.is_change_in_flight ? &pending.changes.front() : nullptr,
         .now = executor_.Now()});
  pending.last_reported.reset();
}

void WorkloadWriter::Close(const std::string& name) {
  Pending pending = std::move(pending_.find(name)->second);
  pending_.erase(name);
  ReportTransition(pending, false);
  if (!pending.has_news) return;
  hooks_.on_state_changed(name, pending.is_deleted || !pending.newest ? nullptr : &*pending.newest);
}

// --- Writes --------------------------------------------------------------------------------------

void WorkloadWriter::Write(WorkloadChange change) {
  const std::string name = change.workload;
  Pending& pending = PendingOf(name);
  // A later pending reason replaces one that is still queued.
  if (pending.changes.size() > (pending.is_change_in_flight ? 1u : 0u) &&
      pending.changes.back().kind == Kind::kWait && change.kind == Kind::kWait) {
    if (change.targets.empty()) change.targets = std::move(pending.changes.back().targets);
    pending.changes.back() = std::move(change);
    return;
  }
  // The engine decides the same again about a Workload with quota.
  const bool retries_final = IsOfReserved(change.kind);
  pending.changes.push_back(std::move(change));
  ObjectWriter::Sequence sequence;
  sequence.writes.push_back(WriteOf(name, [this, name] { return BuildChange(name); }));
  sequence.writes.back().max_attempts = kMaxAttempts;
  sequence.writes.back().retries_final = retries_final;
  sequence.events = [this, name] { return EventsOf(name, kScheduler); };
  Submit(name, std::move(sequence),
         [this, name](const ObjectWriter::Result& result) { OnChangeDone(name, result); });
}

void WorkloadWriter::Write(const std::string& name, const lifecycle::WorkloadPlan& plan,
                           ObjectWriter::Done on_done) {
  PendingOf(name);
  ObjectWriter::Sequence sequence;
  if (plan.write == WriteKind::kDelete) {
    sequence.writes.push_back(WriteOf(name, [this, name] { return BuildFinalizerRemoval(name); }));
    sequence.writes.push_back(
        WriteOf(name, [this, name, events = plan.events] { return BuildDelete(name, events); }));
    for (ObjectWriter::Write& write : sequence.writes) write.accepts_not_found = true;
  } else {
    sequence.writes.push_back(WriteOf(name, [this, name, plan] { return BuildPatch(name, plan); }));
  }
  sequence.events = [this, name, reporter = plan.reporter] {
    return EventsOf(name, reporter.empty() ? kWorkloadController : std::string_view(reporter));
  };
  sequence.replan = [this, name] { Replan(name); };
  Submit(name, std::move(sequence), std::move(on_done));
}

ObjectWriter::Write WorkloadWriter::HandoffOf(std::string name, lifecycle::WorkloadPlan plan) {
  ObjectWriter::Handoff handoff = [this, name = std::move(name),
                                   plan = std::move(plan)](ObjectWriter::Done done) {
    Write(name, plan, std::move(done));
  };
  return {.build = [handoff = std::move(handoff)] { return ObjectWriter::Request(handoff); }};
}

void WorkloadWriter::Submit(const std::string& name, ObjectWriter::Sequence sequence,
                            ObjectWriter::Done on_done) {
  sequence.on_done = [this, name,
                      on_done = std::move(on_done)](const ObjectWriter::Result& result) {
    if (on_done) on_done(result);
    if (!writer_.IsBusy(WriterKey(name)) && pending_.contains(name)) Close(name);
  };
  writer_.Submit(WriterKey(name), std::move(sequence));
}

ObjectWriter::Write WorkloadWriter::WriteOf(const std::string& name,
                                            std::function<ObjectWriter::Request()> build) {
  return {.build = std::move(build),
          .on_answer = [this, name](const Answer& answer) { OnAnswer(name, answer); }};
}

ObjectWriter::Request WorkloadWriter::BuildChange(const std::string& name) {
  Pending& pending = pending_.at(name);
  pending.events.clear();
  if (pending.changes.empty()) return ObjectWriter::NothingToWrite{};  // it was reverted
  if (!pending.newest || pending.is_deleted) return ObjectWriter::Outdated{};
  const WorkloadChange& change = pending.changes.front();
  api::Workload after = *pending.newest;
  std::vector<lifecycle::EventRecord> events = Apply(
      change, cluster_.FindClusterQueue(change.admission.cluster_queue), after, executor_.Now());
  if (change.kind == Kind::kReserve || change.kind == Kind::kWait) hooks_.complete_status(after);
  auto body = PatchOf(*pending.newest, after, kStatusPart);
  if (!body) return ObjectWriter::NothingToWrite{};
  pending.events = std::move(events);
  pending.is_change_in_flight = true;
  pending_reasons_in_flight_ += change.kind == Kind::kWait ? 1 : 0;
  return PatchCall(after, std::move(*body), kStatusPart);
}

ObjectWriter::Request WorkloadWriter::BuildPatch(const std::string& name,
                                                 const lifecycle::WorkloadPlan& plan) {
  Pending& pending = pending_.at(name);
  pending.events.clear();
  if (!pending.newest || pending.is_deleted ||
      pending.newest->metadata.resource_version != plan.workload.metadata.resource_version)
    return ObjectWriter::Outdated{};
  const std::string_view part = PartOf(plan.write);
  auto body = PatchOf(*pending.newest, plan.workload, part);
  if (!body) return ObjectWriter::NothingToWrite{};
  pending.events = plan.events;
  return PatchCall(*pending.newest, std::move(*body), part);
}

ObjectWriter::Request WorkloadWriter::BuildFinalizerRemoval(const std::string& name) {
  Pending& pending = pending_.at(name);
  pending.events.clear();
  if (!pending.newest || pending.is_deleted) return ObjectWriter::NothingToWrite{};
  api::Workload after = *pending.newest;
  api::RemoveFinalizer(after.metadata, api::kResourceInUseFinalizer);
  auto body = PatchOf(*pending.newest, after, kMetadataPart);
  if (!body) return ObjectWriter::NothingToWrite{};
  return PatchCall(after, std::move(*body), kMetadataPart);
}

ObjectWriter::Request WorkloadWriter::BuildDelete(
    const std::string& name, const std::vector<lifecycle::EventRecord>& events) {
  Pending& pending = pending_.at(name);
  if (!pending.newest || pending.is_deleted || pending.newest->metadata.deletion_timestamp)
    return ObjectWriter::NothingToWrite{};
  pending.events = events;
  const api::ObjectMeta& metadata = pending.newest->metadata;
  return store::Delete{.resource = store::ResourceOf<api::Workload>(),
                       .namespace_ = metadata.namespace_,
                       .name = metadata.name,
                       .options = {.uid = metadata.uid}};
}

// --- Answers -------------------------------------------------------------------------------------

void WorkloadWriter::OnAnswer(const std::string& name, const Answer& answer) {
  Pending& pending = pending_.at(name);
  pending.has_news |= answer.has_value();
  if ((answer && answer->was_removed) || (!answer && answer.error().IsNotFound())) {
    pending.is_deleted = true;
    pending.has_news = true;
  }
  ReportTransition(pending, answer.has_value());
  if (!std::exchange(pending.is_change_in_flight, false)) return;
  pending_reasons_in_flight_ -= pending.changes.front().kind == Kind::kWait ? 1 : 0;
}

void WorkloadWriter::OnChangeDone(const std::string& name, const ObjectWriter::Result& result) {
  Pending& pending = pending_.at(name);
  if (!result.is_written) return OnChangeFailed(name, pending, result);
  if (pending.changes.empty()) return;
  std::vector<WorkloadChange> follow_ups = std::move(pending.changes.front().follow_ups);
  pending.changes.pop_front();
  for (WorkloadChange& change : follow_ups) Write(std::move(change));
}

void WorkloadWriter::OnChangeFailed(const std::string& name, Pending& pending,
                                    const ObjectWriter::Result& result) {
  const bool is_reservation =
      !pending.changes.empty() && pending.changes.front().kind == Kind::kReserve;
  const std::string decided_for =
      pending.changes.empty() ? "" : DecidedFor(pending.changes.front());
  RevertDecisions(pending);
  if (is_reservation && result.rejection && !result.rejection->IsTransient())
    hooks_.on_reservation_rejected(name, *result.rejection);
  if (!decided_for.empty() && result.rejection)
    hooks_.on_decision_rejected(decided_for, *result.rejection);
}

// Decisions behind a failed one build on it and are reverted, too. The engine may have forgotten
// the Workload: its ClusterQueue may be gone.
void WorkloadWriter::RevertDecisions(Pending& pending) {
  for (const WorkloadChange& change : pending.changes) {
    if (change.kind == Kind::kReserve) Revert(change, cluster_);
    // The engine counts on the change; it has to learn the Workload afresh.
    if (IsOfReserved(change.kind) && pending.newest)
      cluster_.Delete(api::Workload::KindInfo(), pending.newest->metadata.namespace_,
                      pending.newest->metadata.name);
  }
  pending.changes.clear();
  pending.has_news = true;
}

// The failed plan left the known state as it was: to be planned again, it counts as changed.
void WorkloadWriter::Replan(const std::string& name) {
  const api::Workload* known = cluster_.FindWorkload(name);
  if (known == nullptr || IsBusy(name)) return;
  const api::Workload copy = *known;
  hooks_.on_state_changed(name, &copy);
}

void WorkloadWriter::Record(const api::Workload& workload, const lifecycle::EventRecord& event) {
  events_.Record(ReferenceTo(workload), kWorkloadController, event);
}

void WorkloadWriter::RecordDecision(const api::Workload& workload,
                                    const lifecycle::EventRecord& event) {
  events_.Record(ReferenceTo(workload), kScheduler, event);
}

std::vector<ObjectWriter::ObjectEvent> WorkloadWriter::EventsOf(const std::string& name,
                                                                std::string_view controller) {
  const Pending& pending = pending_.at(name);
  std::vector<ObjectWriter::ObjectEvent> events;
  if (!pending.newest) return events;
  for (const lifecycle::EventRecord& event : pending.events)
    events.push_back({.regarding = ReferenceTo(*pending.newest),
                      .controller = std::string(controller),
                      .event = event});
  return events;
}

}  // namespace berth::control
