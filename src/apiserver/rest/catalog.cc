#include "apiserver/rest/catalog.h"

#include <algorithm>
#include <charconv>

#include "api/meta/registry.h"
#include "base/text.h"
#include "store/previous_version.h"

namespace berth::apiserver {
namespace {

std::vector<std::string> Strings(std::span<const std::string_view> texts) {
  return {texts.begin(), texts.end()};
}

bool HasScale(const schema::Kind& kind) {
  return kind.group == "apps" && (kind.plural == "deployments" || kind.plural == "replicasets" ||
                                  kind.plural == "statefulsets");
}

std::vector<PrinterColumn> ColumnsOf(const schema::Kind& kind, bool is_previous) {
  std::vector<PrinterColumn> columns;
  for (const schema::Column& column : kind.columns) {
    const bool has_own_path = is_previous && !column.previous_json_path.empty();
    columns.push_back(
        {.name = std::string(column.name),
         .type = std::string(column.type),
         .format = {},
         .description = std::string(column.doc),
         .priority = column.is_wide ? 1 : 0,
         .json_path = std::string(has_own_path ? column.previous_json_path : column.json_path)});
  }
  return columns;
}

ServedKind Serve(const schema::Kind& kind) {
  return {
      .resource = store::ResourceOf(kind),
      .singular = kind.singular.empty() ? base::LowerCase(kind.kind) : std::string(kind.singular),
      .list_kind = std::string(kind.kind) + "List",
      .short_names = Strings(kind.short_names),
      .categories = Strings(kind.categories),
      .has_status = kind.has_status,
      .has_scale = HasScale(kind),
      .takes_strategic_patches = !kind.group.ends_with(".x-k8s.io"),
      .columns = ColumnsOf(kind, false),
      .described = &kind,
      .schema = {}};
}

// CustomResourceDefinition. Its fields beyond the names are not described: schemas are a language
// of their own.
ServedKind ServedDefinitions() {
  return {.resource = {.group = "apiextensions.k8s.io",
                       .version = "v1",
                       .plural = "customresourcedefinitions",
                       .kind = "CustomResourceDefinition",
                       .is_namespaced = false},
          .singular = "customresourcedefinition",
          .list_kind = "CustomResourceDefinitionList",
          .short_names = {"crd", "crds"},
          .categories = {"api-extensions"},
          .has_status = true,
          .schema = R"({"description":"Definition of a custom resource.",
            "type":"object","properties":{
              "spec":{"description":"Names, scope and versions with their schemas.",
                "type":"object","x-kubernetes-preserve-unknown-fields":true},
              "status":{"description":"Conditions and accepted names.",
                "type":"object","x-kubernetes-preserve-unknown-fields":true}}})"};
}

// --- CustomResourceDefinitions ------------------------------------------------------------------

std::vector<std::string> StringsAt(const json::value& root,
                                   std::initializer_list<std::string_view> path) {
  std::vector<std::string> texts;
  const json::value* found = json::Find(root, path);
  if (found == nullptr || !found->is_array()) return texts;
  for (const json::value& text : found->get_array()) {
    if (text.is_string()) texts.emplace_back(json::View(text.get_string()));
  }
  return texts;
}

PrinterColumn ColumnOf(const json::value& column) {
  const auto text = [&](std::string_view key) {
    return std::string(json::StringAt(column, {key}));
  };
  const json::value* priority = json::Find(column, {"priority"});
  return {.name = text("name"),
          .type = text("type"),
          .format = text("format"),
          .description = text("description"),
          .priority = priority != nullptr && priority->is_int64()
                          ? static_cast<int32_t>(priority->get_int64())
                          : 0,
          .json_path = text("jsonPath")};
}

std::vector<PrinterColumn> ColumnsOf(const json::value& version) {
  std::vector<PrinterColumn> columns;
  const json::value* found = json::Find(version, {"additionalPrinterColumns"});
  if (found != nullptr && found->is_array()) {
    for (const json::value& column : found->get_array()) columns.push_back(ColumnOf(column));
  }
  return columns;
}

ServedKind Serve(const json::value& definition, const json::value& version) {
  const auto name = [&](std::string_view key) {
    return std::string(json::StringAt(definition, {"spec", "names", key}));
  };
  ServedKind served{
      .resource = {.group = std::string(json::StringAt(definition, {"spec", "group"})),
                   .version = std::string(json::StringAt(version, {"name"})),
                   .plural = name("plural"),
                   .kind = name("kind"),
                   .is_namespaced = json::StringAt(definition, {"spec", "scope"}) == "Namespaced"},
      .singular = name("singular"),
      .list_kind = name("listKind"),
      .short_names = StringsAt(definition, {"spec", "names", "shortNames"}),
      .categories = StringsAt(definition, {"spec", "names", "categories"}),
      .has_status = json::Find(version, {"subresources", "status"}) != nullptr,
      .has_scale = json::Find(version, {"subresources", "scale"}) != nullptr,
      .takes_strategic_patches = false,
      .columns = ColumnsOf(version),
      .described = nullptr,
      .schema = {}};
  if (served.singular.empty()) served.singular = base::LowerCase(served.resource.kind);
  if (served.list_kind.empty()) served.list_kind = served.resource.kind + "List";
  if (const json::value* found = json::Find(version, {"schema", "openAPIV3Schema"}))
    served.schema = json::Print(*found);
  return served;
}

// Kubernetes' version order: v2, v1, v2beta1, v1alpha3, then others alphabetically.
struct VersionRank {
  int stage = 0;  // 3 stable, 2 beta, 1 alpha
  int64_t major = 0;
  int64_t minor = 0;
  friend auto operator<=>(const VersionRank&, const VersionRank&) = default;
};

bool TakeNumber(std::string_view& text, int64_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0) return false;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return true;
}

VersionRank RankOf(std::string_view version) {
  VersionRank rank;
  if (!version.starts_with('v')) return {};
  version.remove_prefix(1);
  if (!TakeNumber(version, rank.major)) return {};
  if (version.empty()) {
    rank.stage = 3;
    return rank;
  }
  rank.stage = version.starts_with("beta") ? 2 : version.starts_with("alpha") ? 1 : 0;
  if (rank.stage == 0) return {};
  version.remove_prefix(rank.stage == 2 ? 4 : 5);
  if (!TakeNumber(version, rank.minor) || !version.empty()) return {};
  return rank;
}

bool ComesFirst(const ServedKind& a, const ServedKind& b) {
  const VersionRank rank_a = RankOf(a.resource.version);
  const VersionRank rank_b = RankOf(b.resource.version);
  if (rank_a != rank_b) return rank_a > rank_b;
  return a.resource.version < b.resource.version;
}

}  // namespace

Catalog::Catalog(std::vector<ServedKind> kinds) : kinds_(std::move(kinds)) {
  std::vector<std::string> groups;
  for (const ServedKind& kind : kinds_) {
    if (std::ranges::find(groups, kind.resource.group) == groups.end())
      groups.push_back(kind.resource.group);
  }
  for (const std::string& group : groups) {
    for (const ServedKind& kind : kinds_) {
      if (kind.resource.group != group) continue;
      auto at = std::ranges::find_if(versions_, [&](const GroupVersion& v) {
        return v.group == group && v.version == kind.resource.version;
      });
      if (at == versions_.end())
        at = versions_.insert(at, {.group = group, .version = kind.resource.version, .kinds = {}});
      at->kinds.push_back(&kind);
    }
  }
}

const Catalog::GroupVersion* Catalog::FindVersion(std::string_view group,
                                                  std::string_view version) const {
  const auto at = std::ranges::find_if(
      versions_, [&](const GroupVersion& v) { return v.group == group && v.version == version; });
  return at == versions_.end() ? nullptr : &*at;
}

const ServedKind* Catalog::Find(std::string_view group, std::string_view version,
                                std::string_view plural) const {
  const GroupVersion* found = FindVersion(group, version);
  if (found == nullptr) return nullptr;
  const auto at = std::ranges::find_if(
      found->kinds, [&](const ServedKind* kind) { return kind->resource.plural == plural; });
  return at == found->kinds.end() ? nullptr : *at;
}

bool HasObjects(const schema::Kind& kind) {
  return !kind.plural.empty() &&
         std::ranges::any_of(kind.structure().fields,
                             [](const schema::Field& field) { return field.name == "metadata"; });
}

std::vector<ServedKind> BuiltInKinds() {
  std::vector<ServedKind> kinds;
  for (const schema::Kind* kind : api::AllKinds()) {
    if (!HasObjects(*kind)) continue;
    kinds.push_back(Serve(*kind));
    for (const std::string_view previous : kind->previous_versions) {
      kinds.push_back(Serve(*kind));
      kinds.back().resource.version = previous;
      kinds.back().columns = ColumnsOf(*kind, store::HasPreviousForm(*kind, previous));
    }
  }
  kinds.push_back(ServedDefinitions());
  return kinds;
}

std::vector<ServedKind> KindsOf(const json::value& definition) {
  std::vector<ServedKind> kinds;
  const json::value* versions = json::Find(definition, {"spec", "versions"});
  if (versions == nullptr || !versions->is_array()) return kinds;
  for (const json::value& version : versions->get_array()) {
    if (!json::IsTrue(version, "served")) continue;
    ServedKind served = Serve(definition, version);
    const store::Resource& resource = served.resource;
    if (!resource.group.empty() && !resource.version.empty() && !resource.plural.empty() &&
        !resource.kind.empty())
      kinds.push_back(std::move(served));
  }
  std::ranges::stable_sort(kinds, ComesFirst);
  return kinds;
}

}  // namespace berth::apiserver
