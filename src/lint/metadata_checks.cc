#include "api/label_rules.h"
#include "api/names.h"
#include "api/namespace.h"
#include "lint/checks.h"

namespace berth::lint {
namespace {

// Whether the object has metadata that could be read: a Configuration has none, and of what is
// broken nothing is certain.
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
  // Other people's kinds have their own rules, or are no objects of a cluster at all.
  if (entry.manifest->known == nullptr) return;
  const api::ObjectMeta& metadata = entry.metadata();
  if (metadata.name.empty()) {
    if (!metadata.generate_name.empty()) return;
    report.Error(entry, "required",
                 {.field = "metadata.name",
                  .message = "an object needs a name",
                  .hint = "write name: or, for one that is made anew each time, generateName:"});
    return;
  }
  for (const std::string& fault : NameFaults(entry)) {
    report.Error(entry, "invalid-name",
                 {.field = "metadata.name",
                  .message = api::Quoted(metadata.name) + " is no name for an object",
                  .hint = "it " + fault});
  }
}

void CheckNamespace(const Entry& entry, Report& report) {
  const schema::Kind* kind = entry.manifest->known;
  const std::string& name = entry.metadata().namespace_;
  if (name.empty()) return;
  if (kind != nullptr && !kind->is_namespaced) {
    report.Warn(entry, "namespace-ignored",
                {.field = "metadata.namespace",
                 .message = "a " + std::string(kind->kind) + " belongs to no namespace",
                 .hint = "remove it"});
    return;
  }
  for (const std::string& fault : api::Dns1123LabelProblems(name)) {
    report.Error(entry, "invalid-name",
                 {.field = "metadata.namespace",
                  .message = api::Quoted(name) + " is no name for a namespace",
                  .hint = "it " + fault});
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
