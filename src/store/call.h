#pragma once

// Requests to an API server as plain data. They hold no pointers, so a call can be logged,
// compared, replayed and sent over a wire.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/time.h"
#include "store/object.h"
#include "store/resource.h"

namespace berth::store {

// Subresources that Berth uses.
inline constexpr std::string_view kStatusSubresource = "status";
inline constexpr std::string_view kScaleSubresource = "scale";

// Selects objects of a kind. Each field is optional and narrows the selection.
struct Selection {
  std::string namespace_;      // "" is all namespaces
  std::string label_selector;  // as in URLs: "app=a,tier in (x,y),!old"
  std::string field_selector;  // "metadata.name=a,status.phase!=Failed"

  friend bool operator==(const Selection&, const Selection&) = default;
};

// How the server treats unknown fields and duplicate keys.
enum class FieldValidation : uint8_t { kWarn, kStrict, kIgnore };

struct WriteOptions {
  bool is_dry_run = false;    // validate, but do not persist
  std::string field_manager;  // owner of the written fields; the server's choice if ""
  FieldValidation field_validation = FieldValidation::kWarn;

  friend bool operator==(const WriteOptions&, const WriteOptions&) = default;
};

struct Get {
  Resource resource;
  std::string namespace_;  // "" if the kind is cluster-wide
  std::string name;
  std::string subresource;

  friend bool operator==(const Get&, const Get&) = default;
};

// The meaning of resource_version in List and Watch; see "Resource versions" in store.h.
enum class VersionMatch : uint8_t { kUnset, kNotOlderThan, kExact };

struct List {
  Resource resource;
  Selection selection;
  int64_t limit = 0;           // items per page; 0 is unlimited
  std::string continue_token;  // of the previous page, with the same selection
  std::string resource_version;
  VersionMatch version_match = VersionMatch::kUnset;

  friend bool operator==(const List&, const List&) = default;
};

// Fails with AlreadyExists if the name is taken. An object without a name but with
// metadata.generateName gets a name of that prefix and five random characters.
struct Create {
  Resource resource;
  std::string namespace_;
  std::string object;  // JSON
  WriteOptions options;

  friend bool operator==(const Create&, const Create&) = default;
};

// Replaces an object or its subresource. Fails with Conflict if the JSON has a resource version
// other than the current one; without a resource version it overwrites.
struct Update {
  Resource resource;
  std::string namespace_;
  std::string name;
  std::string subresource;
  std::string object;  // JSON
  WriteOptions options;

  friend bool operator==(const Update&, const Update&) = default;
};

enum class PatchType : uint8_t {
  kJson,       // RFC 6902
  kMerge,      // RFC 7386
  kStrategic,  // strategic merge; built-in kinds only
  kApply,      // server-side apply: upserts; needs a field manager
};

struct Patch {
  Resource resource;
  std::string namespace_;
  std::string name;
  std::string subresource;
  PatchType type = PatchType::kMerge;
  std::string body;        // JSON; of kApply also YAML
  bool is_forced = false;  // kApply: take ownership of conflicting fields
  WriteOptions options;

  friend bool operator==(const Patch&, const Patch&) = default;
};

// What happens to the dependents of a deleted object.
enum class Propagation : uint8_t {
  kBackground,  // deleted afterwards
  kForeground,  // deleted first
  kOrphan,      // kept, without this owner
};

struct DeleteOptions {
  // Preconditions: fails with Conflict if the uid or the version differs.
  std::string uid;
  std::string resource_version;
  std::optional<Propagation> propagation;  // the kind's default if absent
  std::optional<int64_t> grace_period_seconds;
  bool is_dry_run = false;

  friend bool operator==(const DeleteOptions&, const DeleteOptions&) = default;
};

// An object with finalizers only gets a metadata.deletionTimestamp; it is removed with its last
// finalizer.
struct Delete {
  Resource resource;
  std::string namespace_;
  std::string name;
  DeleteOptions options;

  friend bool operator==(const Delete&, const Delete&) = default;
};

// Deletes each object of the selection; not atomic.
struct DeleteCollection {
  Resource resource;
  Selection selection;
  DeleteOptions options;

  friend bool operator==(const DeleteCollection&, const DeleteCollection&) = default;
};

// A request with a single reply.
using Call = std::variant<Get, List, Create, Update, Patch, Delete, DeleteCollection>;

// The reply to a successful call.
struct Reply {
  // Get, Create, Update, Patch: the current object. Delete: the object as it was marked or removed.
  Object object;
  bool was_created = false;  // Create, or a Patch of kApply that created the object
  bool was_removed = false;  // Delete: the object is gone; false: finalizers are pending

  // List, DeleteCollection.
  std::vector<Object> items;               // ordered by namespace, then name
  std::string resource_version;            // of the list; where a watch continues
  std::string continue_token;              // "" if this was the last page
  std::optional<int64_t> remaining_items;  // after this page, if known

  std::vector<std::string> warnings;  // for the user
};

// A stream of changes to the objects of a selection.
struct Watch {
  Resource resource;
  Selection selection;
  // Changes after this version. "" or "0" starts with the current objects as kAdded events.
  std::string resource_version;
  VersionMatch version_match = VersionMatch::kUnset;
  bool allows_bookmarks = false;
  // Streaming list: sends the current objects, then a bookmark with ends_initial_events.
  bool sends_initial_events = false;
  std::optional<base::Duration> timeout;  // the server's choice if absent

  friend bool operator==(const Watch&, const Watch&) = default;
};

struct Event {
  enum class Kind : uint8_t {
    kAdded,     // entered the selection: created, or changed so that it matches
    kModified,  // changed within the selection
    kDeleted,   // left the selection; `object` is its last state, at the new version
    kBookmark,  // progress: all changes up to object.resource_version were sent
    kEnd,       // the server closed the watch normally; resume from the last version
  };
  Kind kind = Kind::kAdded;
  Object object;
  bool ends_initial_events = false;  // the bookmark after the initial objects
};

}  // namespace berth::store
