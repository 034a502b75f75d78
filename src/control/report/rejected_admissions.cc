#include "control/report/rejected_admissions.h"

#include <utility>

#include "control/rate_limit.h"

namespace berth::control {
namespace {

constexpr base::Duration kFirstPause = base::Duration::Seconds(5);
constexpr base::Duration kLongestPause = base::Duration::Seconds(300);

}  // namespace

base::Time RejectedAdmissions::Add(std::string_view workload, std::string why, base::Time now) {
  Rejected& rejected = rejected_.try_emplace(std::string(workload)).first->second;
  if (rejected.next_attempt + kLongestPause < now) rejected.times = 0;
  rejected.why = std::move(why);
  rejected.next_attempt = now + DoublingBackOff(kFirstPause, ++rejected.times, kLongestPause);
  return rejected.next_attempt;
}

void RejectedAdmissions::Remove(std::string_view workload) {
  if (const auto found = rejected_.find(workload); found != rejected_.end()) rejected_.erase(found);
}

std::string_view RejectedAdmissions::WhyRejected(std::string_view workload) const {
  const auto found = rejected_.find(workload);
  return found == rejected_.end() ? std::string_view() : std::string_view(found->second.why);
}

std::vector<std::pair<std::string, base::Time>> RejectedAdmissions::Waiting(base::Time now) const {
  std::vector<std::pair<std::string, base::Time>> waiting;
  for (const auto& [workload, rejected] : rejected_)
    if (now < rejected.next_attempt) waiting.emplace_back(workload, rejected.next_attempt);
  return waiting;
}

std::optional<base::Time> RejectedAdmissions::NextAttempt(base::Time now) const {
  std::optional<base::Time> next;
  for (const auto& [workload, at] : Waiting(now))
    if (!next || at < *next) next = at;
  return next;
}

}  // namespace berth::control
