#pragma once

#include <expected>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "schema/thread_decoder.h"

namespace berth::store {

// Identifies an object of a kind. The namespace of cluster-scoped objects is "".
struct ObjectName {
  std::string namespace_;
  std::string name;

  // "team-a/job", "job": for messages.
  std::string ToString() const;

  friend bool operator==(const ObjectName&, const ObjectName&) = default;
  friend auto operator<=>(const ObjectName&, const ObjectName&) = default;
};

// An object of any kind: its JSON and the metadata that every consumer needs. The text is immutable
// and shared, so copies are cheap and may cross threads. Decode where the type is known:
//
//   auto job = object.Decode<api::Job>();
struct Object {
  std::string namespace_;
  std::string name;
  std::string uid;
  // The version of the object, "" if it was never stored. Opaque: only compare it for equality or
  // return it to the server.
  std::string resource_version;
  std::shared_ptr<const std::string> json;  // null in a default-constructed object only

  // Extracts the metadata above from JSON. Fails if the text is not a JSON object, or if metadata
  // or one of these fields has the wrong type. The rest is not validated.
  static base::Result<Object> FromJson(std::string json);

  ObjectName key() const { return {.namespace_ = namespace_, .name = name}; }
  std::string_view text() const { return json ? std::string_view(*json) : std::string_view(); }

  template <class T>
  std::expected<T, schema::Problems> Decode() const {
    return schema::DecodeHere<T>(text());
  }
};

}  // namespace berth::store
