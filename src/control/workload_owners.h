#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "api/workload.h"

namespace berth::control {

// Which Workloads an object owns, be it as their controller or one of several.
class WorkloadOwners {
 public:
  // `name`: the Workload's, with its namespace.
  void Learn(std::string_view name, const api::Workload& workload);
  void Forget(std::string_view name, const api::Workload& workload);

  // By the owner's uid.
  const std::set<std::string, std::less<>>& Of(std::string_view uid) const;

 private:
  std::map<std::string, std::set<std::string, std::less<>>, std::less<>> by_uid_;
};

}  // namespace berth::control
