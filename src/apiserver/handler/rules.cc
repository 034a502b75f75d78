#include "apiserver/handler/rules.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "api/batch/job.h"
#include "api/meta/label_rules.h"
#include "api/meta/names.h"
#include "api/meta/problem_report.h"
#include "apiserver/handler/job_rules.h"
#include "apiserver/handler/pod_rules.h"
#include "apiserver/object_tree.h"

namespace berth::apiserver {
namespace {

using api::ProblemReport;

base::FlatMap<std::string> StringMap(const json::value& object, std::string_view key,
                                     ProblemReport& report) {
  base::FlatMap<std::string> map;
  const json::value* found = json::Find(object, {"metadata", key});
  if (found == nullptr || found->is_null()) return map;
  if (!found->is_object()) {
    report.Invalid(key, "must be a map of strings");
    return map;
  }
  std::vector<std::pair<std::string_view, std::string_view>> entries;
  for (const auto& member : found->get_object()) {
    if (member.value().is_string()) {
      entries.emplace_back(json::View(member.key()), json::View(member.value().get_string()));
    } else {
      report.Invalid(key,
                     "the value of " + api::Quoted(json::View(member.key())) + " must be a string");
    }
  }
  // Maps are filled in order: inserting in the middle moves entries.
  std::ranges::sort(entries);
  for (const auto& [name, value] : entries) map.Set(name, std::string(value));
  return map;
}

api::NameProblems NameFaults(const HandlerRequest& request) {
  if (request.kind->collection == kNamespaceCollection)
    return api::Dns1123LabelProblems(request.name);
  return api::Dns1123SubdomainProblems(request.name);
}

void CheckOwners(const json::value& object, ProblemReport& report) {
  const json::value* owners = json::Find(object, {"metadata", "ownerReferences"});
  if (owners == nullptr || !owners->is_array()) return;
  size_t controllers = 0;
  for (size_t i = 0; i < owners->get_array().size(); ++i) {
    const json::value& owner = owners->get_array()[i];
    auto at = report.In("ownerReferences", i);
    for (const std::string_view key : {"apiVersion", "kind", "name", "uid"})
      if (json::StringAt(owner, {key}).empty()) report.Required(key, "must not be empty");
    const json::value* is_controller = json::Find(owner, {"controller"});
    if (is_controller != nullptr && is_controller->is_bool() && is_controller->get_bool())
      ++controllers;
  }
  if (controllers > 1)
    report.Invalid("ownerReferences", "only one owner can have controller set to true",
                   "leave it at the one that manages the object");
}

void CheckFinalizers(const json::value* old_object, const json::value& object,
                     ProblemReport& report) {
  const std::vector<std::string> names = Finalizers(object);
  for (const std::string& name : names)
    api::ReportFaults(name, api::QualifiedNameProblems(name), "finalizers", report);
  if (old_object == nullptr || !IsBeingDeleted(*old_object)) return;
  const std::vector<std::string> old_names = Finalizers(*old_object);
  const std::set<std::string_view> known(old_names.begin(), old_names.end());
  std::vector<std::string_view> added;
  for (const std::string& name : names)
    if (!known.contains(name)) added.push_back(name);
  if (!added.empty())
    report.Forbidden("finalizers",
                     "no new finalizers can be added if the object is being deleted, found new "
                     "finalizers " +
                         api::QuotedList(added));
}

}  // namespace

schema::Problems MetadataProblems(const HandlerRequest& request, const json::value* old_object,
                                  const json::value& object) {
  ProblemReport report;
  auto in_metadata = report.In("metadata");
  api::ReportFaults(request.name, NameFaults(request), "name", report);
  api::ValidateLabels(StringMap(object, "labels", report), "labels", report);
  api::ValidateAnnotations(StringMap(object, "annotations", report), "annotations", report);
  CheckOwners(object, report);
  CheckFinalizers(old_object, object, report);
  return std::move(report).Take();
}

schema::Problems KindProblems(const api::Object& object, const api::Object* old_object) {
  schema::Problems problems;
  if (const auto* job = object.As<api::Job>(); job != nullptr && old_object != nullptr)
    problems = JobChangeProblems(*job, *old_object->As<api::Job>());
  const PodOfObject pod = FindPod(object);
  const bool is_new_pod =
      pod.spec != nullptr && (old_object == nullptr || *FindPod(*old_object).spec != *pod.spec);
  if (is_new_pod) std::ranges::move(ResourceProblems(pod), std::back_inserter(problems));
  return problems;
}

}  // namespace berth::apiserver
