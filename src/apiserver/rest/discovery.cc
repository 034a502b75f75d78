#include "apiserver/rest/discovery.h"

#include <span>

#include "schema/json/writer.h"
#include "store/call.h"

namespace berth::apiserver {
namespace {

using schema::JsonWriter;
using GroupVersion = Catalog::GroupVersion;

constexpr std::string_view kVerbs[] = {"create", "delete", "deletecollection", "get",
                                       "list",   "patch",  "update",           "watch"};
constexpr std::string_view kSubresourceVerbs[] = {"get", "patch", "update"};

template <class Texts>
void WriteStrings(JsonWriter& w, std::string_view key, const Texts& texts) {
  w.Key(key).BeginArray();
  for (const auto& text : texts) w.Value(std::string_view(text));
  w.EndArray();
}

// The versions of a group, which are adjacent.
std::span<const GroupVersion> VersionsOf(const Catalog& catalog, std::string_view group) {
  const std::span<const GroupVersion> all = catalog.versions();
  size_t begin = 0;
  while (begin < all.size() && all[begin].group != group) ++begin;
  size_t end = begin;
  while (end < all.size() && all[end].group == group) ++end;
  return all.subspan(begin, end - begin);
}

// Calls visit(versions) for each group except core.
template <class Visit>
void VisitGroups(const Catalog& catalog, Visit visit) {
  const std::span<const GroupVersion> all = catalog.versions();
  for (size_t i = 0; i < all.size(); ++i) {
    if (!all[i].group.empty() && (i == 0 || all[i - 1].group != all[i].group))
      visit(VersionsOf(catalog, all[i].group));
  }
}

// --- Legacy form --------------------------------------------------------------------------------

void WriteVersion(JsonWriter& w, const GroupVersion& version) {
  w.BeginObject().Member("groupVersion", version.Name()).Member("version", version.version);
  w.EndObject();
}

void WriteGroup(JsonWriter& w, std::span<const GroupVersion> versions) {
  w.Member("name", versions.front().group).Key("versions").BeginArray();
  for (const GroupVersion& version : versions) WriteVersion(w, version);
  w.EndArray().Key("preferredVersion");
  WriteVersion(w, versions.front());
}

// The kind of every scale subresource.
const store::Resource& ScaleResource() {
  static const store::Resource kScale{
      .group = "autoscaling", .version = "v1", .plural = "scales", .kind = "Scale"};
  return kScale;
}

void WriteSubresource(JsonWriter& w, const ServedKind& kind, std::string_view name) {
  const bool is_scale = name == store::kScaleSubresource;
  w.BeginObject().Member("name", kind.resource.plural + "/" + std::string(name));
  w.Member("singularName", "").Member("namespaced", kind.resource.is_namespaced);
  if (is_scale) w.Member("group", ScaleResource().group).Member("version", ScaleResource().version);
  w.Member("kind", is_scale ? ScaleResource().kind : kind.resource.kind);
  WriteStrings(w, "verbs", kSubresourceVerbs);
  w.EndObject();
}

void WriteResource(JsonWriter& w, const ServedKind& kind) {
  w.BeginObject().Member("name", kind.resource.plural).Member("singularName", kind.singular);
  w.Member("namespaced", kind.resource.is_namespaced).Member("kind", kind.resource.kind);
  WriteStrings(w, "verbs", kVerbs);
  if (!kind.short_names.empty()) WriteStrings(w, "shortNames", kind.short_names);
  if (!kind.categories.empty()) WriteStrings(w, "categories", kind.categories);
  w.EndObject();
  if (kind.has_scale) WriteSubresource(w, kind, store::kScaleSubresource);
  if (kind.has_status) WriteSubresource(w, kind, store::kStatusSubresource);
}

// --- Aggregated form ----------------------------------------------------------------------------

void WriteResponseKind(JsonWriter& w, const store::Resource& resource) {
  w.Key("responseKind").BeginObject().Member("group", resource.group);
  w.Member("version", resource.version).Member("kind", resource.kind).EndObject();
}

void WriteAggregatedSubresource(JsonWriter& w, std::string_view name,
                                const store::Resource& response) {
  w.BeginObject().Member("subresource", name);
  WriteResponseKind(w, response);
  WriteStrings(w, "verbs", kSubresourceVerbs);
  w.EndObject();
}

void WriteAggregatedResource(JsonWriter& w, const ServedKind& kind) {
  w.BeginObject().Member("resource", kind.resource.plural);
  WriteResponseKind(w, kind.resource);
  w.Member("scope", kind.resource.is_namespaced ? "Namespaced" : "Cluster");
  w.Member("singularResource", kind.singular);
  WriteStrings(w, "verbs", kVerbs);
  if (!kind.short_names.empty()) WriteStrings(w, "shortNames", kind.short_names);
  if (!kind.categories.empty()) WriteStrings(w, "categories", kind.categories);
  if (kind.has_scale || kind.has_status) {
    w.Key("subresources").BeginArray();
    if (kind.has_scale) WriteAggregatedSubresource(w, store::kScaleSubresource, ScaleResource());
    if (kind.has_status) WriteAggregatedSubresource(w, store::kStatusSubresource, kind.resource);
    w.EndArray();
  }
  w.EndObject();
}

void WriteAggregatedGroup(JsonWriter& w, std::span<const GroupVersion> versions) {
  w.BeginObject().Key("metadata").BeginObject();
  if (!versions.front().group.empty()) w.Member("name", versions.front().group);
  w.Key("creationTimestamp").Raw("null").EndObject();
  w.Key("versions").BeginArray();
  for (const GroupVersion& version : versions) {
    w.BeginObject().Member("version", version.version).Key("resources").BeginArray();
    for (const ServedKind* kind : version.kinds) WriteAggregatedResource(w, *kind);
    w.EndArray().Member("freshness", "Current").EndObject();
  }
  w.EndArray().EndObject();
}

}  // namespace

std::string CoreVersionsDocument(const Catalog& catalog, std::string_view address) {
  JsonWriter w;
  w.BeginObject().Member("kind", "APIVersions").Key("versions").BeginArray();
  for (const GroupVersion& version : VersionsOf(catalog, "")) w.Value(version.version);
  w.EndArray().Key("serverAddressByClientCIDRs").BeginArray().BeginObject();
  w.Member("clientCIDR", "0.0.0.0/0").Member("serverAddress", address);
  w.EndObject().EndArray().EndObject();
  return w.Take();
}

std::string GroupsDocument(const Catalog& catalog) {
  JsonWriter w;
  w.BeginObject().Member("kind", "APIGroupList").Member("apiVersion", "v1");
  w.Key("groups").BeginArray();
  VisitGroups(catalog, [&](std::span<const GroupVersion> versions) {
    w.BeginObject();
    WriteGroup(w, versions);
    w.EndObject();
  });
  w.EndArray().EndObject();
  return w.Take();
}

std::optional<std::string> GroupDocument(const Catalog& catalog, std::string_view group) {
  const std::span<const GroupVersion> versions = VersionsOf(catalog, group);
  if (versions.empty()) return std::nullopt;
  JsonWriter w;
  w.BeginObject().Member("kind", "APIGroup").Member("apiVersion", "v1");
  WriteGroup(w, versions);
  w.EndObject();
  return w.Take();
}

std::optional<std::string> ResourcesDocument(const Catalog& catalog, std::string_view group,
                                             std::string_view version) {
  const GroupVersion* found = catalog.FindVersion(group, version);
  if (found == nullptr) return std::nullopt;
  JsonWriter w;
  w.BeginObject().Member("kind", "APIResourceList").Member("apiVersion", "v1");
  w.Member("groupVersion", found->Name()).Key("resources").BeginArray();
  for (const ServedKind* kind : found->kinds) WriteResource(w, *kind);
  w.EndArray().EndObject();
  return w.Take();
}

std::string AggregatedDocument(const Catalog& catalog, bool is_core, std::string_view version) {
  JsonWriter w;
  w.BeginObject().Member("kind", "APIGroupDiscoveryList");
  w.Member("apiVersion", "apidiscovery.k8s.io/" + std::string(version));
  w.Key("metadata").BeginObject().EndObject().Key("items").BeginArray();
  if (is_core) {
    WriteAggregatedGroup(w, VersionsOf(catalog, ""));
  } else {
    VisitGroups(catalog,
                [&](std::span<const GroupVersion> versions) { WriteAggregatedGroup(w, versions); });
  }
  w.EndArray().EndObject();
  return w.Take();
}

std::string AggregatedContentType(std::string_view version) {
  return "application/json;g=apidiscovery.k8s.io;v=" + std::string(version) +
         ";as=APIGroupDiscoveryList";
}

}  // namespace berth::apiserver
