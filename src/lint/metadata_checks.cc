#include "api/core/namespace.h"
#include "api/meta/label_rules.h"
#include "api/meta/names.h"
#include "lint/checks.h"

namespace berth::lint {
namespace {

// False for kinds without metadata, such as the Configuration, and for unreadable objects.
bool HasMetadata(const Entry& entry) {
  if (entry.manifest->kind.empty()) return false;
  if (entry.manifest->known == nullptr) return true;
  return entry.object && entry.object->metadata() != nullptr;
}

api::NameProblems NameFaults(const Entry& entry) {
  const std::string& name = entry.metadata().name;
  const bool is_namespace = entry.manifest->known == &api::Namespace::KindInfo();
  return is_namespace ? api::Dns1123LabelProblems(name) : api::Dns1123SubdomainProblems(name);
}

void CheckName(const Entry& entry, Report& report) {
  // Unknown kinds may have other rules, or may not be stored at all.
  if (entry.manifest->known == nullptr) return;
  const api::ObjectMeta& metadata = entry.metadata();
  if (metadata.name.empty()) {
    if (!metadata.generate_name.empty()) return;
    report.Error(entry, "required",
                 {.field = "metadata.name",
                  .message = "name is missing",
                  .hint = "write name:, or generateName: for a generated one"});
    return;
  }
  for (const std::string& fault : NameFaults(entry)) {
    report.Error(entry, "invalid-name",
                 {.field = "metadata.name",
                  .message = api::Quoted(metadata.name) + " is not a valid name",
                  .hint = "a name " + fault});
  }
}

void CheckNamespace(const Entry& entry, Report& report) {
  const schema::Kind* kind = entry.manifest->known;
  const std::string& name = entry.metadata().namespace_;
  if (name.empty()) return;
  if (kind != nullptr && !kind->is_namespaced) {
    report.Warn(
        entry, "namespace-ignored",
        {.field = "metadata.namespace",
         .message = "a " + std::string(kind->kind) + " is cluster-scoped: it has no namespace",
         .hint = "remove it"});
    return;
  }
  for (const std::string& fault : api::Dns1123LabelProblems(name)) {
    report.Error(entry, "invalid-name",
                 {.field = "metadata.namespace",
                  .message = api::Quoted(name) + " is not a valid namespace name",
                  .hint = "a name " + fault});
  }
}

void CheckLabels(const Entry& entry, Report& report) {
  api::ProblemReport problems;
  {
    const auto in = problems.In("metadata");
    api::ValidateLabels(entry.metadata().labels, "labels", problems);
    api::ValidateAnnotations(entry.metadata().annotations, "annotations", problems);
  }
  for (const schema::Problem& p : std::move(problems).Take())
    report.Add(entry, Severity::kError, "invalid", p);
}

}  // namespace

void CheckMetadata(const Catalog& catalog, Report& report) {
  for (const Entry& entry : catalog.entries()) {
    if (!HasMetadata(entry)) continue;
    CheckName(entry, report);
    CheckNamespace(entry, report);
    CheckLabels(entry, report);
  }
}

}  // namespace berth::lint
