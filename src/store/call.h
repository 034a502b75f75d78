#pragma once

// What can be asked of an API server, as plain data: nothing in here points anywhere, so a call can
// be logged, compared, replayed and sent over a wire.

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

// Which objects of a kind. Everything is optional and narrows the choice.
struct Selection {
  std::string namespace_;      // "" is all namespaces
  std::string label_selector;  // as in URLs: "app=a,tier in (x,y),!old"
  std::string field_selector;  // "metadata.name=a,status.phase!=Failed"

  friend bool operator==(const Selection&, const Selection&) = default;
};

// What a server does about fields that it does not know and keys that stand twice.
enum class FieldValidation : uint8_t { kWarn, kStrict, kIgnore };

struct WriteOptions {
  bool is_dry_run = false;    // everything but the storing
  std::string field_manager;  // whose the written fields are; the server's choice if ""
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

// How resource_version is meant in List and Watch; see "Resource versions" in store.h.
enum class VersionMatch : uint8_t { kUnset, kNotOlderThan, kExact };

struct List {
  Resource resource;
  Selection selection;
  int64_t limit = 0;           // at most so many items in a page; 0 is all
  std::string continue_token;  // of the page before; the selection must be the same again
  std::string resource_version;
  VersionMatch version_match = VersionMatch::kUnset;

  friend bool operator==(const List&, const List&) = default;
};

// Fails with AlreadyExists if there is an object of the name. An object without a name but with
// metadata.generateName gets a name of that prefix and five characters.
struct Create {
  Resource resource;
  std::string namespace_;
  std::string object;  // JSON
  WriteOptions options;

  friend bool operator==(const Create&, const Create&) = default;
};

// Replaces an object, or the part of it that a subresource is. If the JSON has a resource version
// that is no longer the object's, it fails with Conflict; without one it overwrites.
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
  kStrategic,  // Kubernetes' own; only of built-in kinds
  kApply,      // server-side apply: creates what is not there, needs a field manager
};

struct Patch {
  Resource resource;
  std::string namespace_;
  std::string name;
  std::string subresource;
  PatchType type = PatchType::kMerge;
  std::string body;        // JSON; of kApply also YAML
  bool is_forced = false;  // kApply: take fields over from other managers
  WriteOptions options;

  friend bool operator==(const Patch&, const Patch&) = default;
};

// What becomes of the objects that an object owns.
enum class Propagation : uint8_t {
  kBackground,  // deleted soon after
  kForeground,  // deleted first
  kOrphan,      // left, without this owner
};

struct DeleteOptions {
  // The object must be this one, in this version; otherwise Conflict.
  std::string uid;
  std::string resource_version;
  std::optional<Propagation> propagation;  // the kind's default if absent
  std::optional<int64_t> grace_period_seconds;
  bool is_dry_run = false;

  friend bool operator==(const DeleteOptions&, const DeleteOptions&) = default;
};

// An object with finalizers is only marked (metadata.deletionTimestamp) and goes with the last of
// them.
struct Delete {
  Resource resource;
  std::string namespace_;
  std::string name;
  DeleteOptions options;

  friend bool operator==(const Delete&, const Delete&) = default;
};

// As if each object of the selection were deleted; not atomic.
struct DeleteCollection {
  Resource resource;
  Selection selection;
  DeleteOptions options;

  friend bool operator==(const DeleteCollection&, const DeleteCollection&) = default;
};

// What can be asked with one answer.
using Call = std::variant<Get, List, Create, Update, Patch, Delete, DeleteCollection>;

// The answer, where there is one.
struct Reply {
  // Get, Create, Update, Patch: the object as it is now. Delete: as it was when it was marked or
  // removed.
  Object object;
  bool was_created = false;  // Create, and a Patch of kApply that made the object
  bool was_removed = false;  // Delete: nothing of it is left; otherwise it waits for finalizers

  // List, DeleteCollection.
  std::vector<Object> items;               // ordered by namespace, then name
  std::string resource_version;            // of the list: from here on a watch misses nothing
  std::string continue_token;              // "" if this was the last page
  std::optional<int64_t> remaining_items;  // after this page, where the server knows

  std::vector<std::string> warnings;  // for the person who made the request
};

// The changes to the objects of a selection, from a version on.
struct Watch {
  Resource resource;
  Selection selection;
  // Changes after this version; "" or "0" begins with what there is, as events of kind kAdded.
  std::string resource_version;
  VersionMatch version_match = VersionMatch::kUnset;
  bool allows_bookmarks = false;
  // Begin with what there is and say with a bookmark when that is done, see Event.
  bool sends_initial_events = false;
  std::optional<base::Duration> timeout;  // the server's choice if absent

  friend bool operator==(const Watch&, const Watch&) = default;
};

struct Event {
  enum class Kind : uint8_t {
    kAdded,     // now in the selection: created, or changed so that it is selected
    kModified,  // still in the selection
    kDeleted,   // no longer: removed, or changed; `object` is its last state, at the new version
    kBookmark,  // only object.resource_version counts: everything up to it was told
    kEnd,       // the server closed the watch in good order; watch again from the last version
  };
  Kind kind = Kind::kAdded;
  Object object;
  bool ends_initial_events = false;  // the bookmark after the objects that there were
};

}  // namespace berth::store
