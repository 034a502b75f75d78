#include "apiserver/handler/ownership.h"

#include <memory>
#include <utility>

#include "apiserver/apply/apply.h"
#include "apiserver/crd/structural.h"
#include "apiserver/handler/objects.h"
#include "apiserver/object_tree.h"
#include "schema/yaml/to_json.h"

namespace berth::apiserver {
namespace {

constexpr std::string_view kUnnamedManager = "unknown";

std::unique_ptr<SchemaView> ViewOf(const HandlerRequest& request) {
  const schema::Kind* described = request.stored().described;
  if (described != nullptr) return std::make_unique<DescribedSchemaView>(described->structure);
  // CustomResourceDefinitions have no schema here: any field is allowed.
  static const auto kFree = std::make_shared<const json::value>(
      json::object{{"x-kubernetes-preserve-unknown-fields", true}});
  const auto& openapi = request.version->openapi;
  return std::make_unique<StructuralSchemaView>(openapi == nullptr ? kFree : openapi);
}

WriteInfo InfoOf(const HandlerRequest& request, base::Time now) {
  const std::string& manager = request.options.field_manager;
  return {.manager = manager.empty() ? kUnnamedManager : std::string_view(manager),
          .api_version = request.owners_version,
          .subresource = request.subresource,
          .has_status = request.has_status(),
          .now = now};
}

store::Failure Refused(const HandlerRequest& request, const ApplyError& error) {
  store::Failure failure = store::Conflict(request.resource(), request.name, "");
  failure.status.code = error.code;
  failure.status.message = error.message;
  if (error.code == 400) failure.status.reason = store::reason::kBadRequest;
  if (error.code == 422) failure.status.reason = store::reason::kInvalid;
  for (const ApplyConflict& conflict : error.conflicts)
    failure.status.details->causes.push_back(
        {.reason = "FieldManagerConflict", .message = conflict.message, .field = conflict.field});
  return failure;
}

// Applied objects may be YAML, a superset of JSON.
base::Result<std::string> AsJson(const std::string& body) {
  const size_t first = body.find_first_not_of(" \t\r\n");
  if (first != std::string::npos && body[first] == '{') return body;
  auto documents = schema::YamlToJson(body);
  if (!documents) return std::unexpected(documents.error());
  if (documents->size() != 1) return base::Fail("apply takes exactly one object");
  return std::move(documents->front().json);
}

}  // namespace

void TrackOwners(const HandlerRequest& request, base::Time now, const json::value* old_object,
                 json::value& object) {
  const json::value nothing;
  const json::value& live = old_object == nullptr ? nothing : *old_object;
  if (request.is_apply) {
    // After defaulting and admission, it is known whether anything changed.
    KeepTimesIfUnchanged(live, object);
  } else {
    object = TrackUpdate(*ViewOf(request), live, std::move(object), InfoOf(request, now));
  }
}

store::Outcome<json::value> Applied(HandlerRequest& request, const store::Patch& patch,
                                    base::Time now, const json::value* old_object,
                                    json::storage_ptr memory) {
  if (request.options.field_manager.empty())
    return std::unexpected(store::Invalid(
        {.group = "meta.k8s.io", .plural = "patchoptions", .kind = "PatchOptions"}, "",
        {{.type = schema::ProblemType::kRequired,
          .field = "fieldManager",
          .message = "is required for apply patch"}}));
  const auto text = AsJson(patch.body);
  if (!text) return std::unexpected(store::BadRequest(base::ToString(text.error())));
  auto body = ReadBody(request, *text, std::move(memory));
  if (!body) return body;
  SetMetaString(*body, "name", request.name);
  if (request.resource().is_namespaced) SetMetaString(*body, "namespace", request.namespace_);
  const json::value nothing;
  auto result = Apply(*ViewOf(request), old_object == nullptr ? nothing : *old_object,
                      std::move(*body), InfoOf(request, now), patch.is_forced);
  if (!result) return std::unexpected(Refused(request, result.error()));
  return std::move(*result);
}

}  // namespace berth::apiserver
