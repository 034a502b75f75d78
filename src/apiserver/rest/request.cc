#include "apiserver/rest/request.h"

#include <string>

#include "apiserver/rest/options.h"
#include "apiserver/rest/protobuf.h"
#include "schema/yaml/to_json.h"

namespace berth::apiserver {
namespace {

using store::Failure;
using store::Outcome;
using Planned = Outcome<std::variant<store::Call, store::Watch>>;

std::unexpected<Failure> NotAllowed() {
  return std::unexpected(
      store::MakeFailure(405, store::reason::kMethodNotAllowed,
                         "the server does not allow this method on the requested resource"));
}

std::unexpected<Failure> UnknownFormat(std::string_view accepted) {
  return std::unexpected(store::MakeFailure(
      415, store::reason::kUnsupportedMediaType,
      "the body of the request was in an unknown format - accepted media types include: " +
          std::string(accepted)));
}

Outcome<std::string> YamlAsJson(std::string_view yaml) {
  auto documents = schema::YamlToJson(yaml);
  if (!documents)
    return std::unexpected(
        store::BadRequest("error converting YAML to JSON: " + base::ToString(documents.error())));
  if (documents->size() != 1)
    return std::unexpected(store::BadRequest("the body must be exactly one YAML document"));
  return std::move(documents->front().json);
}

// Translates one request to a call.
class Planner {
 public:
  Planner(http::Request& request, const RestTarget& target, const ServedKind& kind)
      : request_(request), target_(target), kind_(kind) {}

  Planned Plan() {
    if (!target_.subresource.empty()) return PlanSubresource();
    return target_.name.empty() || target_.is_watch_path ? PlanCollection() : PlanObject();
  }

 private:
  Planned PlanCollection() {
    if (request_.method == "GET" || request_.method == "HEAD") return PlanList();
    if (target_.is_watch_path) return NotAllowed();
    // Namespaced objects are changed within a namespace.
    if (kind_.resource.is_namespaced && target_.namespace_.empty()) return NotAllowed();
    if (request_.method == "POST") return PlanCreate();
    if (request_.method == "DELETE") return PlanDeleteCollection();
    return NotAllowed();
  }

  Planned PlanObject() {
    if (request_.method == "GET" || request_.method == "HEAD") return PlanGet();
    if (request_.method == "PUT") return PlanUpdate();
    if (request_.method == "PATCH") return PlanPatch();
    if (request_.method == "DELETE") return PlanDelete();
    return NotAllowed();
  }

  Planned PlanSubresource() {
    if (request_.method == "GET" || request_.method == "HEAD") return PlanGet();
    if (request_.method == "PUT") return PlanUpdate();
    if (request_.method == "PATCH") return PlanPatch();
    return NotAllowed();
  }

  Planned PlanGet() {
    return store::Get{.resource = kind_.resource,
                      .namespace_ = target_.namespace_,
                      .name = target_.name,
                      .subresource = target_.subresource};
  }

  Planned PlanList() {
    auto options = ReadListOptions(target_.query);
    if (!options) return std::unexpected(options.error());
    store::Selection selection = Select(*options);
    if (!options->is_watch && !target_.is_watch_path)
      return store::List{.resource = kind_.resource,
                         .selection = std::move(selection),
                         .limit = options->limit,
                         .continue_token = std::move(options->continue_token),
                         .resource_version = std::move(options->resource_version),
                         .version_match = options->version_match};
    return store::Watch{.resource = kind_.resource,
                        .selection = std::move(selection),
                        .resource_version = std::move(options->resource_version),
                        .version_match = options->version_match,
                        .allows_bookmarks = options->allows_bookmarks,
                        .sends_initial_events = options->sends_initial_events,
                        .timeout = options->timeout};
  }

  store::Selection Select(const ListOptions& options) const {
    store::Selection selection{.namespace_ = target_.namespace_,
                               .label_selector = options.label_selector,
                               .field_selector = options.field_selector};
    // Only legacy watch paths name a single object.
    if (!target_.name.empty()) {
      if (!selection.field_selector.empty()) selection.field_selector += ',';
      selection.field_selector += "metadata.name=" + target_.name;
    }
    return selection;
  }

  Planned PlanCreate() {
    auto options = ReadWriteOptions(target_.query, request_.user_agent, "CreateOptions");
    if (!options) return std::unexpected(options.error());
    auto body = TakeBodyAsJson(request_);
    if (!body) return std::unexpected(body.error());
    return store::Create{.resource = kind_.resource,
                         .namespace_ = target_.namespace_,
                         .object = *std::move(body),
                         .options = *std::move(options)};
  }

  Planned PlanUpdate() {
    auto options = ReadWriteOptions(target_.query, request_.user_agent, "UpdateOptions");
    if (!options) return std::unexpected(options.error());
    auto body = TakeBodyAsJson(request_);
    if (!body) return std::unexpected(body.error());
    return store::Update{.resource = kind_.resource,
                         .namespace_ = target_.namespace_,
                         .name = target_.name,
                         .subresource = target_.subresource,
                         .object = *std::move(body),
                         .options = *std::move(options)};
  }

  Outcome<store::PatchType> TypeOfPatch() const {
    const std::string type = MediaType::Parse(request_.content_type).type;
    if (type == "application/json-patch+json") return store::PatchType::kJson;
    if (type == "application/merge-patch+json") return store::PatchType::kMerge;
    if (type == "application/apply-patch+yaml") return store::PatchType::kApply;
    if (!kind_.takes_strategic_patches)
      return UnknownFormat(
          "application/json-patch+json, application/merge-patch+json, "
          "application/apply-patch+yaml");
    if (type == "application/strategic-merge-patch+json") return store::PatchType::kStrategic;
    return UnknownFormat(
        "application/json-patch+json, application/merge-patch+json, "
        "application/strategic-merge-patch+json, application/apply-patch+yaml");
  }

  Planned PlanPatch() {
    const auto type = TypeOfPatch();
    if (!type) return std::unexpected(type.error());
    const bool is_apply = *type == store::PatchType::kApply;
    if (auto problem = CheckPatchOptions(is_apply)) return std::unexpected(*std::move(problem));
    auto options = ReadWriteOptions(target_.query, request_.user_agent, "PatchOptions");
    if (!options) return std::unexpected(options.error());
    return store::Patch{.resource = kind_.resource,
                        .namespace_ = target_.namespace_,
                        .name = target_.name,
                        .subresource = target_.subresource,
                        .type = *type,
                        .body = std::move(request_.body),
                        .is_forced = IsSet(target_.query, "force"),
                        .options = *std::move(options)};
  }

  std::optional<Failure> CheckPatchOptions(bool is_apply) const {
    const auto bad = [](schema::ProblemType type, std::string field, std::string message) {
      const store::Resource options{
          .group = "meta.k8s.io", .version = "v1", .plural = "", .kind = "PatchOptions"};
      return store::Invalid(options, "",
                            {{.type = type,
                              .field = std::move(field),
                              .message = std::move(message),
                              .hint = {},
                              .place = {}}});
    };
    if (is_apply && target_.query.Get("fieldManager").empty())
      return bad(schema::ProblemType::kRequired, "fieldManager", "is required for apply patch");
    if (!is_apply && target_.query.Has("force"))
      return bad(schema::ProblemType::kForbidden, "force",
                 "may not be specified for non-apply patch");
    return std::nullopt;
  }

  Outcome<store::DeleteOptions> TakeDeleteOptions() {
    if (request_.body.empty()) return ReadDeleteOptions(target_.query, {});
    const auto body = TakeBodyAsJson(request_);
    if (!body) return std::unexpected(body.error());
    return ReadDeleteOptions(target_.query, *body);
  }

  Planned PlanDelete() {
    auto options = TakeDeleteOptions();
    if (!options) return std::unexpected(options.error());
    return store::Delete{.resource = kind_.resource,
                         .namespace_ = target_.namespace_,
                         .name = target_.name,
                         .options = *std::move(options)};
  }

  Planned PlanDeleteCollection() {
    const auto list = ReadListOptions(target_.query);
    if (!list) return std::unexpected(list.error());
    auto options = TakeDeleteOptions();
    if (!options) return std::unexpected(options.error());
    return store::DeleteCollection{
        .resource = kind_.resource, .selection = Select(*list), .options = *std::move(options)};
  }

  http::Request& request_;
  const RestTarget& target_;
  const ServedKind& kind_;
};

bool IsServed(const ServedKind& kind, std::string_view subresource) {
  if (subresource.empty()) return true;
  if (subresource == store::kStatusSubresource) return kind.has_status;
  if (subresource == store::kScaleSubresource) return kind.has_scale;
  return false;
}

struct VerbVisitor {
  Verb operator()(const store::Get&) const { return Verb::kGet; }
  Verb operator()(const store::List&) const { return Verb::kList; }
  Verb operator()(const store::Create&) const { return Verb::kCreate; }
  Verb operator()(const store::Update&) const { return Verb::kUpdate; }
  Verb operator()(const store::Patch&) const { return Verb::kPatch; }
  Verb operator()(const store::Delete&) const { return Verb::kDelete; }
  Verb operator()(const store::DeleteCollection&) const { return Verb::kDeleteCollection; }
};

Verb VerbOf(const std::variant<store::Call, store::Watch>& operation) {
  const store::Call* call = std::get_if<store::Call>(&operation);
  return call != nullptr ? std::visit(VerbVisitor(), *call) : Verb::kWatch;
}

Outcome<RowObject> ReadRowObject(const http::Query& query) {
  const std::string_view text = query.Get("includeObject");
  if (text.empty() || text == "Metadata") return RowObject::kMetadata;
  if (text == "None") return RowObject::kNone;
  if (text == "Object") return RowObject::kObject;
  return std::unexpected(store::BadRequest("unrecognized includeObject value: \"" +
                                           std::string(text) +
                                           "\"; write None, Metadata or Object"));
}

}  // namespace

store::Outcome<std::string> TakeBodyAsJson(http::Request& request) {
  const std::string type = MediaType::Parse(request.content_type).type;
  if (type.empty() || type == "application/json") return std::move(request.body);
  if (type == "application/yaml") return YamlAsJson(request.body);
  if (type == kProtobufType) return ProtobufAsJson(request.body);
  return UnknownFormat("application/json, application/yaml, " + std::string(kProtobufType));
}

Failure UnknownResource() {
  Failure failure = store::MakeFailure(404, store::reason::kNotFound,
                                       "the server could not find the requested resource");
  failure.status.details.emplace();
  return failure;
}

Outcome<RestPlan> PlanRequest(http::Request& request, const RestTarget& target,
                              const Catalog& catalog) {
  const ServedKind* kind = catalog.Find(target.group, target.version, target.plural);
  if (kind == nullptr || !IsServed(*kind, target.subresource))
    return std::unexpected(UnknownResource());
  // URLs of cluster-scoped kinds have no namespace; URLs of namespaced objects need one.
  const bool needs_namespace = kind->resource.is_namespaced && !target.name.empty();
  if (kind->resource.is_namespaced ? needs_namespace && target.namespace_.empty()
                                   : !target.namespace_.empty())
    return std::unexpected(UnknownResource());
  const auto presentation = ChoosePresentation(request.accept);
  if (!presentation)
    return std::unexpected(store::MakeFailure(
        406, store::reason::kNotAcceptable,
        "only the following media types are accepted: application/json, application/yaml"));
  const auto row_object = ReadRowObject(target.query);
  if (!row_object) return std::unexpected(row_object.error());
  auto operation = Planner(request, target, *kind).Plan();
  if (!operation) return std::unexpected(operation.error());
  const Verb verb = VerbOf(*operation);
  return RestPlan{.operation = *std::move(operation),
                  .view = {.kind = kind,
                           .subresource = target.subresource,
                           .verb = verb,
                           .presentation = *presentation,
                           .row_object = *row_object}};
}

}  // namespace berth::apiserver
