#pragma once

#include "schema/encode.h"
#include "store/call.h"

namespace berth::store {

// The call that stores an object: a create if it has no resource version, otherwise an update of
// that version.
template <class T>
Call CreateOrUpdate(const T& object) {
  if (object.metadata.resource_version.empty())
    return Create{.resource = ResourceOf<T>(),
                  .namespace_ = object.metadata.namespace_,
                  .object = schema::Encode(object),
                  .options = {}};
  return Update{.resource = ResourceOf<T>(),
                .namespace_ = object.metadata.namespace_,
                .name = object.metadata.name,
                .object = schema::Encode(object),
                .options = {}};
}

}  // namespace berth::store
