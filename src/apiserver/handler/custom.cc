#include "apiserver/handler/custom.h"

#include <algorithm>
#include <utility>

#include "api/meta/problem_report.h"
#include "apiserver/handler/rules.h"
#include "apiserver/object_tree.h"
#include "base/text.h"

namespace berth::apiserver {
namespace {

using schema::Problems;

bool IsDefinition(const HandlerRequest& request) {
  return request.kind->collection == kDefinitionCollection;
}

void CheckVersions(const json::value& definition, api::ProblemReport& report,
                   Problems& schema_problems) {
  const json::value* versions = json::Find(definition, {"spec", "versions"});
  if (versions == nullptr || !versions->is_array() || versions->get_array().empty())
    return report.Required("versions", "must have at least one version");
  size_t stored = 0;
  for (size_t i = 0; i < versions->get_array().size(); ++i) {
    const json::value& version = versions->get_array()[i];
    auto at = report.In("versions", i);
    if (json::StringAt(version, {"name"}).empty()) report.Required("name", "must not be empty");
    const json::value* schema = json::Find(version, {"schema", "openAPIV3Schema"});
    if (schema == nullptr || !schema->is_object())
      report.Required("schema.openAPIV3Schema", "schemas are required");
    else
      std::ranges::move(CheckStructural(*schema, "spec.versions[" + std::to_string(i) +
                                                     "].schema.openAPIV3Schema"),
                        std::back_inserter(schema_problems));
    stored += json::IsTrue(version, "storage") ? 1 : 0;
  }
  if (stored != 1)
    report.Invalid("versions", "must have exactly one version marked as storage version");
}

Problems DefinitionProblems(const HandlerRequest& request, const json::value& definition) {
  api::ProblemReport report;
  const std::string_view group = json::StringAt(definition, {"spec", "group"});
  const std::string_view plural = json::StringAt(definition, {"spec", "names", "plural"});
  const std::string wanted = std::string(plural) + "." + std::string(group);
  if (request.name != wanted)
    report.Invalid("metadata.name", "must be spec.names.plural+\".\"+spec.group",
                   "write " + wanted);
  auto in_spec = report.In("spec");
  if (group.empty()) report.Required("group", "must not be empty");
  if (plural.empty()) report.Required("names.plural", "must not be empty");
  if (json::StringAt(definition, {"spec", "names", "kind"}).empty())
    report.Required("names.kind", "must not be empty");
  const std::string_view scope = json::StringAt(definition, {"spec", "scope"});
  if (scope != "Namespaced" && scope != "Cluster")
    report.NotSupported("scope", api::Quoted(scope) + " is not one of Cluster and Namespaced");
  Problems schema_problems;
  CheckVersions(definition, report, schema_problems);
  Problems problems = std::move(report).Take();
  std::ranges::move(schema_problems, std::back_inserter(problems));
  return problems;
}

json::value Condition(std::string_view type, bool is_true, std::string_view reason,
                      std::string_view message, base::Time now) {
  return {{"type", json::BoostView(type)},
          {"status", is_true ? "True" : "False"},
          {"lastTransitionTime", base::FormatTime(now)},
          {"reason", json::BoostView(reason)},
          {"message", json::BoostView(message)}};
}

// Keeps the old condition, with its time, if the status is the same.
json::value Renewed(const json::value* old_conditions, json::value condition) {
  if (old_conditions == nullptr || !old_conditions->is_array()) return condition;
  for (const json::value& old_condition : old_conditions->get_array())
    if (json::StringAt(old_condition, {"type"}) == json::StringAt(condition, {"type"}) &&
        json::StringAt(old_condition, {"status"}) == json::StringAt(condition, {"status"}))
      return old_condition;
  return condition;
}

void FillNames(json::object& names) {
  const std::string kind = names.contains("kind") && names["kind"].is_string()
                               ? std::string(json::View(names["kind"].get_string()))
                               : "";
  if (!names.contains("singular")) names["singular"] = base::LowerCase(kind);
  if (!names.contains("listKind")) names["listKind"] = kind + "List";
}

json::array StoredVersions(const json::value& definition) {
  json::array names;
  const json::value* previous = json::Find(definition, {"status", "storedVersions"});
  if (previous != nullptr && previous->is_array()) names = previous->get_array();
  const json::value* versions = json::Find(definition, {"spec", "versions"});
  if (versions == nullptr || !versions->is_array()) return names;
  for (const json::value& version : versions->get_array()) {
    const json::value name(json::BoostView(json::StringAt(version, {"name"})));
    if (json::IsTrue(version, "storage") && std::ranges::find(names, name) == names.end())
      names.push_back(name);
  }
  return names;
}

bool IsNameTaken(const KindTable& kinds, const json::value& definition) {
  const StoredKind* other = kinds.FindByKind(json::StringAt(definition, {"spec", "group"}),
                                             json::StringAt(definition, {"spec", "names", "kind"}));
  return other != nullptr &&
         other->resource.plural != json::StringAt(definition, {"spec", "names", "plural"});
}

}  // namespace

std::vector<std::string> PruneCustom(const HandlerRequest& request, json::value& object) {
  if (request.version->schema == nullptr) return {};
  return request.version->schema->Prune(object);
}

store::Outcome<void> DefaultAndValidateCustom(const HandlerRequest& request,
                                              const json::value* old_object, json::value& object) {
  Problems problems = MetadataProblems(request, old_object, object);
  if (const auto& schema = request.version->schema) {
    if (!schema->Default(object, request.most_bytes)) return std::unexpected(OverLimit(request));
    std::ranges::move(schema->Validate(object), std::back_inserter(problems));
  }
  if (IsDefinition(request))
    std::ranges::move(DefinitionProblems(request, object), std::back_inserter(problems));
  if (!problems.empty())
    return std::unexpected(store::Invalid(request.resource(), request.name, problems));
  return {};
}

void Establish(const KindTable& kinds, base::Time now, json::value& definition) {
  json::value* names = json::Find(definition, {"spec", "names"});
  if (names == nullptr || !names->is_object()) return;
  FillNames(names->get_object());
  const bool is_taken = IsNameTaken(kinds, definition);
  const json::value* old_conditions = json::Find(definition, {"status", "conditions"});
  json::array conditions;
  conditions.push_back(Renewed(
      old_conditions,
      is_taken ? Condition("NamesAccepted", false, "KindConflict",
                           "another definition of the group has this kind already", now)
               : Condition("NamesAccepted", true, "NoConflicts", "no conflicts found", now)));
  conditions.push_back(Renewed(
      old_conditions,
      is_taken ? Condition("Established", false, "NotAccepted", "not all names are accepted", now)
               : Condition("Established", true, "InitialNamesAccepted",
                           "the initial names have been accepted", now)));
  json::object status;
  status["conditions"] = std::move(conditions);
  status["acceptedNames"] = is_taken ? json::value(json::object()) : *names;
  status["storedVersions"] = StoredVersions(definition);
  definition.get_object()["status"] = std::move(status);
}

}  // namespace berth::apiserver
