// Delete and DeleteCollection.

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "apiserver/handler/api_handler.h"
#include "apiserver/handler/decision.h"
#include "apiserver/handler/objects.h"
#include "apiserver/handler/request.h"
#include "apiserver/object_tree.h"
#include "json/same.h"

namespace berth::apiserver {
namespace {

constexpr std::string_view kOrphanFinalizer = "orphan";
constexpr std::string_view kForegroundFinalizer = "foregroundDeletion";
constexpr std::string_view kCleanupFinalizer = "customresourcecleanup.apiextensions.k8s.io";

store::Outcome<void> CheckPreconditions(const HandlerRequest& request,
                                        const store::DeleteOptions& options, const Item& head,
                                        const json::value& object) {
  const std::string_view uid = MetaString(object, "uid");
  if (!options.uid.empty() && options.uid != uid)
    return std::unexpected(
        store::Conflict(request.resource(), request.name,
                        "Precondition failed: UID in precondition: " + options.uid +
                            ", UID in object meta: " + std::string(uid)));
  const std::string version = std::to_string(head.revision);
  if (!options.resource_version.empty() && options.resource_version != version)
    return std::unexpected(store::Conflict(
        request.resource(), request.name,
        "Precondition failed: ResourceVersion in precondition: " + options.resource_version +
            ", ResourceVersion in object meta: " + version));
  return {};
}

store::Outcome<void> CheckProtected(const HandlerRequest& request) {
  static constexpr std::array<std::string_view, 3> kKept = {"default", "kube-public",
                                                            "kube-system"};
  if (request.kind->collection != kNamespaceCollection ||
      std::ranges::find(kKept, request.name) == kKept.end())
    return {};
  return std::unexpected(
      store::Forbidden(request.resource(), request.name, "this namespace may not be deleted"));
}

// Only Jobs orphan their dependents by default, with a warning.
store::Propagation PropagationOf(HandlerRequest& request, const store::DeleteOptions& options) {
  if (options.propagation) return *options.propagation;
  if (request.kind->collection != "jobs.batch") return store::Propagation::kBackground;
  request.warnings.push_back(
      "child pods are preserved by default when jobs are deleted; set "
      "propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress "
      "this warning");
  return store::Propagation::kOrphan;
}

void SetPropagation(store::Propagation propagation, json::value& object) {
  if (propagation == store::Propagation::kOrphan) {
    RemoveFinalizer(object, kForegroundFinalizer);
    AddFinalizer(object, kOrphanFinalizer);
  } else if (propagation == store::Propagation::kForeground) {
    RemoveFinalizer(object, kOrphanFinalizer);
    AddFinalizer(object, kForegroundFinalizer);
  } else {
    RemoveFinalizer(object, kOrphanFinalizer);
    RemoveFinalizer(object, kForegroundFinalizer);
  }
}

// The grace period in seconds; nonzero only for pods running on a node.
int64_t GraceOf(const HandlerRequest& request, const store::DeleteOptions& options,
                const json::value& object) {
  if (request.kind->collection != "pods") return 0;
  const std::string_view phase = json::StringAt(object, {"status", "phase"});
  const bool is_running = !json::StringAt(object, {"spec", "nodeName"}).empty() &&
                          phase != "Succeeded" && phase != "Failed";
  if (!is_running) return 0;
  if (options.grace_period_seconds) return std::max<int64_t>(*options.grace_period_seconds, 0);
  const json::value* grace = json::Find(object, {"spec", "terminationGracePeriodSeconds"});
  return grace != nullptr && grace->is_int64() ? std::max<int64_t>(grace->get_int64(), 0) : 30;
}

void MarkForDeletion(const HandlerRequest& request, base::Time now, int64_t grace,
                     json::value& object) {
  json::object& metadata = Metadata(object);
  const json::value* before = metadata.if_contains("deletionGracePeriodSeconds");
  const bool is_sooner = before != nullptr && before->is_int64() && grace < before->get_int64();
  if (IsBeingDeleted(object) && !is_sooner) return;
  if (!IsBeingDeleted(object) && Generation(object) > 0)
    metadata["generation"] = Generation(object) + 1;
  metadata["deletionTimestamp"] = base::FormatTime(now + base::Duration::Seconds(grace));
  metadata["deletionGracePeriodSeconds"] = grace;
  if (request.kind->collection == kNamespaceCollection)
    object.get_object()["status"] = {{"phase", "Terminating"}};
}

// True if the object must stay until something else happens.
bool IsRemovalDeferred(const HandlerRequest& request, int64_t grace, const json::value& object) {
  return grace > 0 || !Finalizers(object).empty() ||
         request.kind->collection == kNamespaceCollection;
}

// Counts pending deletions of a collection; answers after the last one.
struct CollectionDeletion {
  std::mutex mutex;
  store::Reply reply;
  std::optional<store::Failure> failure;
  ApiHandler::Done done;

  ~CollectionDeletion() {
    std::ranges::sort(reply.items, {}, &store::Object::key);
    if (failure) {
      done(std::unexpected(*failure));
    } else {
      done(std::move(reply));
    }
  }

  void Add(store::Outcome<store::Reply> one) {
    const std::lock_guard lock(mutex);
    if (one) {
      reply.items.push_back(std::move(one->object));
    } else if (!one.error().IsNotFound()) {
      failure = one.error();
    }
  }
};

}  // namespace

void ApiHandler::Answer(const store::Delete& call, const Caller& caller, Done done) {
  auto request = Resolve(call.resource, call.namespace_, call.name, "", caller);
  if (!request) return done(std::unexpected(request.error()));
  request->options.is_dry_run = call.options.is_dry_run;
  auto shared = std::make_shared<HandlerRequest>(std::move(*request));
  Write(
      shared,
      [this, shared, options = call.options](const Item& head) {
        return DecideDelete(*shared, options, head);
      },
      std::move(done));
}

store::Outcome<WriteDecision> ApiHandler::DecideDelete(HandlerRequest& request,
                                                       const store::DeleteOptions& options,
                                                       const Item& head) {
  if (!head) return std::unexpected(store::NotFound(request.resource(), request.name));
  if (auto allowed = CheckProtected(request); !allowed) return std::unexpected(allowed.error());
  const json::value old_object = *json::Parse(*head.text);
  if (auto met = CheckPreconditions(request, options, head, old_object); !met)
    return std::unexpected(met.error());
  if (auto allowed = Validate(request, Operation::kDelete, &old_object, old_object, {}); !allowed)
    return std::unexpected(allowed.error());

  json::value object = old_object;
  SetPropagation(PropagationOf(request, options), object);
  const bool has_instances =
      request.kind->collection == kDefinitionCollection && storage_->Count(request.name) > 0;
  if (has_instances) AddFinalizer(object, kCleanupFinalizer);
  const int64_t grace = GraceOf(request, options, object);
  WriteDecision decision{.is_dry_run = options.is_dry_run, .unchanged = head};
  const bool is_held = IsRemovalDeferred(request, grace, object);
  if (is_held) MarkForDeletion(request, Now(), grace, object);
  if (is_held && json::Same(object, old_object)) return decision;
  decision.kind = is_held ? WriteDecision::Kind::kStore : WriteDecision::Kind::kRemove;
  decision.proposal = {.id = request.id(),
                       .expected = head.revision,
                       .draft = DraftOf(object),
                       .is_removal = !is_held};
  return decision;
}

void ApiHandler::Answer(const store::DeleteCollection& call, const Caller& caller, Done done) {
  auto found = DoList({.resource = call.resource, .selection = call.selection}, caller);
  if (!found) return done(std::unexpected(found.error()));
  auto all = std::make_shared<CollectionDeletion>();
  all->done = std::move(done);
  all->reply.resource_version = found->resource_version;
  for (const store::Object& object : found->items)
    Do(store::Delete{.resource = call.resource,
                     .namespace_ = object.namespace_,
                     .name = object.name,
                     .options = call.options},
       caller, [all](store::Outcome<store::Reply> one) { all->Add(std::move(one)); });
}

}  // namespace berth::apiserver
