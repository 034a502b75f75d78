// Create, Update and Patch.

#include <utility>

#include "apiserver/handler/api_handler.h"
#include "apiserver/handler/custom.h"
#include "apiserver/handler/decision.h"
#include "apiserver/handler/events.h"
#include "apiserver/handler/objects.h"
#include "apiserver/handler/ownership.h"
#include "apiserver/handler/prepare.h"
#include "apiserver/handler/request.h"
#include "apiserver/handler/scale.h"
#include "apiserver/object_tree.h"
#include "apiserver/patch/patch.h"
#include "json/pool.h"
#include "json/same.h"
#include "store/previous_version.h"

namespace berth::apiserver {
namespace {

// Sets the namespace and name of an object to be created.
store::Outcome<void> ResolveNames(HandlerRequest& request, const json::value& object) {
  const std::string_view inside = MetaString(object, "namespace");
  if (request.resource().is_namespaced && !inside.empty() && inside != request.namespace_)
    return std::unexpected(store::BadRequest(
        "the namespace of the provided object does not match the namespace sent on the request"));
  if (request.resource().is_namespaced && request.namespace_.empty())
    return std::unexpected(store::BadRequest("an empty namespace may not be set during creation"));
  if (!request.resource().is_namespaced && !inside.empty())
    return std::unexpected(store::Invalid(request.resource(), MetaString(object, "name"),
                                          {{.type = schema::ProblemType::kForbidden,
                                            .field = "metadata.namespace",
                                            .message = "not allowed on this type"}}));
  if (!MetaString(object, "resourceVersion").empty())
    return std::unexpected(
        store::BadRequest("resourceVersion should not be set on objects to be created"));
  request.name = MetaString(object, "name");
  const std::string_view prefix = MetaString(object, "generateName");
  if (request.name.empty() && !prefix.empty()) request.name = NewName(prefix);
  if (!request.name.empty()) return {};
  return std::unexpected(store::Invalid(request.resource(), "",
                                        {{.type = schema::ProblemType::kRequired,
                                          .field = "metadata.name",
                                          .message = "name or generateName is required"}}));
}

store::Outcome<void> CheckNames(const HandlerRequest& request, const json::value& object) {
  const std::string_view name = MetaString(object, "name");
  if (!name.empty() && name != request.name)
    return std::unexpected(store::BadRequest("the name of the object (" + std::string(name) +
                                             ") does not match the name on the URL (" +
                                             request.name + ")"));
  const std::string_view inside = MetaString(object, "namespace");
  if (!inside.empty() && inside != request.namespace_)
    return std::unexpected(store::BadRequest("the namespace of the object (" + std::string(inside) +
                                             ") does not match the namespace on the URL (" +
                                             request.namespace_ + ")"));
  return {};
}

// Checks uid and resourceVersion against the stored object.
store::Outcome<void> CheckPreconditions(const HandlerRequest& request, const Item& head,
                                        const json::value& old_object, const json::value& object,
                                        bool needs_version) {
  const std::string_view uid = MetaString(object, "uid");
  const std::string_view old_uid = MetaString(old_object, "uid");
  if (!uid.empty() && uid != old_uid)
    return std::unexpected(
        store::Conflict(request.resource(), request.name,
                        "Precondition failed: UID in precondition: " + std::string(uid) +
                            ", UID in object meta: " + std::string(old_uid)));
  const std::string_view version = MetaString(object, "resourceVersion");
  if (version.empty() && needs_version)
    return std::unexpected(store::Invalid(
        request.resource(), request.name,
        {{.field = "metadata.resourceVersion", .message = "must be specified for an update"}}));
  if (!version.empty() && version != "0" && version != std::to_string(head.revision))
    return std::unexpected(
        store::Conflict(request.resource(), request.name, store::kObjectWasModified));
  return {};
}

store::Outcome<json::value> ReadScale(std::string_view body) {
  auto scale = json::Parse(body);
  if (!scale) return std::unexpected(store::BadRequest(base::ToString(scale.error())));
  return std::move(*scale);
}

bool IsFinalized(const json::value& object) {
  if (!IsBeingDeleted(object) || !Finalizers(object).empty()) return false;
  const json::value* grace = json::Find(object, {"metadata", "deletionGracePeriodSeconds"});
  return grace == nullptr || (grace->is_int64() && grace->get_int64() == 0);
}

store::Failure Refused(const HandlerRequest& request, const PatchError& error) {
  if (error.HttpCode() == 413) return store::TooLarge(error.message);
  if (error.HttpCode() == 400) return store::BadRequest(error.message);
  store::Failure failure = store::Invalid(request.resource(), request.name, {});
  failure.status.message = error.message;
  return failure;
}

store::Failure UnknownPatch() {
  store::Failure failure = store::BadRequest(
      "the body of the request was in an unknown format - accepted media types include: "
      "application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml");
  failure.status.code = 415;
  failure.status.reason = store::reason::kUnsupportedMediaType;
  return failure;
}

// True if the patch contains neither unknown fields nor values of the wrong type. The rest of the
// object was checked when it was stored.
bool IsKnownMergePatch(const HandlerRequest& request, const store::Patch& patch) {
  return patch.type == store::PatchType::kMerge && !request.is_previous() && !request.IsScale() &&
         !request.kind->is_events_v1 && IsAllKnown(request, patch.body);
}

// Applies a patch other than server-side apply.
store::Outcome<json::value> Patched(const HandlerRequest& request, const store::Patch& patch,
                                    json::value object) {
  auto body = json::ParseIn(object.storage(), patch.body);
  if (!body) return std::unexpected(store::BadRequest(base::ToString(body.error())));
  const schema::Kind* described = request.kind->described;
  const bool is_json = patch.type == store::PatchType::kJson;
  const bool is_merge = patch.type == store::PatchType::kMerge || request.IsScale();
  const bool is_strategic = described != nullptr && HasStrategicPatch(*described);
  if (!is_json && !is_merge && !is_strategic) return std::unexpected(UnknownPatch());
  // Initialized in place: an assignment would copy the tree to another memory resource.
  PatchResult result =
      is_json    ? ApplyJsonPatch(std::move(object), *body)
      : is_merge ? ApplyMergePatch(std::move(object), *body)
                 : ApplyStrategicPatch(std::move(object), std::move(*body), described->structure);
  if (!result) return std::unexpected(Refused(request, result.error()));
  if (!result->is_object())
    return std::unexpected(store::BadRequest("the patched object is not a JSON object"));
  return std::move(*result);
}

}  // namespace

// --- Create ----------------------------------------------------------------------------------

void ApiHandler::Answer(const store::Create& call, const Caller& caller, Done done) {
  auto request = Resolve(call.resource, call.namespace_, "", "", caller);
  if (!request) return done(std::unexpected(request.error()));
  request->options = call.options;
  json::Pool pool;  // outlives the decision, which is made before Write returns
  auto object = ReadBody(*request, call.object, &pool);
  if (!object) return done(std::unexpected(object.error()));
  if (auto named = ResolveNames(*request, *object); !named)
    return done(std::unexpected(named.error()));
  auto shared = std::make_shared<HandlerRequest>(std::move(*request));
  Write(
      shared,
      [this, shared, body = std::move(*object)](const Item& head) -> store::Outcome<WriteDecision> {
        if (head) return std::unexpected(store::AlreadyExists(shared->resource(), shared->name));
        return DecideCreate(*shared, body);
      },
      std::move(done));
}

store::Outcome<WriteDecision> ApiHandler::DecideCreate(HandlerRequest& request,
                                                       json::value object) {
  WriteDecision decision{.kind = WriteDecision::Kind::kStore,
                         .is_dry_run = request.options.is_dry_run,
                         .is_creation = true};
  if (auto there = CheckNamespace(request, decision); !there) return std::unexpected(there.error());
  PrepareForCreate(request, Now(), object);
  if (auto allowed = Mutate(request, Operation::kCreate, nullptr, object); !allowed)
    return std::unexpected(allowed.error());
  PrepareToStore(request, object);
  const auto settled = DefaultAndValidate(request, nullptr, object);
  if (!settled) return std::unexpected(settled.error());
  if (request.kind->collection == kDefinitionCollection) Establish(*request.kinds, Now(), object);
  TrackOwners(request, Now(), nullptr, object);
  if (auto allowed = Validate(request, Operation::kCreate, nullptr, object, *settled); !allowed)
    return std::unexpected(allowed.error());
  decision.proposal.id = request.id();
  decision.proposal.draft = DraftOf(object);
  if (decision.proposal.draft.text.size() > request.most_bytes)
    return std::unexpected(OverLimit(request));
  return decision;
}

store::Outcome<void> ApiHandler::CheckNamespace(const HandlerRequest& request,
                                                WriteDecision& decision) const {
  if (!request.resource().is_namespaced) return {};
  const ObjectId id{.collection = std::string(kNamespaceCollection), .name = request.namespace_};
  const Item item = storage_->Head(id);
  if (!item)
    return std::unexpected(store::NotFound(
        {.version = "v1", .plural = "namespaces", .kind = "Namespace"}, request.namespace_));
  if (MayBeBeingDeleted(*item.text) &&
      IsBeingDeleted(json::Parse(*item.text).value_or(json::object()))) {
    store::Failure failure =
        store::Forbidden(request.resource(), request.name,
                         "unable to create new content in namespace " + request.namespace_ +
                             " because it is being terminated");
    failure.status.details->causes.push_back(
        {.reason = "NamespaceTerminating",
         .message = "namespace " + request.namespace_ + " is being terminated",
         .field = "metadata.namespace"});
    return std::unexpected(failure);
  }
  decision.proposal.guard = id;
  decision.proposal.guard_expected = item.revision;
  return {};
}

// --- Update ----------------------------------------------------------------------------------

void ApiHandler::Answer(const store::Update& call, const Caller& caller, Done done) {
  auto request = Resolve(call.resource, call.namespace_, call.name, call.subresource, caller);
  if (!request) return done(std::unexpected(request.error()));
  request->options = call.options;
  json::Pool pool;  // outlives the decision, which is made before Write returns
  auto body = request->IsScale() ? ReadScale(call.object) : ReadBody(*request, call.object, &pool);
  if (!body) return done(std::unexpected(body.error()));
  if (auto named = CheckNames(*request, *body); !named) return done(std::unexpected(named.error()));
  auto shared = std::make_shared<HandlerRequest>(std::move(*request));
  Write(
      shared,
      [this, shared, &pool,
       body = std::move(*body)](const Item& head) -> store::Outcome<WriteDecision> {
        if (!head) return std::unexpected(store::NotFound(shared->resource(), shared->name));
        json::value old_object = *json::ParseIn(&pool, *head.text);
        auto object = shared->IsScale() ? Scaled(*shared, body, old_object)
                                        : store::Outcome<json::value>(body);
        if (!object) return std::unexpected(object.error());
        const bool needs_version = shared->kind->is_custom && !shared->IsScale();
        if (auto met = CheckPreconditions(*shared, head, old_object, *object, needs_version); !met)
          return std::unexpected(met.error());
        return DecideUpdate(*shared, head, old_object, std::move(*object));
      },
      std::move(done));
}

store::Outcome<WriteDecision> ApiHandler::DecideUpdate(HandlerRequest& request, const Item& head,
                                                       const json::value& old_object,
                                                       json::value object) {
  PrepareForUpdate(request, old_object, object);
  if (auto allowed = Mutate(request, Operation::kUpdate, &old_object, object); !allowed)
    return std::unexpected(allowed.error());
  PrepareToStore(request, object);
  const StoredTree old{.tree = old_object, .text = *head.text};
  const auto settled = DefaultAndValidate(request, &old, object);
  if (!settled) return std::unexpected(settled.error());
  if (request.kind->collection == kDefinitionCollection) Establish(*request.kinds, Now(), object);
  CountGeneration(request, old_object, object);
  TrackOwners(request, Now(), &old_object, object);
  if (auto allowed = Validate(request, Operation::kUpdate, &old_object, object, *settled); !allowed)
    return std::unexpected(allowed.error());

  WriteDecision decision{.is_dry_run = request.options.is_dry_run, .unchanged = head};
  SetMetaString(object, "resourceVersion", std::to_string(head.revision));
  const bool is_removal = IsFinalized(object);
  if (!is_removal && json::Same(object, old_object)) return decision;
  decision.kind = is_removal ? WriteDecision::Kind::kRemove : WriteDecision::Kind::kStore;
  decision.proposal = {.id = request.id(),
                       .expected = head.revision,
                       .draft = DraftOf(object),
                       .is_removal = is_removal};
  if (decision.proposal.draft.text.size() > request.most_bytes)
    return std::unexpected(OverLimit(request));
  return decision;
}

// --- Patch -----------------------------------------------------------------------------------

void ApiHandler::Answer(const store::Patch& call, const Caller& caller, Done done) {
  auto request = Resolve(call.resource, call.namespace_, call.name, call.subresource, caller);
  if (!request) return done(std::unexpected(request.error()));
  request->options = call.options;
  auto shared = std::make_shared<HandlerRequest>(std::move(*request));
  Write(
      shared,
      [this, shared, patch = call](const Item& head) { return DecidePatch(*shared, patch, head); },
      std::move(done));
}

store::Outcome<WriteDecision> ApiHandler::DecidePatch(HandlerRequest& request,
                                                      const store::Patch& patch, const Item& head) {
  if (patch.type == store::PatchType::kApply) return DecideApply(request, patch, head);
  if (!head) return std::unexpected(store::NotFound(request.resource(), request.name));
  json::Pool pool;
  json::value old_object = *json::ParseIn(&pool, *head.text);
  json::value shown = request.IsScale() ? ScaleOf(*request.version->scale, old_object) : old_object;
  if (request.kind->is_events_v1) FromCoreEvent(shown);
  if (request.is_previous())
    store::ConvertToPrevious(*request.kind->described, request.version->name, shown);
  auto object = Patched(request, patch, std::move(shown));
  if (!object) return std::unexpected(object.error());
  if (request.IsScale()) {
    object = Scaled(request, *object, old_object);
    if (!object) return std::unexpected(object.error());
  } else {
    if (auto named = CheckNames(request, *object); !named) return std::unexpected(named.error());
    if (auto upgraded = UpgradeIfPrevious(request, *object); !upgraded)
      return std::unexpected(upgraded.error());
    if (!IsKnownMergePatch(request, patch))
      if (auto dropped = DropUnknown(request, *object); !dropped)
        return std::unexpected(dropped.error());
  }
  if (auto met = CheckPreconditions(request, head, old_object, *object, false); !met)
    return std::unexpected(met.error());
  return DecideUpdate(request, head, old_object, std::move(*object));
}

store::Outcome<WriteDecision> ApiHandler::DecideApply(HandlerRequest& request,
                                                      const store::Patch& patch, const Item& head) {
  request.is_apply = true;
  json::Pool pool;
  json::value old_object = head ? *json::ParseIn(&pool, *head.text) : json::value();
  auto object = Applied(request, patch, Now(), head ? &old_object : nullptr, &pool);
  if (!object) return std::unexpected(object.error());
  if (auto named = CheckNames(request, *object); !named) return std::unexpected(named.error());
  if (head) {
    if (auto met = CheckPreconditions(request, head, old_object, *object, false); !met)
      return std::unexpected(met.error());
    return DecideUpdate(request, head, old_object, std::move(*object));
  }
  if (!request.subresource.empty())
    return std::unexpected(store::NotFound(request.resource(), request.name));
  if (!MetaString(*object, "uid").empty())
    return std::unexpected(store::Conflict(request.resource(), request.name,
                                           "uid mismatch: the object no longer exists"));
  return DecideCreate(request, std::move(*object));
}

}  // namespace berth::apiserver
