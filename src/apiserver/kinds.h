#pragma once

// How the objects of each kind are kept and treated: the side of a kind that requests never show.
// What clients see of it is the Catalog (rest_catalog.h).

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/rest_catalog.h"
#include "apiserver/structural.h"
#include "schema/describe.h"
#include "store/json.h"
#include "store/resource.h"

namespace berth::apiserver {

inline constexpr std::string_view kDefinitionCollection =
    "customresourcedefinitions.apiextensions.k8s.io";
inline constexpr std::string_view kNamespaceCollection = "namespaces";
inline constexpr std::string_view kEventCollection = "events";

// Where a kind keeps what the scale subresource shows, as paths of keys.
struct ScalePaths {
  std::vector<std::string> spec_replicas;
  std::vector<std::string> status_replicas;
  std::vector<std::string> selector;  // empty if there is none

  friend bool operator==(const ScalePaths&, const ScalePaths&) = default;
};

struct KindVersion {
  std::string name;
  bool is_served = true;
  bool has_status = false;
  std::optional<ScalePaths> scale;
  // Besides metadata.name and metadata.namespace.
  std::vector<std::string> selectable_fields;
  std::string deprecation_warning;
  // Of a definition's version; null for described kinds.
  std::shared_ptr<const StructuralSchema> schema;
  std::shared_ptr<const store::json::value> openapi;  // the text of the schema
};

struct StoredKind {
  store::Resource resource;                 // in the version in which objects are stored
  std::string collection;                   // "jobs.batch"
  const schema::Kind* described = nullptr;  // null: of a CustomResourceDefinition, or one itself
  // Its objects go by the rules of CustomResourceDefinitions, also if Berth describes it: updates
  // name a resource version, and /status changes nothing but the status.
  bool is_custom = false;
  bool has_generation = false;
  // events.k8s.io: the events of the core group with other names for their fields.
  bool is_events_v1 = false;
  std::vector<KindVersion> versions;

  const KindVersion* FindVersion(std::string_view name) const;
};

// Never changes; a change of the definitions makes a new one.
class KindTable {
 public:
  // The built-in kinds and those of CustomResourceDefinitions. Of a kind that is built in, the
  // definition changes nothing.
  explicit KindTable(std::span<const store::json::value> definitions);

  // Null if nothing of that group and plural is kept.
  const StoredKind* Find(std::string_view group, std::string_view plural) const;
  const StoredKind* FindByKind(std::string_view group, std::string_view kind) const;
  const StoredKind* FindCollection(std::string_view collection) const;
  std::span<const StoredKind> kinds() const { return kinds_; }
  const std::shared_ptr<const Catalog>& catalog() const { return catalog_; }

 private:
  std::vector<StoredKind> kinds_;
  std::shared_ptr<const Catalog> catalog_;
};

}  // namespace berth::apiserver
