#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "api/kueue/workload.h"

namespace berth::control {

// An index of Workloads by the objects that own them, controllers or not.
class WorkloadOwners {
 public:
  // `name` is the namespaced name of the Workload.
  void OnUpsert(std::string_view name, const api::Workload& workload);
  void OnDelete(std::string_view name, const api::Workload& workload);

  // By the owner's uid.
  const std::set<std::string, std::less<>>& Of(std::string_view uid) const;

 private:
  std::map<std::string, std::set<std::string, std::less<>>, std::less<>> by_uid_;
};

}  // namespace berth::control
