#pragma once

#include <expected>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "schema/thread_decoder.h"

namespace berth::store {

// What tells the objects of one kind apart. The namespace of cluster-wide objects is "".
struct ObjectName {
  std::string namespace_;
  std::string name;

  // "team-a/job", "job": for messages.
  std::string ToString() const;

  friend bool operator==(const ObjectName&, const ObjectName&) = default;
  friend auto operator<=>(const ObjectName&, const ObjectName&) = default;
};

// An object as it travels: its JSON, and beside it what everybody asks for. The text never changes
// and is shared, so copies are cheap and may go to other threads. Typed reading happens at the
// edge, where the type is known:
//
//   auto job = object.Decode<api::Job>();
struct Object {
  std::string namespace_;
  std::string name;
  std::string uid;
  // The version of the object, "" if it was never stored. Opaque: to be compared for equality, and
  // handed back, and nothing else.
  std::string resource_version;
  std::shared_ptr<const std::string> json;  // null in a default-constructed object only

  // Pulls the names out of an object's JSON. Fails if the text is not a JSON object, or if
  // metadata or one of the names in it has the wrong type. The rest is not looked at.
  static base::Result<Object> FromJson(std::string json);

  ObjectName key() const { return {.namespace_ = namespace_, .name = name}; }
  std::string_view text() const { return json ? std::string_view(*json) : std::string_view(); }

  template <class T>
  std::expected<T, schema::Problems> Decode() const {
    return schema::DecodeHere<T>(text());
  }
};

}  // namespace berth::store
