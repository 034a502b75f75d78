#include "journal/scenario_export.h"

#include <optional>
#include <utility>

#include "api/kueue/well_known.h"
#include "journal/recorded_object.h"
#include "schema/encode.h"
#include "schema/json/writer.h"
#include "workload/convert/convert_admission.h"
#include "workload/convert/convert_workload.h"
#include "workload/status_changes.h"

namespace berth::journal {
namespace {

// With the gates that are not at their default.
std::string ConfigurationText(const Player& player) {
  api::Configuration configuration = player.configuration();
  configuration.feature_gates = {};
  for (const api::GateInfo& info : api::AllGates())
    if (player.gates().IsOn(info.gate) != info.is_on)
      configuration.feature_gates.Set(info.name, player.gates().IsOn(info.gate));
  return schema::Encode(configuration);
}

// As the engine sees it; nullopt if a cycle does not look at it.
std::optional<api::Workload> SeenByEngine(const api::Workload& object,
                                          const workload::ClusterState& cluster, base::Time now) {
  const engine::Engine& engine = cluster.engine();
  const engine::WorkloadId id = engine.FindWorkload(object.metadata.uid);
  if (id.is_none()) return std::nullopt;
  api::Workload w = object;
  w.metadata.resource_version.clear();
  if (!engine.IsReserved(id))
    return engine.IsActive(id) ? std::optional(std::move(w)) : std::nullopt;
  if (!workload::HoldsQuota(w))
    workload::MarkReserved(w, workload::ToAdmission(engine, id, w, cluster.rules().topology_cuts),
                           now);
  if (engine.state().workload(id).reservation->is_evicted && !workload::IsEvicted(w))
    workload::MarkPreempted(w, api::reason::kInClusterQueue, "Another workload needs its quota",
                            now);
  return w;
}

std::string ObjectLines(const KnownObjects& objects, const Player& player) {
  std::string lines;
  for (const auto& [key, parts] : objects.all()) {
    const auto& [api_version, kind, space, name] = key;
    Upsert upsert{
        .api_version = api_version, .kind = kind, .namespace_ = space, .name = name, .parts = {}};
    for (const KnownObjects::Text& part : parts) upsert.parts.push_back(*part);
    if (!IsWorkload(upsert)) {
      lines += "- " + upsert.parts.front() + "\n";
      continue;
    }
    const auto object = WorkloadOf(upsert);
    if (!object) continue;
    if (const auto seen = SeenByEngine(*object, *player.cluster(), player.now()))
      lines += "- " + schema::Encode(*seen) + "\n";
  }
  return lines;
}

void WriteReasons(schema::JsonWriter& w, std::string_view key, Decision::Kind kind,
                  const Cycle& cycle) {
  w.Key(key).BeginObject();
  for (const Decision& decision : cycle.decisions)
    if (decision.kind == kind) w.Member(decision.workload, decision.reason);
  w.EndObject();
}

std::string WantText(const Cycle& cycle) {
  schema::JsonWriter w;
  w.BeginObject().Key("newlyAdmitted").BeginArray();
  for (const Decision& decision : cycle.decisions)
    if (decision.kind == Decision::Kind::kReserve) w.Value(decision.workload);
  w.EndArray();
  WriteReasons(w, "preempted", Decision::Kind::kPreempt, cycle);
  WriteReasons(w, "evicted", Decision::Kind::kEvict, cycle);
  w.Key("finished").BeginArray();
  for (const Decision& decision : cycle.decisions)
    for (const std::string& slice : decision.replaced) w.Value(slice);
  return w.EndArray().EndObject().Take();
}

}  // namespace

std::string ScenarioText(const KnownObjects& objects, const Player& player, const Cycle& cycle) {
  return "name: journal/" + base::FormatTime(cycle.now) +
         "\nabout: A cycle of a journal. Inadmissible workloads are left out.\nnow: \"" +
         base::FormatMicroTime(cycle.now) + "\"\nconfiguration: " + ConfigurationText(player) +
         "\nobjects:\n" + ObjectLines(objects, player) + "cycles: 1\nwant: " + WantText(cycle) +
         "\n";
}

}  // namespace berth::journal
