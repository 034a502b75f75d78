#include "apiserver/service_rules.h"

#include <algorithm>
#include <utility>

#include "api/job.h"
#include "api/label_rules.h"
#include "api/names.h"
#include "api/problem_report.h"
#include "apiserver/object_tree.h"
#include "apiserver/service_job_rules.h"

namespace berth::apiserver {
namespace {

using api::ProblemReport;

base::FlatMap<std::string> StringMap(const json::value& object, std::string_view key,
                                     ProblemReport& report) {
  base::FlatMap<std::string> map;
  const json::value* found = store::FindJson(object, {"metadata", key});
  if (found == nullptr || found->is_null()) return map;
  if (!found->is_object()) {
    report.Invalid(key, "must be an object with strings in it");
    return map;
  }
  for (const auto& member : found->get_object()) {
    if (member.value().is_string()) {
      map.Set(store::View(member.key()), std::string(store::View(member.value().get_string())));
    } else {
      report.Invalid(
          key, "the value of " + api::Quoted(store::View(member.key())) + " must be a string");
    }
  }
  return map;
}

api::NameProblems NameFaults(const ServiceRequest& request) {
  if (request.kind->collection == kNamespaceCollection)
    return api::Dns1123LabelProblems(request.name);
  return api::Dns1123SubdomainProblems(request.name);
}

void CheckOwners(const json::value& object, ProblemReport& report) {
  const json::value* owners = store::FindJson(object, {"metadata", "ownerReferences"});
  if (owners == nullptr || !owners->is_array()) return;
  size_t controllers = 0;
  for (size_t i = 0; i < owners->get_array().size(); ++i) {
    const json::value& owner = owners->get_array()[i];
    auto at = report.In("ownerReferences", i);
    for (const std::string_view key : {"apiVersion", "kind", "name", "uid"})
      if (store::JsonStringAt(owner, {key}).empty()) report.Required(key, "must not be empty");
    const json::value* is_controller = store::FindJson(owner, {"controller"});
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
  std::vector<std::string_view> added;
  for (const std::string& name : names)
    if (!HasFinalizer(*old_object, name)) added.push_back(name);
  if (!added.empty())
    report.Forbidden("finalizers",
                     "no new finalizers can be added if the object is being deleted, found new "
                     "finalizers " +
                         api::QuotedList(added));
}

}  // namespace

schema::Problems MetadataProblems(const ServiceRequest& request, const json::value* old_object,
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
  if (const auto* job = object.As<api::Job>(); job != nullptr && old_object != nullptr)
    return JobChangeProblems(*job, *old_object->As<api::Job>());
  return {};
}

}  // namespace berth::apiserver
