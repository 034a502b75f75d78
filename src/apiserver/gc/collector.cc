#include "apiserver/gc/collector.h"

#include <chrono>
#include <utility>

#include "apiserver/object_tree.h"
#include "schema/json/index.h"
#include "schema/json/walk.h"

namespace berth::apiserver {
namespace {

constexpr std::string_view kOrphan = "orphan";
constexpr std::string_view kForeground = "foregroundDeletion";
constexpr std::string_view kCleanup = "customresourcecleanup.apiextensions.k8s.io";
constexpr size_t kChangesAtOnce = 1000;
// Debounce: changes are processed this long after the first one.
constexpr std::chrono::milliseconds kDebounce(2);

// Most objects have no owners and are not terminating: skip parsing them.
bool NeedsParsing(const std::string& text) {
  return text.find("\"ownerReferences\"") != std::string::npos || MayBeBeingDeleted(text);
}

// The text of metadata.ownerReferences; "" if there are none.
std::string OwnersText(const std::string& text) {
  thread_local schema::JsonIndex index;
  std::string owners;
  if (index.Build(text)) return owners;
  const auto member = [](size_t object, std::string_view quoted_key, auto found) {
    schema::WalkObject(index, object, [&](size_t key, size_t value) {
      if (index.token(key) == quoted_key) found(value);
    });
  };
  member(0, "\"metadata\"", [&](size_t metadata) {
    member(metadata, "\"ownerReferences\"",
           [&](size_t value) { owners = schema::ValueText(index, value); });
  });
  return owners;
}

// True if the write changes no owner reference, as most writes.
bool KeepsOwners(const Text& text, const Item& previous) {
  return previous && !MayBeBeingDeleted(*text) && OwnersText(*text) == OwnersText(*previous.text);
}

}  // namespace

Collector::Collector(ApiHandler& handler) : Collector(handler, Options()) {}

Collector::Collector(ApiHandler& handler, Options options) : handler_(handler), options_(options) {
  listener_ = handler_.storage().Listen("", [this] { Wake(); });
  thread_ = std::thread([this] { Run(); });
}

Collector::~Collector() {
  handler_.storage().Unlisten(listener_);
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Collector::Wake() {
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(has_changes_, true)) return;
  }
  changed_.notify_one();
}

bool Collector::Wait() {
  std::unique_lock lock(mutex_);
  const auto delay = has_retries_ ? options_.retry_delay : options_.sweep_interval;
  changed_.wait_for(lock, std::chrono::nanoseconds(delay.nanos),
                    [this] { return has_changes_ || is_stopping_; });
  if (has_changes_) changed_.wait_for(lock, kDebounce, [this] { return is_stopping_; });
  has_changes_ = false;
  return !is_stopping_;
}

void Collector::Retries::Add(const ObjectId& id) {
  const std::lock_guard lock(mutex);
  objects.insert(id);
}

std::set<ObjectId> Collector::Retries::Take() {
  const std::lock_guard lock(mutex);
  return std::exchange(objects, {});
}

void Collector::Run() {
  Reload();
  ExamineAll();
  const std::chrono::nanoseconds interval(options_.sweep_interval.nanos);
  auto next_sweep = std::chrono::steady_clock::now() + interval;
  while (Wait()) {
    CatchUp();
    dirty_.merge(retries_->Take());
    ExamineAll();
    {
      const std::lock_guard lock(retries_->mutex);
      has_retries_ = !retries_->objects.empty();
    }
    if (std::chrono::steady_clock::now() < next_sweep) continue;
    Sweep();
    next_sweep = std::chrono::steady_clock::now() + interval;
  }
}

// --- Index --------------------------------------------------------------------------------------

void Collector::Reload() {
  index_.Clear();
  waiting_.clear();
  position_ = handler_.storage().revision();
  const auto kinds = handler_.kinds();
  for (const StoredKind& kind : kinds->kinds()) {
    const auto range = handler_.storage().Read({.collection = kind.collection});
    for (const RangeItem& item : range->items)
      OnChange({.collection = kind.collection, .namespace_ = item.namespace_, .name = item.name},
               item.item.text, false, {});
  }
}

void Collector::CatchUp() {
  while (true) {
    const auto found = handler_.storage().ChangesAfter(position_, kChangesAtOnce);
    if (!found) return Reload();
    for (const ChangePtr& change : found->changes)
      OnChange(change->id, change->text, change->is_removal, change->previous);
    position_ = found->reached;
    if (found->changes.size() < kChangesAtOnce) return;
  }
}

void Collector::OnChange(const ObjectId& id, const Text& text, bool is_removal,
                         const Item& previous) {
  // A waiting object may have been blocked by this one.
  if (is_removal || index_.HasOwners(id)) dirty_.insert(waiting_.begin(), waiting_.end());
  if (is_removal) {
    index_.Set(id, {});
    waiting_.erase(id);
    for (const ObjectId& dependent : index_.DependentsOf(StoredUid(*text)))
      dirty_.insert(dependent);
    return;
  }
  if (!NeedsParsing(*text)) return index_.Set(id, {});
  if (KeepsOwners(text, previous)) return;
  const auto object = json::Parse(*text);
  if (!object) return;
  index_.Set(id, OwnersOf(*object));
  dirty_.insert(id);
}

void Collector::ExamineAll() {
  for (const ObjectId& id : std::exchange(dirty_, {})) Examine(id);
}

// --- Decisions ----------------------------------------------------------------------------------

void Collector::Examine(const ObjectId& id) {
  const Item item = handler_.storage().Get(id);
  if (!item) return;
  const auto object = json::Parse(*item.text);
  if (!object) return;
  if (IsBeingDeleted(*object)) return ExamineDeletion(id, item, *object);
  ExamineOwners(id, item, *object);
}

Collector::OwnerState Collector::StateOf(const OwnerRef& owner,
                                         const std::string& namespace_) const {
  const auto kinds = handler_.kinds();
  const StoredKind* kind = kinds->FindByKind(owner.group, owner.kind);
  // The existence of an owner of an unknown kind cannot be determined.
  if (kind == nullptr) return OwnerState::kSolid;
  const Item item =
      handler_.storage().Get({.collection = kind->collection,
                              .namespace_ = kind->resource.is_namespaced ? namespace_ : "",
                              .name = owner.name});
  if (!item || StoredUid(*item.text) != owner.uid) return OwnerState::kGone;
  if (!NeedsParsing(*item.text)) return OwnerState::kSolid;
  const auto object = json::Parse(*item.text);
  const bool is_waiting = object && IsBeingDeleted(*object) && HasFinalizer(*object, kForeground);
  return is_waiting ? OwnerState::kWaiting : OwnerState::kSolid;
}

void Collector::ExamineOwners(const ObjectId& id, const Item& item, const json::value& object) {
  std::set<std::string> lost;
  bool has_solid = false, has_waiting = false;
  const std::vector<OwnerRef> owners = OwnersOf(object);
  for (const OwnerRef& owner : owners) {
    const OwnerState state = StateOf(owner, id.namespace_);
    if (state == OwnerState::kSolid) {
      has_solid = true;
    } else {
      lost.insert(owner.uid);
      has_waiting = has_waiting || state == OwnerState::kWaiting;
    }
  }
  if (lost.empty()) return;
  if (has_solid) return RemoveOwners(id, object, lost);
  const bool passes_on = has_waiting && index_.HasDependents(StoredUid(*item.text));
  Delete(id, object, passes_on ? store::Propagation::kForeground : store::Propagation::kBackground);
}

void Collector::ExamineDeletion(const ObjectId& id, const Item& item, const json::value& object) {
  if (HasFinalizer(object, kOrphan)) return ReleaseDependents(id, object);
  if (HasFinalizer(object, kForeground)) return FinishForeground(id, object);
  if (id.collection == kNamespaceCollection) return FinishNamespace(id, item, object);
  if (id.collection == kDefinitionCollection) return FinishDefinition(id, object);
}

void Collector::ReleaseDependents(const ObjectId& id, const json::value& object) {
  const std::string uid(MetaString(object, "uid"));
  bool is_free = true;
  for (const ObjectId& dependent : index_.DependentsOf(uid)) {
    const Item item = handler_.storage().Get(dependent);
    const auto owned = item ? json::Parse(*item.text) : base::Fail("");
    if (!owned) continue;
    is_free = false;
    RemoveOwners(dependent, *owned, {uid});
  }
  if (is_free) return DropFinalizer(id, object, kOrphan);
  waiting_.insert(id);
}

void Collector::FinishForeground(const ObjectId& id, const json::value& object) {
  const std::string uid(MetaString(object, "uid"));
  bool is_blocked = false;
  for (const ObjectId& dependent : index_.DependentsOf(uid)) {
    const Item item = handler_.storage().Get(dependent);
    const auto owned = item ? json::Parse(*item.text) : base::Fail("");
    if (!owned) continue;
    for (const OwnerRef& owner : OwnersOf(*owned))
      if (owner.uid == uid && owner.blocks_deletion) is_blocked = true;
    if (!IsBeingDeleted(*owned)) ExamineOwners(dependent, item, *owned);
  }
  if (!is_blocked) return DropFinalizer(id, object, kForeground);
  waiting_.insert(id);
}

void Collector::FinishNamespace(const ObjectId& id, const Item& item, const json::value& object) {
  bool is_empty = true;
  const auto kinds = handler_.kinds();
  for (const StoredKind& kind : kinds->kinds()) {
    if (!kind.resource.is_namespaced || kind.is_events_v1) continue;
    const auto some =
        handler_.storage().Read({.collection = kind.collection, .namespace_ = id.name, .limit = 1});
    if (some->items.empty()) continue;
    is_empty = false;
    DeleteAll(kind.collection, id.name);
  }
  waiting_.insert(id);
  if (!is_empty || !Finalizers(object).empty()) return;
  handler_.storage().Propose(
      {.id = id, .expected = item.revision, .draft = DraftOf(object), .is_removal = true},
      [](base::Result<Item>) {});
}

void Collector::FinishDefinition(const ObjectId& id, const json::value& object) {
  if (!HasFinalizer(object, kCleanup)) return;
  // The name of a definition is the collection of its objects.
  if (handler_.storage().Count(id.name) == 0) return DropFinalizer(id, object, kCleanup);
  waiting_.insert(id);
  DeleteAll(id.name, "");
}

// --- Expiry -------------------------------------------------------------------------------------

void Collector::Sweep() {
  SweepEvents();
  SweepPods();
}

void Collector::SweepEvents() {
  const base::Time oldest = handler_.Now() - options_.event_life;
  const auto events = handler_.storage().Read({.collection = std::string(kEventCollection)});
  for (const RangeItem& item : events->items) {
    const auto created = base::ParseTime(StoredCreationTime(*item.item.text));
    if (created && *created >= oldest) continue;
    const auto event = json::Parse(*item.item.text);
    if (!event) continue;
    base::Time last = base::ParseTime(MetaString(*event, "creationTimestamp")).value_or(oldest);
    for (const std::string_view key : {"lastTimestamp", "eventTime"})
      if (const auto time = base::ParseTime(json::StringAt(*event, {key})))
        last = std::max(last, *time);
    if (last < oldest)
      Delete({.collection = std::string(kEventCollection),
              .namespace_ = item.namespace_,
              .name = item.name},
             *event, store::Propagation::kBackground);
  }
}

void Collector::SweepPods() {
  const auto pods = handler_.storage().Read({.collection = "pods"});
  for (const RangeItem& item : pods->items) {
    if (!NeedsParsing(*item.item.text)) continue;
    const auto pod = json::Parse(*item.item.text);
    if (!pod || !Finalizers(*pod).empty()) continue;
    const auto end = base::ParseTime(MetaString(*pod, "deletionTimestamp"));
    if (end && *end <= handler_.Now())
      Delete({.collection = "pods", .namespace_ = item.namespace_, .name = item.name}, *pod,
             store::Propagation::kBackground, 0);
  }
}

// --- Writes -------------------------------------------------------------------------------------

ApiHandler::Done Collector::Retrying(const ObjectId& id) {
  return [retries = retries_, id](const store::Outcome<store::Reply>& reply) {
    if (!reply && !reply.error().IsNotFound()) retries->Add(id);
  };
}

void Collector::DeleteAll(const std::string& collection, const std::string& namespace_) {
  const auto range = handler_.storage().Read({.collection = collection, .namespace_ = namespace_});
  for (const RangeItem& item : range->items) {
    const auto object = json::Parse(*item.item.text);
    if (object && !IsBeingDeleted(*object))
      Delete({.collection = collection, .namespace_ = item.namespace_, .name = item.name}, *object,
             store::Propagation::kBackground, 0);
  }
}

void Collector::Delete(const ObjectId& id, const json::value& object,
                       store::Propagation propagation, std::optional<int64_t> grace) {
  const auto kinds = handler_.kinds();
  const StoredKind* kind = kinds->FindCollection(id.collection);
  if (kind == nullptr) return;
  handler_.Do(store::Delete{.resource = kind->resource,
                            .namespace_ = id.namespace_,
                            .name = id.name,
                            .options = {.uid = std::string(MetaString(object, "uid")),
                                        .propagation = propagation,
                                        .grace_period_seconds = grace}},
              Caller{}, Retrying(id));
}

void Collector::PatchMetadata(const ObjectId& id, const json::value& object, std::string_view key,
                              json::value value) {
  const auto kinds = handler_.kinds();
  const StoredKind* kind = kinds->FindCollection(id.collection);
  if (kind == nullptr) return;
  json::value patch = json::object();
  json::object& metadata = Metadata(patch);
  metadata[json::BoostView(key)] = std::move(value);
  for (const std::string_view same : {"uid", "resourceVersion"})
    metadata[json::BoostView(same)] = json::BoostView(MetaString(object, same));
  handler_.Do(store::Patch{.resource = kind->resource,
                           .namespace_ = id.namespace_,
                           .name = id.name,
                           .type = store::PatchType::kMerge,
                           .body = json::Print(patch),
                           .options = {.field_manager = "berth-collector"}},
              Caller{}, Retrying(id));
}

void Collector::RemoveOwners(const ObjectId& id, const json::value& object,
                             const std::set<std::string>& uids) {
  json::array kept;
  const json::value* owners = json::Find(object, {"metadata", "ownerReferences"});
  if (owners == nullptr || !owners->is_array()) return;
  for (const json::value& owner : owners->get_array())
    if (!uids.contains(std::string(json::StringAt(owner, {"uid"})))) kept.push_back(owner);
  PatchMetadata(id, object, "ownerReferences",
                kept.empty() ? json::value() : json::value(std::move(kept)));
}

void Collector::DropFinalizer(const ObjectId& id, const json::value& object,
                              std::string_view finalizer) {
  json::value without = object;
  RemoveFinalizer(without, finalizer);
  const json::value* left = json::Find(without, {"metadata", "finalizers"});
  PatchMetadata(id, object, "finalizers", left == nullptr ? json::value() : *left);
}

}  // namespace berth::apiserver
