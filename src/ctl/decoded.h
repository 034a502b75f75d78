#pragma once

#include <vector>

#include "ctl/cluster.h"

namespace berth::ctl {

// The objects as their type. An object that does not decode is an error that names it.
template <class T>
base::Result<std::vector<T>> Decoded(const std::vector<store::Object>& objects) {
  std::vector<T> decoded;
  decoded.reserve(objects.size());
  for (const store::Object& object : objects) {
    auto one = object.Decode<T>();
    if (!one)
      return base::Fail(object.key().ToString() + ": " + schema::ToString(one.error().front()));
    decoded.push_back(std::move(*one));
  }
  return decoded;
}

// All objects of a kind in the cluster.
template <class T>
base::Result<std::vector<T>> ListDecoded(Cluster& cluster) {
  const auto objects = cluster.List(store::ResourceOf<T>(), {});
  if (!objects) return std::unexpected(objects.error());
  return Decoded<T>(*objects);
}

}  // namespace berth::ctl
