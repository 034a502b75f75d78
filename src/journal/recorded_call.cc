#include "journal/recorded_call.h"

#include <type_traits>
#include <utility>

#include "schema/encode.h"

namespace berth::journal {
namespace {

using ChangeKind = control::WorkloadChange::Kind;

Upsert NamedAs(const schema::Kind& kind, const api::ObjectMeta& metadata) {
  return {.api_version = kind.ApiVersion(),
          .kind = std::string(kind.kind),
          .namespace_ = metadata.namespace_,
          .name = metadata.name,
          .parts = {}};
}

Record RecordOfCall(const workload::ObjectApplied& call) {
  api::Object object = call.object->Clone();
  object.metadata()->extra = {};
  Upsert upsert = NamedAs(object.kind(), *object.metadata());
  upsert.parts.push_back(object.Encode());
  return upsert;
}

Record RecordOfCall(const workload::WorkloadApplied& call) {
  const api::Workload& w = *call.workload;
  api::ObjectMeta metadata = w.metadata;
  metadata.extra = {};
  const bool has_same_spec = call.before != nullptr && call.before->spec == w.spec;
  Upsert upsert = NamedAs(api::Workload::KindInfo(), metadata);
  upsert.parts = {schema::Encode(metadata), has_same_spec ? "" : schema::Encode(w.spec),
                  schema::Encode(w.status)};
  return upsert;
}

Record RecordOfCall(const workload::ObjectDeleted& call) {
  return Removal{.api_version = call.kind->ApiVersion(),
                 .kind = std::string(call.kind->kind),
                 .namespace_ = std::string(call.namespace_),
                 .name = std::string(call.name)};
}

Record RecordOfCall(const workload::Synced& call) { return Sync{call.now}; }
Record RecordOfCall(const workload::Advanced& call) { return Advance{call.now}; }
Record RecordOfCall(const workload::Undone& call) { return Undo{std::string(call.uid)}; }
Record RecordOfCall(const workload::BackedOff& call) {
  return BackOff{.uid = std::string(call.uid), .until = call.until};
}

Decision::Kind KindOf(ChangeKind kind) {
  switch (kind) {
    case ChangeKind::kReserve:
      return Decision::Kind::kReserve;
    case ChangeKind::kPreempt:
      return Decision::Kind::kPreempt;
    case ChangeKind::kWait:
      return Decision::Kind::kWait;
    case ChangeKind::kReplace:
      return Decision::Kind::kReplace;
    case ChangeKind::kPlace:
      return Decision::Kind::kPlace;
    case ChangeKind::kEvict:
      return Decision::Kind::kEvict;
  }
  return Decision::Kind::kWait;
}

Decision DecisionOf(const control::WorkloadChange& change) {
  Decision decision{.kind = KindOf(change.kind),
                    .is_inadmissible = change.is_inadmissible,
                    .workload = change.workload,
                    .reason = change.reason,
                    .message = change.message,
                    .preempting_queue = change.preempting_queue,
                    .admission = {},
                    .replaced = {}};
  if (change.kind == ChangeKind::kReserve || change.kind == ChangeKind::kPlace)
    decision.admission = schema::Encode(change.admission);
  for (const control::WorkloadChange& replaced : change.follow_ups)
    decision.replaced.push_back(replaced.workload);
  return decision;
}

std::string GatesText(const api::FeatureGates& gates) {
  std::string text;
  for (const api::GateInfo& info : api::AllGates()) {
    if (gates.IsOn(info.gate) == info.is_on) continue;
    if (!text.empty()) text += ',';
    text.append(info.name).append(gates.IsOn(info.gate) ? "=true" : "=false");
  }
  return text;
}

}  // namespace

Record RecordOf(const workload::StateCall& call) {
  return std::visit([](const auto& one) { return RecordOfCall(one); }, call);
}

Record RecordOf(const control::CycleResult& result, base::Time now) {
  Cycle cycle{.now = now, .decisions = {}};
  for (const control::WorkloadChange& change : result.changes)
    cycle.decisions.push_back(DecisionOf(change));
  for (const control::FailedSecondPass& failed : result.failed_second_passes)
    cycle.decisions.push_back({.kind = Decision::Kind::kNoPlace,
                               .is_inadmissible = false,
                               .workload = failed.workload,
                               .reason = {},
                               .message = failed.message,
                               .preempting_queue = {},
                               .admission = {},
                               .replaced = {}});
  return cycle;
}

Header HeaderFor(const api::Configuration& configuration, const api::FeatureGates& gates,
                 const workload::ClusterStateOptions& options) {
  return {.number = 0,
          .is_continued = false,
          .start = {},
          .version = {},
          .configuration = schema::Encode(configuration),
          .gates = GatesText(gates),
          .has_topology = options.topology,
          .node_round = options.rounds.nodes,
          .pod_round = options.rounds.pods};
}

}  // namespace berth::journal
