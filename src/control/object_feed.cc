#include "control/object_feed.h"

#include <optional>
#include <string>
#include <utility>

#include "api/kueue/admission_check.h"
#include "api/kueue/cluster_queue.h"
#include "api/kueue/cohort.h"
#include "api/kueue/resource_flavor.h"
#include "api/kueue/topology.h"
#include "schema/thread_decoder.h"
#include "workload/convert/convert_topology.h"
#include "workload/quota_change.h"

namespace berth::control {
namespace {

std::optional<api::Object> Decoded(const schema::Kind& kind, const store::Object& text) {
  api::Object object(kind);
  if (!schema::ThreadDecoder().Decode(text.text(), kind, object.value()).empty())
    return std::nullopt;
  return object;
}

// Whether all updates of the kind requeue many workloads and free no quota.
bool IsBatched(const schema::Kind& kind) {
  return &kind == &api::ResourceFlavor::KindInfo() || &kind == &api::Cohort::KindInfo() ||
         &kind == &api::AdmissionCheck::KindInfo() || &kind == &api::Topology::KindInfo();
}

// The status of an AdmissionCheck says whether it is active; that of the others has no effect. Of
// ClusterQueues, only updates that raise quota can wait.
bool MayRequeue(const schema::Kind& kind, const store::Change& change) {
  const bool is_queue = &kind == &api::ClusterQueue::KindInfo();
  if (!is_queue && !IsBatched(kind)) return false;
  if (change.before == nullptr || change.after == nullptr ||
      &kind == &api::AdmissionCheck::KindInfo())
    return true;
  const std::optional<api::Object> before = Decoded(kind, *change.before);
  const std::optional<api::Object> after = Decoded(kind, *change.after);
  if (!before || !after || before->metadata()->generation == after->metadata()->generation)
    return false;
  return !is_queue || workload::OnlyRaisesQuota(before->As<api::ClusterQueue>()->spec,
                                                after->As<api::ClusterQueue>()->spec);
}

// Deleted by the write that removed its last finalizer.
bool IsGone(const api::ObjectMeta& metadata) {
  return metadata.deletion_timestamp && metadata.finalizers.empty();
}

}  // namespace

ObjectFeed::ObjectFeed(store::Executor& executor, KindWatches& watches, Hooks hooks)
    : executor_(executor),
      watches_(watches),
      hooks_(std::move(hooks)),
      placement_watches_(watches, [this](const schema::Kind& kind,
                                         const store::Change& change) { OnChange(kind, change); }),
      batch_timer_(executor, [this] { ApplyBatch(); }) {}

void ObjectFeed::Watch(bool places_pods) {
  places_pods_ = places_pods;
  if (places_pods) placement_watches_.AddHandlers(handlers_);
  for (const schema::Kind* kind : handlers_.Kinds()) {
    if (PlacementWatches::Cover(*kind)) continue;
    watches_.Watch(store::ResourceOf(*kind),
                   [this, kind](const store::Change& change) { OnChange(*kind, change); });
  }
}

// Its nodes matter, even if no flavor has a topology any more.
void ObjectFeed::OnWorkload(const api::Workload& workload) {
  if (places_pods_ && workload::HasPlacement(workload)) placement_watches_.Start();
}

void ObjectFeed::OnChange(const schema::Kind& kind, const store::Change& change) {
  if (watches_.is_synced() && MayRequeue(kind, change) &&
      batch_.Hold(kind, change, executor_.Now()))
    return batch_timer_.SetFor(batch_.due(), executor_.Now());
  if (change.after == nullptr)
    handlers_.OnDelete(kind, change.before->namespace_, change.before->name);
  else
    Upsert(kind, change.before, *change.after);
  hooks_.on_change();
}

void ObjectFeed::Upsert(const schema::Kind& kind, const store::Object* before,
                        const store::Object& after) {
  const std::optional<api::Object> object = Decoded(kind, after);
  if (!object)
    return hooks_.log(std::string(kind.kind) + " not readable: " + after.key().ToString());
  const std::optional<api::Object> known =
      before == nullptr ? std::nullopt : Decoded(kind, *before);
  handlers_.OnUpsert(*object, known ? &*known : nullptr);
}

void ObjectFeed::ApplyBatch() {
  const base::Time now = executor_.Now();
  for (const ChangeBatch::Held& held : batch_.TakeDue(now))
    if (const store::Object* newest = watches_.Find(store::ResourceOf(*held.kind), held.name))
      Upsert(*held.kind, &held.before, *newest);
  if (!batch_.empty()) batch_timer_.SetFor(batch_.due(), now);
  hooks_.on_change();
}

void ObjectFeed::OnWritten(const schema::Kind& kind, const store::Object& written) {
  const store::Object* seen = watches_.Find(store::ResourceOf(kind), written.key());
  if (seen == nullptr) return;
  const std::optional<api::Object> object = Decoded(kind, written);
  if (!object || IsGone(*object->metadata())) return;
  const std::optional<api::Object> before = Decoded(kind, *seen);
  handlers_.OnUpsert(*object, before ? &*before : nullptr);
}

}  // namespace berth::control
