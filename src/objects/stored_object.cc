#include "objects/stored_object.h"

#include <map>
#include <set>
#include <string>

#include "api/kueue/workload.h"
#include "api/meta/object_defaults.h"
#include "workload/convert/convert_workload.h"

namespace berth::objects {

std::string_view NamespaceOrDefault(std::string_view name) {
  return name.empty() ? kDefaultNamespace : name;
}

void Complete(api::Object& object) {
  api::ApplyDefaults(object);
  api::ObjectMeta* metadata = object.metadata();
  if (metadata == nullptr) return;
  metadata->namespace_ =
      object.kind().is_namespaced ? std::string(NamespaceOrDefault(metadata->namespace_)) : "";
}

api::Object AsStored(const api::Object& manifest) {
  api::Object object = manifest.Clone();
  Complete(object);
  return object;
}

void EnsureUid(std::string_view kind, api::ObjectMeta& metadata) {
  if (!metadata.uid.empty()) return;
  // The uid of a Workload is the last tie-break: of two Workloads, the name decides.
  metadata.uid = kind == api::Workload::KindInfo().kind
                     ? metadata.namespace_ + "-" + metadata.name
                     : std::string(kind) + "-" + workload::NamespacedName(metadata);
}

void SeparateUids(std::span<api::ObjectMeta* const> objects) {
  std::map<std::string, std::set<std::string>> names_by_uid;
  for (const api::ObjectMeta* metadata : objects)
    if (!metadata->uid.empty())
      names_by_uid[metadata->uid].insert(workload::NamespacedName(*metadata));
  for (api::ObjectMeta* metadata : objects)
    if (!metadata->uid.empty() && names_by_uid[metadata->uid].size() > 1)
      metadata->uid += " " + workload::NamespacedName(*metadata);
}

}  // namespace berth::objects
