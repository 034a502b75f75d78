#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "api/core/pod_spec.h"
#include "api/core/resource_requirements.h"
#include "api/kueue/pod_set.h"
#include "base/flat_map.h"
#include "quantity/quantity.h"
#include "schema/decode.h"

namespace berth::workload::testing {

using Texts = base::FlatMap<std::string>;

inline api::ResourceList Amounts(
    std::initializer_list<std::pair<std::string_view, std::string_view>> entries) {
  api::ResourceList list;
  for (const auto& [name, text] : entries) {
    list.Set(name, quantity::Quantity::Parse(text).value());
  }
  return list;
}

inline Texts TextsOf(const api::ResourceList& list) {
  Texts texts;
  for (const auto& [name, quantity] : list) texts.Set(name, quantity.ToString());
  return texts;
}

inline api::PodSpec Pod(std::string_view json) {
  return schema::Decode<api::PodSpec>(json, {.is_strict = true}).value();
}

// A pod with one container and these requests.
inline api::PodSpec PodAsking(api::ResourceList requests) {
  api::PodSpec pod;
  pod.containers.emplace_back().resources.requests = std::move(requests);
  return pod;
}

inline api::PodSet PodSetOf(std::string name, int32_t count, api::PodSpec pod) {
  api::PodSet pod_set;
  pod_set.name = std::move(name);
  pod_set.count = count;
  pod_set.template_.spec = std::move(pod);
  return pod_set;
}

}  // namespace berth::workload::testing
