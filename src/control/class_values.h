#pragma once

// Which Workloads are to take over the value of their WorkloadPriorityClass: those that have
// another priority when the value changes, and when somebody begins to lead. After that a priority
// that is set by hand stays. What is finished keeps the priority it had.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "api/workload.h"
#include "jobs/priority.h"
#include "workload/engine_feed.h"

namespace berth::control {

class ClassValues {
 public:
  // A class has come or has another value; "": any of them may have.
  void Note(std::string_view class_name, const jobs::PriorityTable& priorities,
            const workload::EngineFeed& feed);
  void Forget(std::string_view workload);

  // What is to be the priority of a Workload, until it is; nullopt if that is nobody's business.
  std::optional<int32_t> For(const api::Workload& workload, const jobs::PriorityTable& priorities);

 private:
  // The priorities that Workloads are to give up, by namespaced name. One that has another by now
  // has got its class's value, or what somebody set after that.
  std::map<std::string, std::optional<int32_t>, std::less<>> outdated_;
};

}  // namespace berth::control
