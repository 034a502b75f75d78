#pragma once

// Workloads whose admission, or another decision, the API server rejects: invalid by its rules,
// denied by a webhook, or without permission. Attempts become rarer. The quota of an admission is
// free meanwhile.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time.h"

namespace berth::control {

class RejectedAdmissions {
 public:
  // Notes another rejection; one long after the last counts as the first. Returns the time of the
  // next attempt.
  base::Time Add(std::string_view workload, std::string why, base::Time now);
  // The Workload was admitted or deleted.
  void Remove(std::string_view workload);

  // Why the last attempt was rejected; "" if it was not.
  std::string_view WhyRejected(std::string_view workload) const;
  // The Workloads whose next attempt is after `now`, with its time.
  std::vector<std::pair<std::string, base::Time>> Waiting(base::Time now) const;
  // The earliest attempt after `now`; nullopt if there is none.
  std::optional<base::Time> NextAttempt(base::Time now) const;

 private:
  struct Rejected {
    int times = 0;
    std::string why;
    base::Time next_attempt;
  };
  std::map<std::string, Rejected, std::less<>> rejected_;  // by namespaced name
};

}  // namespace berth::control
