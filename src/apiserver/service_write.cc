// Create, Update and Patch.

#include <utility>

#include "apiserver/object_tree.h"
#include "apiserver/patch.h"
#include "apiserver/service.h"
#include "apiserver/service_custom.h"
#include "apiserver/service_decision.h"
#include "apiserver/service_events.h"
#include "apiserver/service_objects.h"
#include "apiserver/service_ownership.h"
#include "apiserver/service_prepare.h"
#include "apiserver/service_request.h"
#include "apiserver/service_scale.h"
#include "store/former_version.h"
#include "store/json_pool.h"
#include "store/same_json.h"

namespace berth::apiserver {
namespace {

// The namespace and the name of an object that is to be created.
store::Outcome<void> TakeNames(ServiceRequest& request, const json::value& object) {
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

store::Outcome<void> CheckNames(const ServiceRequest& request, const json::value& object) {
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

// That the request is about the object that is there, in its version.
store::Outcome<void> CheckPreconditions(const ServiceRequest& request, const Item& head,
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
  auto scale = store::ParseJson(body);
  if (!scale) return std::unexpected(store::BadRequest(base::ToString(scale.error())));
  return std::move(*scale);
}

bool GoesWithLastFinalizer(const json::value& object) {
  if (!IsBeingDeleted(object) || !Finalizers(object).empty()) return false;
  const json::value* grace = store::FindJson(object, {"metadata", "deletionGracePeriodSeconds"});
  return grace == nullptr || (grace->is_int64() && grace->get_int64() == 0);
}

store::Failure Refused(const ServiceRequest& request, const PatchError& error) {
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

// Whether the patch brings nothing that the kind does not know, or that is of a wrong type. What it
// leaves alone is stored, so that has been looked at.
bool IsKnownMergePatch(const ServiceRequest& request, const store::Patch& patch) {
  return patch.type == store::PatchType::kMerge && !request.is_former() && !request.IsScale() &&
         !request.kind->is_events_v1 && IsAllKnown(request, patch.body);
}

// The object that a patch makes of another. Server-side apply is not among these.
store::Outcome<json::value> Patched(const ServiceRequest& request, const store::Patch& patch,
                                    json::value object) {
  auto body = store::ParseJsonIn(object.storage(), patch.body);
  if (!body) return std::unexpected(store::BadRequest(base::ToString(body.error())));
  const schema::Kind* described = request.kind->described;
  const bool is_json = patch.type == store::PatchType::kJson;
  const bool is_merge = patch.type == store::PatchType::kMerge || request.IsScale();
  const bool is_strategic = described != nullptr && HasStrategicPatch(*described);
  if (!is_json && !is_merge && !is_strategic) return std::unexpected(UnknownPatch());
  // Made in place: to assign it would copy the tree out of its memory.
  PatchResult result =
      is_json    ? ApplyJsonPatch(std::move(object), *body)
      : is_merge ? ApplyMergePatch(std::move(object), *body)
                 : ApplyStrategicPatch(std::move(object), std::move(*body), described->structure);
  if (!result) return std::unexpected(Refused(request, result.error()));
  if (!result->is_object())
    return std::unexpected(store::BadRequest("the patch makes the object something else"));
  return std::move(*result);
}

}  // namespace

// --- Create ----------------------------------------------------------------------------------

void Service::Answer(const store::Create& call, const Caller& caller, Done done) {
  auto request = Resolve(call.resource, call.namespace_, "", "", caller);
  if (!request) return done(std::unexpected(request.error()));
  request->options = call.options;
  store::JsonPool pool;  // decisions are made before Write returns
  auto object = ReadBody(*request, call.object, &pool);
  if (!object) return done(std::unexpected(object.error()));
  if (auto named = TakeNames(*request, *object); !named)
    return done(std::unexpected(named.error()));
  auto shared = std::make_shared<ServiceRequest>(std::move(*request));
  Write(
      shared,
      [this, shared, body = std::move(*object)](const Item& head) -> store::Outcome<WriteDecision> {
        if (head) return std::unexpected(store::AlreadyExists(shared->resource(), shared->name));
        return DecideCreate(*shared, body);
      },
      std::move(done));
}

store::Outcome<WriteDecision> Service::DecideCreate(ServiceRequest& request, json::value object) {
  WriteDecision decision{.kind = WriteDecision::Kind::kStore,
                         .is_dry_run = request.options.is_dry_run,
                         .is_creation = true};
  if (auto there = CheckNamespace(request, decision); !there) return std::unexpected(there.error());
  PrepareForCreate(request, Now(), object);
  if (auto allowed = Mutate(request, Operation::kCreate, nullptr, object); !allowed)
    return std::unexpected(allowed.error());
  PrepareToStore(request, object);
  const auto settled = Settle(request, nullptr, object);
  if (!settled) return std::unexpected(settled.error());
  if (request.kind->collection == kDefinitionCollection) Establish(*request.kinds, Now(), object);
  TrackOwners(request, Now(), nullptr, object);
  if (auto allowed = Validate(request, Operation::kCreate, nullptr, object, *settled); !allowed)
    return std::unexpected(allowed.error());
  decision.proposal.id = request.id();
  decision.proposal.draft = DraftOf(object);
  if (auto fits = CheckSize(decision.proposal.draft); !fits) return std::unexpected(fits.error());
  return decision;
}

store::Outcome<void> Service::CheckNamespace(const ServiceRequest& request,
                                             WriteDecision& decision) const {
  if (!request.resource().is_namespaced) return {};
  const ObjectId id{.collection = std::string(kNamespaceCollection), .name = request.namespace_};
  const Item item = storage_->Head(id);
  if (!item)
    return std::unexpected(store::NotFound(
        {.version = "v1", .plural = "namespaces", .kind = "Namespace"}, request.namespace_));
  if (MayBeBeingDeleted(*item.text) &&
      IsBeingDeleted(store::ParseJson(*item.text).value_or(json::object()))) {
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

void Service::Answer(const store::Update& call, const Caller& caller, Done done) {
  auto request = Resolve(call.resource, call.namespace_, call.name, call.subresource, caller);
  if (!request) return done(std::unexpected(request.error()));
  request->options = call.options;
  store::JsonPool pool;  // decisions are made before Write returns
  auto body = request->IsScale() ? ReadScale(call.object) : ReadBody(*request, call.object, &pool);
  if (!body) return done(std::unexpected(body.error()));
  if (auto named = CheckNames(*request, *body); !named) return done(std::unexpected(named.error()));
  auto shared = std::make_shared<ServiceRequest>(std::move(*request));
  Write(
      shared,
      [this, shared, &pool,
       body = std::move(*body)](const Item& head) -> store::Outcome<WriteDecision> {
        if (!head) return std::unexpected(store::NotFound(shared->resource(), shared->name));
        json::value old_object = *store::ParseJsonIn(&pool, *head.text);
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

store::Outcome<WriteDecision> Service::DecideUpdate(ServiceRequest& request, const Item& head,
                                                    const json::value& old_object,
                                                    json::value object) {
  PrepareForUpdate(request, old_object, object);
  if (auto allowed = Mutate(request, Operation::kUpdate, &old_object, object); !allowed)
    return std::unexpected(allowed.error());
  PrepareToStore(request, object);
  const StoredTree old{.tree = old_object, .text = *head.text};
  const auto settled = Settle(request, &old, object);
  if (!settled) return std::unexpected(settled.error());
  if (request.kind->collection == kDefinitionCollection) Establish(*request.kinds, Now(), object);
  CountGeneration(request, old_object, object);
  TrackOwners(request, Now(), &old_object, object);
  if (auto allowed = Validate(request, Operation::kUpdate, &old_object, object, *settled); !allowed)
    return std::unexpected(allowed.error());

  WriteDecision decision{.is_dry_run = request.options.is_dry_run, .unchanged = head};
  SetMetaString(object, "resourceVersion", std::to_string(head.revision));
  const bool is_removal = GoesWithLastFinalizer(object);
  if (!is_removal && store::SameJson(object, old_object)) return decision;
  decision.kind = is_removal ? WriteDecision::Kind::kRemove : WriteDecision::Kind::kStore;
  decision.proposal = {.id = request.id(),
                       .expected = head.revision,
                       .draft = DraftOf(object),
                       .is_removal = is_removal};
  if (auto fits = CheckSize(decision.proposal.draft); !fits) return std::unexpected(fits.error());
  return decision;
}

// --- Patch -----------------------------------------------------------------------------------

void Service::Answer(const store::Patch& call, const Caller& caller, Done done) {
  auto request = Resolve(call.resource, call.namespace_, call.name, call.subresource, caller);
  if (!request) return done(std::unexpected(request.error()));
  request->options = call.options;
  auto shared = std::make_shared<ServiceRequest>(std::move(*request));
  Write(
      shared,
      [this, shared, patch = call](const Item& head) { return DecidePatch(*shared, patch, head); },
      std::move(done));
}

store::Outcome<WriteDecision> Service::DecidePatch(ServiceRequest& request,
                                                   const store::Patch& patch, const Item& head) {
  if (patch.type == store::PatchType::kApply) return DecideApply(request, patch, head);
  if (!head) return std::unexpected(store::NotFound(request.resource(), request.name));
  store::JsonPool pool;
  json::value old_object = *store::ParseJsonIn(&pool, *head.text);
  json::value shown = request.IsScale() ? ScaleOf(*request.version->scale, old_object) : old_object;
  if (request.kind->is_events_v1) FromCoreEvent(shown);
  if (request.is_former())
    store::TurnIntoFormer(*request.kind->described, request.version->name, shown);
  auto object = Patched(request, patch, std::move(shown));
  if (!object) return std::unexpected(object.error());
  if (request.IsScale()) {
    object = Scaled(request, *object, old_object);
    if (!object) return std::unexpected(object.error());
  } else {
    if (auto named = CheckNames(request, *object); !named) return std::unexpected(named.error());
    if (auto upgraded = UpgradeIfFormer(request, *object); !upgraded)
      return std::unexpected(upgraded.error());
    if (!IsKnownMergePatch(request, patch))
      if (auto dropped = DropUnknown(request, *object); !dropped)
        return std::unexpected(dropped.error());
  }
  if (auto met = CheckPreconditions(request, head, old_object, *object, false); !met)
    return std::unexpected(met.error());
  return DecideUpdate(request, head, old_object, std::move(*object));
}

store::Outcome<WriteDecision> Service::DecideApply(ServiceRequest& request,
                                                   const store::Patch& patch, const Item& head) {
  request.is_apply = true;
  store::JsonPool pool;
  json::value old_object = head ? *store::ParseJsonIn(&pool, *head.text) : json::value();
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
                                           "uid mismatch: the object is not there any more"));
  return DecideCreate(request, std::move(*object));
}

}  // namespace berth::apiserver
