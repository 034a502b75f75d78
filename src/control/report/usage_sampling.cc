#include "control/report/usage_sampling.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace berth::control {
namespace {

constexpr double kNanosInUnit = 1e9;
// Larger amounts are rounded to whole units: nano-units would overflow.
constexpr double kMostInNanos = 1e9;

quantity::Quantity AsQuantity(double amount) {
  if (amount >= kMostInNanos) return quantity::Quantity::FromInt(std::llround(amount));
  const long long nanos = std::llround(amount * kNanosInUnit);
  return quantity::Quantity::Parse(std::to_string(nanos) + "n").value_or(quantity::Quantity());
}

// The weight of current usage after this time.
double WeightOfNew(base::Duration elapsed, base::Duration half_life) {
  const double halves = static_cast<double>(elapsed.nanos) / static_cast<double>(half_life.nanos);
  return 1 - std::pow(0.5, std::max(halves, 0.0));
}

}  // namespace

UsageSample SampleUsage(const std::optional<api::AdmissionFairSharingStatus>& before,
                        const std::map<std::string, double>& used, const UsageSampling& sampling,
                        base::Time now) {
  if (!before || !before->last_update) {
    UsageSample first{.status = before.value_or(api::AdmissionFairSharingStatus()),
                      .next = now + sampling.interval};
    first.status.last_update = now;
    return first;
  }
  if (now < *before->last_update + sampling.interval)
    return {.status = *before, .next = *before->last_update + sampling.interval};
  UsageSample sample{.status = *before, .next = now + sampling.interval};
  sample.status.last_update = now;
  sample.status.consumed_resources = {};
  if (sampling.half_life.nanos == 0) return sample;
  const double share = WeightOfNew(now - *before->last_update, sampling.half_life);
  std::set<std::string> resources;
  for (const auto& [resource, amount] : before->consumed_resources) resources.insert(resource);
  for (const auto& [resource, amount] : used) resources.insert(resource);
  for (const std::string& resource : resources) {
    const quantity::Quantity* old = before->consumed_resources.Find(resource);
    const auto current = used.find(resource);
    const double consumed = (old == nullptr ? 0 : old->ToDouble()) * (1 - share) +
                            (current == used.end() ? 0 : current->second) * share;
    sample.status.consumed_resources.Set(resource, AsQuantity(consumed));
  }
  return sample;
}

}  // namespace berth::control
