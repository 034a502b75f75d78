#include "scenario/any_object.h"

#include <algorithm>
#include <utility>

#include "api/kueue/well_known.h"
#include "api/meta/registry.h"
#include "base/suggest.h"
#include "jobs/managed.h"
#include "jobs/workload_for.h"
#include "json/path.h"
#include "objects/stored_object.h"
#include "schema/decode.h"
#include "workload/convert/convert_workload.h"

namespace berth::scenario {

base::Result<AnyObject> ReadAnyObject(std::string_view api_version, std::string_view kind,
                                      std::string_view json) {
  base::Result<json::value> tree = json::Parse(json);
  if (!tree) return std::unexpected(std::move(tree.error()));
  base::Result<api::ObjectMeta> metadata = jobs::MetadataOf(*tree);
  if (!metadata) return std::unexpected(std::move(metadata.error()));
  AnyObject object{.api_version = std::string(api_version),
                   .kind = std::string(kind),
                   .metadata = *std::move(metadata),
                   .tree = *std::move(tree)};
  api::ObjectMeta& meta = object.metadata;
  meta.namespace_ = std::string(objects::NamespaceOrDefault(meta.namespace_));
  objects::EnsureUid(object.kind, meta);
  for (const auto& [path, text] :
       {std::pair("metadata.namespace", &meta.namespace_), std::pair("metadata.uid", &meta.uid)}) {
    if (json::value* at = json::MakeAt(object.tree, path))
      *at = json::string(json::BoostView(*text));
  }
  return object;
}

std::vector<std::string_view> KnownKinds() {
  std::vector<std::string_view> kinds;
  for (const schema::Kind* known : api::AllKinds()) kinds.push_back(known->kind);
  return kinds;
}

std::optional<api::Pod> PodOf(const AnyObject& job) {
  if (job.kind != "Pod" || job.api_version != "v1") return std::nullopt;
  auto pod = schema::Decode<api::Pod>(json::Print(job.tree));
  return pod ? std::optional(*std::move(pod)) : std::nullopt;
}

bool IsForeignKind(std::string_view api_version, std::string_view kind) {
  const std::string_view group = jobs::GroupOf(api_version);
  if (group.ends_with(api::kKueueGroup)) return false;
  const std::vector<std::string_view> kinds = KnownKinds();
  if (std::ranges::find(kinds, kind) != kinds.end()) return false;
  const bool is_known_group = std::ranges::any_of(
      api::AllKinds(), [&](const schema::Kind* known) { return known->group == group; });
  return !is_known_group || base::NearestWord(kind, kinds).empty();
}

std::string NameOf(std::string_view kind, std::string_view namespace_name, std::string_view name) {
  return std::string(kind) + " " + workload::NamespacedName(namespace_name, name);
}

std::string NameOf(const AnyObject& object) {
  return NameOf(object.kind, object.metadata.namespace_, object.metadata.name);
}

}  // namespace berth::scenario
