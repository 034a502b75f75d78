#pragma once

// The served kinds as clients see them: built-in ones and those of CustomResourceDefinitions.
// Discovery, OpenAPI, tables and URL routing derive from it.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "json/json.h"
#include "schema/describe.h"
#include "store/resource.h"

namespace berth::apiserver {

// A column of `kubectl get`.
struct PrinterColumn {
  std::string name;
  std::string type;  // "string", "integer", "number", "boolean", "date"
  std::string format;
  std::string description;
  int32_t priority = 0;  // above 0: only with -o wide
  std::string json_path;
};

// A kind in one version.
struct ServedKind {
  store::Resource resource;
  std::string singular;
  std::string list_kind;
  std::vector<std::string> short_names;
  std::vector<std::string> categories;
  bool has_status = false;
  bool has_scale = false;
  bool takes_strategic_patches = false;  // built-in kinds only
  std::vector<PrinterColumn> columns;
  const schema::Kind* described = nullptr;  // null for custom resources
  std::string schema;                       // OpenAPI v3 schema as JSON; custom resources only

  bool is_custom() const { return described == nullptr; }
};

// Immutable; a change of the served kinds creates a new catalog.
class Catalog {
 public:
  // The first version of a group is the preferred one.
  explicit Catalog(std::vector<ServedKind> kinds);

  std::span<const ServedKind> kinds() const { return kinds_; }
  // Null if not served.
  const ServedKind* Find(std::string_view group, std::string_view version,
                         std::string_view plural) const;

  struct GroupVersion {
    std::string group;
    std::string version;
    std::vector<const ServedKind*> kinds;

    // "batch/v1", "v1".
    std::string Name() const { return group.empty() ? version : group + "/" + version; }
  };
  // In order of first appearance; versions of a group are adjacent.
  std::span<const GroupVersion> versions() const { return versions_; }
  const GroupVersion* FindVersion(std::string_view group, std::string_view version) const;

  Catalog(const Catalog&) = delete;
  Catalog& operator=(const Catalog&) = delete;

 private:
  std::vector<ServedKind> kinds_;
  std::vector<GroupVersion> versions_;
};

// False for Configuration, which is a file and not a resource.
bool HasObjects(const schema::Kind& kind);

// All kinds of api::AllKinds() that have objects, in the current version and then in previous ones,
// and CustomResourceDefinition.
std::vector<ServedKind> BuiltInKinds();

// The kinds of a CustomResourceDefinition, versions by preference. Missing or mistyped parts are
// omitted; a definition without names yields nothing.
std::vector<ServedKind> KindsOf(const json::value& definition);

// The current catalog. Thread-safe.
class CatalogSource {
 public:
  virtual ~CatalogSource() = default;
  virtual std::shared_ptr<const Catalog> Current() const = 0;
};

}  // namespace berth::apiserver
