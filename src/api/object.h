#pragma once

#include <memory>
#include <string>

#include "api/meta.h"
#include "schema/describe.h"

namespace berth::api {

// An object of one of the kinds that Berth knows, whichever it is. Never empty, except after it was
// moved from.
class Object {
 public:
  // A default-constructed object of the kind.
  explicit Object(const schema::Kind& kind);

  const schema::Kind& kind() const { return *kind_; }

  // The object if it is of this kind, otherwise null.
  template <class T>
  const T* As() const {
    return kind_ == &T::KindInfo() ? static_cast<const T*>(value_.get()) : nullptr;
  }
  template <class T>
  T* As() {
    return kind_ == &T::KindInfo() ? static_cast<T*>(value_.get()) : nullptr;
  }

  // Null for kinds that are no stored objects: List, Status, the Configuration and the like.
  const ObjectMeta* metadata() const;

  // The struct that kind().structure() describes.
  const void* value() const { return value_.get(); }
  void* value() { return value_.get(); }

  // Compact JSON with apiVersion and kind.
  std::string Encode() const;

  Object Clone() const;

 private:
  const schema::Kind* kind_;
  std::unique_ptr<void, void (*)(void*)> value_;
};

}  // namespace berth::api
