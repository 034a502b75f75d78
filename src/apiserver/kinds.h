#pragma once

// Storage and treatment of each kind: the internal counterpart of the Catalog (rest/catalog.h),
// which clients see.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/crd/structural.h"
#include "apiserver/rest/catalog.h"
#include "json/json.h"
#include "schema/describe.h"
#include "store/resource.h"

namespace berth::apiserver {

inline constexpr std::string_view kDefinitionCollection =
    "customresourcedefinitions.apiextensions.k8s.io";
inline constexpr std::string_view kNamespaceCollection = "namespaces";
inline constexpr std::string_view kEventCollection = "events";

// The fields behind the scale subresource, as paths of keys.
struct ScalePaths {
  std::vector<std::string> spec_replicas;
  std::vector<std::string> status_replicas;
  std::vector<std::string> selector;  // empty if none

  friend bool operator==(const ScalePaths&, const ScalePaths&) = default;
};

struct KindVersion {
  std::string name;
  bool is_served = true;
  bool has_status = false;
  std::optional<ScalePaths> scale;
  // In addition to metadata.name and metadata.namespace.
  std::vector<std::string> selectable_fields;
  std::string deprecation_warning;
  // The schema of a custom resource; null for described kinds.
  std::shared_ptr<const StructuralSchema> schema;
  std::shared_ptr<const json::value> openapi;  // the source of the schema
};

struct StoredKind {
  store::Resource resource;  // in the storage version
  std::string collection;    // "jobs.batch"
  const schema::Kind* described =
      nullptr;  // null for custom resources and CustomResourceDefinitions
  // Follows the rules of custom resources, even if described: updates need a resourceVersion, and
  // /status changes only the status.
  bool is_custom = false;
  bool has_generation = false;
  // events.k8s.io: core events with other field names.
  bool is_events_v1 = false;
  std::vector<KindVersion> versions;

  const KindVersion* FindVersion(std::string_view name) const;
};

// Immutable; a change of the definitions creates a new table.
class KindTable {
 public:
  // The built-in kinds and those of CustomResourceDefinitions. A definition of a built-in kind has
  // no effect.
  explicit KindTable(std::span<const json::value> definitions);

  // Null if unknown.
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
