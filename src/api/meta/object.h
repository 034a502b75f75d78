#pragma once

#include <memory>
#include <string>

#include "api/meta/meta.h"
#include "schema/describe.h"

namespace berth::api {

// An object of any kind known to Berth. Never empty, unless moved from.
class Object {
 public:
  // Creates a default-constructed object of the kind.
  explicit Object(const schema::Kind& kind);

  const schema::Kind& kind() const { return *kind_; }

  // Returns the object if it is of this kind, otherwise null.
  template <class T>
  const T* As() const {
    return kind_ == &T::KindInfo() ? static_cast<const T*>(value_.get()) : nullptr;
  }
  template <class T>
  T* As() {
    return kind_ == &T::KindInfo() ? static_cast<T*>(value_.get()) : nullptr;
  }

  // Null for kinds that are not stored, such as List, Status and Configuration.
  const ObjectMeta* metadata() const { return FindMetadata(); }
  ObjectMeta* metadata() { return FindMetadata(); }

  // The struct described by kind().structure().
  const void* value() const { return value_.get(); }
  void* value() { return value_.get(); }

  // Compact JSON with apiVersion and kind.
  std::string Encode() const;

  Object Clone() const;

 private:
  ObjectMeta* FindMetadata() const;

  const schema::Kind* kind_;
  std::unique_ptr<void, void (*)(void*)> value_;
};

}  // namespace berth::api
