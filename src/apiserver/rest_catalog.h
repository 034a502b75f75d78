#pragma once

// What the server serves, as clients see it: the kinds that are built in and those of the
// CustomResourceDefinitions that were applied. Discovery, OpenAPI, tables and the meaning of URLs
// all follow from it.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schema/describe.h"
#include "store/json.h"
#include "store/resource.h"

namespace berth::apiserver {

// A column of `kubectl get`.
struct PrinterColumn {
  std::string name;
  std::string type;  // "string", "integer", "number", "boolean", "date"
  std::string format;
  std::string description;
  int32_t priority = 0;  // over 0: only with -o wide
  std::string json_path;
};

// A kind in one of its versions.
struct ServedKind {
  store::Resource resource;
  std::string singular;
  std::string list_kind;
  std::vector<std::string> short_names;
  std::vector<std::string> categories;
  bool has_status = false;
  bool has_scale = false;
  bool takes_strategic_patches = false;  // Kubernetes' own kinds do; those of definitions do not
  std::vector<PrinterColumn> columns;
  const schema::Kind* described = nullptr;  // null if it comes from a CustomResourceDefinition
  std::string schema;                       // then: its OpenAPI v3 schema, as JSON

  bool is_custom() const { return described == nullptr; }
};

// Never changes; a change of what is served makes a new one.
class Catalog {
 public:
  // The first version of a group that comes is the one that clients should prefer.
  explicit Catalog(std::vector<ServedKind> kinds);

  std::span<const ServedKind> kinds() const { return kinds_; }
  // Null if there is none.
  const ServedKind* Find(std::string_view group, std::string_view version,
                         std::string_view plural) const;

  struct GroupVersion {
    std::string group;
    std::string version;
    std::vector<const ServedKind*> kinds;

    // "batch/v1", "v1".
    std::string Name() const { return group.empty() ? version : group + "/" + version; }
  };
  // In the order in which they first came, the versions of a group beside each other.
  std::span<const GroupVersion> versions() const { return versions_; }
  const GroupVersion* FindVersion(std::string_view group, std::string_view version) const;

  Catalog(const Catalog&) = delete;
  Catalog& operator=(const Catalog&) = delete;

 private:
  std::vector<ServedKind> kinds_;
  std::vector<GroupVersion> versions_;
};

// Whether there are objects of this kind. Of Configuration, which is a file, there are none.
bool HasObjects(const schema::Kind& kind);

// All kinds of api::AllKinds() that have objects, in today's version and then in the former ones,
// and CustomResourceDefinitions themselves.
std::vector<ServedKind> BuiltInKinds();

// What a CustomResourceDefinition adds, the versions in the order of clients' preference. Parts
// that are missing or of the wrong type are left out; nothing comes of a definition without names.
std::vector<ServedKind> KindsOf(const store::json::value& definition);

// What is served at the moment. Any thread may ask.
class CatalogSource {
 public:
  virtual ~CatalogSource() = default;
  virtual std::shared_ptr<const Catalog> Current() const = 0;
};

}  // namespace berth::apiserver
