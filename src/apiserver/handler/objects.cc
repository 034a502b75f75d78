#include "apiserver/handler/objects.h"

#include <algorithm>
#include <utility>

#include "api/meta/object.h"
#include "api/meta/object_defaults.h"
#include "api/meta/problem_report.h"
#include "apiserver/handler/custom.h"
#include "apiserver/handler/events.h"
#include "apiserver/handler/padded_quantities.h"
#include "apiserver/handler/rules.h"
#include "apiserver/object_tree.h"
#include "json/pool.h"
#include "schema/encode.h"
#include "schema/thread_decoder.h"
#include "schema/validate.h"

namespace berth::apiserver {
namespace {

using schema::Problem;
using schema::Problems;
using schema::ProblemType;

store::Failure CannotBeHandled(const HandlerRequest& request, const std::string& why) {
  return store::BadRequest(request.resource().kind + " in version " +
                           api::Quoted(request.version->name) + " cannot be handled as a " +
                           request.resource().kind + ": " + why);
}

// Warns of dropped fields, or rejects the request.
store::Outcome<void> ReportUnknown(HandlerRequest& request,
                                   const std::vector<std::string>& warnings) {
  if (warnings.empty()) return {};
  if (request.options.field_validation == store::FieldValidation::kWarn)
    request.warnings.insert(request.warnings.end(), warnings.begin(), warnings.end());
  if (request.options.field_validation != store::FieldValidation::kStrict) return {};
  std::string all;
  for (const std::string& fault : warnings) all += (all.empty() ? "" : ", ") + fault;
  return std::unexpected(CannotBeHandled(request, "strict decoding error: " + all));
}

std::vector<std::string> Unknown(const std::vector<std::string>& paths) {
  std::vector<std::string> warnings;
  for (const std::string& path : paths) warnings.push_back("unknown field " + api::Quoted(path));
  return warnings;
}

store::Outcome<void> CheckTypeMeta(const HandlerRequest& request, const json::value& object) {
  const std::string_view api_version = json::StringAt(object, {"apiVersion"});
  const std::string_view kind = json::StringAt(object, {"kind"});
  if (!kind.empty() && kind != request.resource().kind)
    return std::unexpected(store::BadRequest("the kind in the data (" + std::string(kind) +
                                             ") does not match the expected kind (" +
                                             request.resource().kind + ")"));
  if (!api_version.empty() && api_version != request.ApiVersion())
    return std::unexpected(store::BadRequest(
        "the API version in the data (" + std::string(api_version) +
        ") does not match the expected API version (" + request.ApiVersion() + ")"));
  return {};
}

void SetTypeMeta(const StoredKind& kind, json::value& object) {
  object.get_object()["apiVersion"] = kind.resource.ApiVersion();
  object.get_object()["kind"] = kind.resource.kind;
}

store::Outcome<void> Upgrade(const HandlerRequest& request, json::value& object) {
  const schema::Kind& kind = *request.kind->described;
  api::Object typed(kind);
  const Problems problems = schema::ThreadDecoder().Decode(json::Print(object), kind, typed.value(),
                                                           {.is_previous = true});
  if (!problems.empty())
    return std::unexpected(CannotBeHandled(request, schema::ToString(problems.front())));
  object = *json::Parse(typed.Encode());
  return {};
}

// Decoding problems by their consequence for the request.
struct Sorted {
  std::vector<std::string> unknown;  // paths
  std::optional<Problem> wrong_type;
};

Sorted Sort(const Problems& problems) {
  Sorted sorted;
  for (const Problem& problem : problems) {
    if (problem.type == ProblemType::kUnknownField) {
      sorted.unknown.push_back(problem.field);
    } else if (problem.type == ProblemType::kTypeInvalid || problem.type == ProblemType::kSyntax) {
      if (!sorted.wrong_type) sorted.wrong_type = problem;
    }
  }
  return sorted;
}

Problems ReadStrictly(const schema::Kind& kind, std::string_view text) {
  api::Object typed(kind);
  return schema::ThreadDecoder().Decode(text, kind, typed.value(), {.is_strict = true});
}

// Required fields of a custom resource that are still missing after defaulting. Built-in kinds
// report them in their own rules.
Problems MissingFields(const StoredKind& kind, std::string_view text) {
  if (!kind.is_custom) return {};
  Problems missing = ReadStrictly(*kind.described, text);
  std::erase_if(missing, [](const Problem& p) { return p.type != ProblemType::kRequired; });
  return missing;
}

// A request to create has no name before its body is read.
std::string NameIn(const HandlerRequest& request, std::string_view text) {
  if (!request.name.empty()) return request.name;
  const auto object = json::Parse(text);
  return object ? std::string(MetaString(*object, "name")) : std::string();
}

store::Failure WrongType(const HandlerRequest& request, std::string_view text,
                         const Problem& problem) {
  if (request.kind->is_custom)
    return store::Invalid(request.resource(), NameIn(request, text), {problem});
  return CannotBeHandled(request, problem.field + ": " + problem.message);
}

// The text is that of the object.
store::Outcome<void> DropUnknownIn(HandlerRequest& request, std::string_view text,
                                   json::value& object) {
  if (request.kind->described == nullptr)
    return ReportUnknown(request, Unknown(PruneCustom(request, object)));
  const Sorted sorted = Sort(ReadStrictly(*request.kind->described, text));
  if (sorted.wrong_type) return std::unexpected(WrongType(request, text, *sorted.wrong_type));
  for (const std::string& path : sorted.unknown) ErasePath(object, path);
  if (auto noted = ReportUnknown(request, Unknown(sorted.unknown)); !noted) return noted;
  if (request.kind->is_events_v1) ToCoreEvent(object);
  return {};
}

store::Outcome<api::Object> DecodeTyped(const HandlerRequest& request, std::string_view text) {
  const schema::Kind& kind = *request.stored().described;
  api::Object typed(kind);
  const Problems problems = schema::ThreadDecoder().Decode(text, kind, typed.value());
  if (const Sorted sorted = Sort(problems); sorted.wrong_type)
    return std::unexpected(WrongType(request, text, *sorted.wrong_type));
  return typed;
}

store::Outcome<DecodedObjects> DefaultAndValidateDescribed(const HandlerRequest& request,
                                                           const StoredTree* old,
                                                           json::value& object) {
  const std::string text = json::Print(object);
  auto typed = DecodeTyped(request, text);
  if (!typed) return std::unexpected(typed.error());
  std::optional<api::Object> old_typed;
  if (old != nullptr) {
    auto old_read = DecodeTyped(request, old->text);
    if (old_read) old_typed = std::move(*old_read);
  }
  api::ApplyDefaults(*typed);
  const schema::Struct& structure = typed->kind().structure();
  Problems problems = MetadataProblems(request, old == nullptr ? nullptr : &old->tree, object);
  Problems found = MissingFields(request.stored(), text);
  if (found.empty() && request.stored().is_custom) found = PaddedQuantities(structure, object);
  if (found.empty())
    found = schema::Validate(structure, typed->value(), old_typed ? old_typed->value() : nullptr);
  std::ranges::move(found, std::back_inserter(problems));
  if (problems.empty()) problems = KindProblems(*typed, old_typed ? &*old_typed : nullptr);
  if (!problems.empty())
    return std::unexpected(store::Invalid(request.resource(), request.name, problems));
  object = *json::ParseIn(object.storage(), typed->Encode());
  return DecodedObjects{.object = std::move(*typed), .old_object = std::move(old_typed)};
}

}  // namespace

store::Outcome<json::value> ReadBody(HandlerRequest& request, std::string_view body,
                                     json::storage_ptr memory) {
  std::vector<std::string> duplicates;
  auto object = json::ParseIn(std::move(memory), body, {.duplicates = &duplicates});
  if (!object) return std::unexpected(store::BadRequest(base::ToString(object.error())));
  if (!object->is_object())
    return std::unexpected(
        store::BadRequest("the body must be a JSON object of kind " + request.resource().kind));
  if (auto checked = CheckTypeMeta(request, *object); !checked)
    return std::unexpected(checked.error());
  std::vector<std::string> warnings;
  for (const std::string& path : duplicates)
    warnings.push_back("duplicate field " + api::Quoted(path));
  if (auto noted = ReportUnknown(request, warnings); !noted) return std::unexpected(noted.error());
  if (auto upgraded = UpgradeIfPrevious(request, *object); !upgraded)
    return std::unexpected(upgraded.error());
  SetTypeMeta(*request.kind, *object);
  const bool is_as_sent = !request.is_previous() && duplicates.empty();
  auto dropped = is_as_sent ? DropUnknownIn(request, body, *object) : DropUnknown(request, *object);
  if (!dropped) return std::unexpected(dropped.error());
  return std::move(*object);
}

store::Outcome<void> UpgradeIfPrevious(const HandlerRequest& request, json::value& object) {
  if (!request.is_previous()) return {};
  if (auto upgraded = Upgrade(request, object); !upgraded) return upgraded;
  SetTypeMeta(*request.kind, object);
  return {};
}

store::Outcome<void> DropUnknown(HandlerRequest& request, json::value& object) {
  const bool is_described = request.kind->described != nullptr;
  return DropUnknownIn(request, is_described ? json::Print(object) : "", object);
}

bool IsAllKnown(const HandlerRequest& request, std::string_view text) {
  if (request.kind->described == nullptr) return false;
  const Sorted sorted = Sort(ReadStrictly(*request.kind->described, text));
  return sorted.unknown.empty() && !sorted.wrong_type;
}

store::Outcome<DecodedObjects> DefaultAndValidate(const HandlerRequest& request,
                                                  const StoredTree* old, json::value& object) {
  if (request.kind->described != nullptr) return DefaultAndValidateDescribed(request, old, object);
  auto settled = DefaultAndValidateCustom(request, old == nullptr ? nullptr : &old->tree, object);
  if (!settled) return std::unexpected(settled.error());
  return DecodedObjects();
}

}  // namespace berth::apiserver
