#include "journal/player.h"

#include <utility>

#include "api/meta/registry.h"
#include "control/scheduler.h"
#include "journal/recorded_call.h"
#include "journal/recorded_object.h"
#include "schema/thread_decoder.h"
#include "workload/convert/convert_workload.h"

namespace berth::journal {
namespace {

constexpr base::Duration kLongestRound = base::Duration::Seconds(86'400);

std::unexpected<base::Error> Unreadable(const std::string& what, const schema::Problems& problems) {
  return base::Fail(what + " not readable: " + schema::ToString(problems.front()));
}

}  // namespace

Player::Played Player::Play(const Record& record) {
  if (cluster_ == nullptr && !std::holds_alternative<Header>(record))
    return base::Fail("a record before the header of its segment");
  if (is_in_snapshot_ && skips_snapshot_ && std::holds_alternative<Upsert>(record))
    return std::nullopt;
  return std::visit([this](const auto& one) { return PlayOne(one); }, record);
}

// --- Segments ------------------------------------------------------------------------------------

Player::Played Player::PlayOne(const Header& header) {
  is_in_snapshot_ = true;
  skips_snapshot_ = header.is_continued && cluster_ != nullptr;
  now_ = header.start;
  if (skips_snapshot_) return std::nullopt;
  for (const base::Duration round : {header.node_round, header.pod_round})
    if (round < base::Duration() || kLongestRound < round)
      return base::Fail("rounds of nodes of " + base::FormatDuration(round));
  auto configuration = schema::DecodeHere<api::Configuration>(header.configuration);
  if (!configuration) return Unreadable("Configuration", configuration.error());
  auto gates = api::ParseFeatureGates(header.gates);
  if (!gates) return Unreadable("feature gates", gates.error());
  configuration_ = *std::move(configuration);
  gates_ = *gates;
  cluster_ = std::make_unique<workload::ClusterState>(
      configuration_, gates_,
      workload::ClusterStateOptions{
          .topology = header.has_topology,
          .rounds = {.nodes = header.node_round, .pods = header.pod_round}});
  cluster_->TrustStatus();
  names_by_uid_.clear();
  return std::nullopt;
}

Player::Played Player::PlayOne(const SnapshotEnd&) {
  is_in_snapshot_ = false;
  if (!skips_snapshot_) cluster_->Sync(now_);
  return std::nullopt;
}

// --- Objects -------------------------------------------------------------------------------------

Player::Played Player::PlayOne(const Upsert& upsert) {
  if (IsWorkload(upsert)) {
    const auto workload = WorkloadOf(upsert);
    if (!workload) return std::unexpected(workload.error());
    if (!TakeUid(*workload)) return base::Fail("two Workloads with uid " + workload->metadata.uid);
    cluster_->Apply(*workload);
    return std::nullopt;
  }
  const auto object = ObjectOf(upsert);
  if (!object) return std::unexpected(object.error());
  cluster_->Apply(*object);
  return std::nullopt;
}

bool Player::TakeUid(const api::Workload& workload) {
  const std::string name = workload::NamespacedName(workload.metadata);
  const auto [known, is_new] = names_by_uid_.try_emplace(workload.metadata.uid, name);
  if (!is_new) return known->second == name;
  if (const api::Workload* before = cluster_->FindWorkload(name))
    names_by_uid_.erase(before->metadata.uid);
  return true;
}

void Player::ForgetUid(std::string_view workload) {
  if (const api::Workload* known = cluster_->FindWorkload(workload))
    names_by_uid_.erase(known->metadata.uid);
}

Player::Played Player::PlayOne(const Removal& removal) {
  if (IsWorkload(removal)) ForgetUid(workload::NamespacedName(removal.namespace_, removal.name));
  if (const api::FoundKind found = api::FindKind(removal.api_version, removal.kind))
    cluster_->Delete(*found.kind, removal.namespace_, removal.name);
  return std::nullopt;
}

// --- Time and decisions --------------------------------------------------------------------------

Player::Played Player::PlayOne(const Sync& sync) {
  now_ = sync.now;
  cluster_->Sync(sync.now);
  return std::nullopt;
}

Player::Played Player::PlayOne(const Advance& advance) {
  now_ = advance.now;
  cluster_->AdvanceTo(advance.now);
  return std::nullopt;
}

Player::Played Player::PlayOne(const Undo& undo) {
  const engine::Engine& engine = cluster_->engine();
  const engine::WorkloadId id = engine.FindWorkload(undo.uid);
  if (id.is_none() || !engine.IsReserved(id) || engine.state().workload(id).shape.is_none())
    return base::Fail("the workload with uid " + undo.uid + " lost a reservation that it has not");
  cluster_->Undo(id);
  return std::nullopt;
}

Player::Played Player::PlayOne(const BackOff& back_off) {
  const engine::WorkloadId id = cluster_->engine().FindWorkload(back_off.uid);
  if (id.is_none() || cluster_->engine().IsReserved(id))
    return base::Fail("the workload with uid " + back_off.uid + " backs off and is not pending");
  cluster_->BackOff(id, back_off.until);
  return std::nullopt;
}

Player::Played Player::PlayOne(const Cycle& cycle) {
  now_ = cycle.now;
  return std::get<Cycle>(RecordOf(control::RunCycle(*cluster_, cycle.now), cycle.now));
}

}  // namespace berth::journal
