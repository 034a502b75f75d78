#include "engine/quota/usage_ledger.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

#include "quantity/resource_amount.h"

namespace berth::engine {
namespace {

using base::Int128;

constexpr int32_t kNanoDigits = 9;

Int128 PowerOfTen(int32_t exponent) {
  Int128 power = 1;
  for (int32_t i = 0; i < exponent; ++i) power *= 10;
  return power;
}

// The fraction of a constant usage that one sampling interval adds to the decayed usage.
double Alpha(const AdmissionFairSharing& options) {
  if (options.half_life.nanos == 0) return 0;
  return 1 - std::pow(0.5, options.sampling_interval.seconds() / options.half_life.seconds());
}

}  // namespace

DecimalFactor ToDecimal(double number) {
  std::array<char, 64> text;
  const auto end =
      std::to_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed).ptr;
  DecimalFactor factor;
  bool is_fraction = false;
  for (const char* c = text.data(); c != end; ++c) {
    if (*c == '.') {
      is_fraction = true;
    } else if (*c >= '0' && *c <= '9' && factor.digits < 100'000'000'000'000'000) {
      factor.digits = factor.digits * 10 + (*c - '0');
      factor.scale += is_fraction ? 1 : 0;
    }
  }
  return factor;
}

UsageLedger::UsageLedger(const AdmissionFairSharing& options, const QuotaForest& forest)
    : options_(options), forest_(forest), alpha_(ToDecimal(Alpha(options))) {}

UsageLedger::Account& UsageLedger::AccountOf(LocalQueueId queue) {
  if (queue.index() >= accounts_.size()) accounts_.resize(queue.index() + 1);
  return accounts_[queue.index()];
}

void UsageLedger::SetConsumed(LocalQueueId queue, double weight,
                              std::span<const ConsumedResource> consumed) {
  Account& account = AccountOf(queue);
  account.weight = weight;
  account.consumed.assign(consumed.begin(), consumed.end());
  has_changed_ = true;
}

void UsageLedger::AddPenalty(LocalQueueId queue, WorkloadId workload,
                             std::span<const Request> requests) {
  RemovePenalty(queue, workload);
  for (const Request& request : requests)
    AccountOf(queue).penalties.push_back({workload, request.resource, PenaltyNanos(request)});
  has_changed_ = true;
}

void UsageLedger::RemovePenalty(LocalQueueId queue, WorkloadId workload) {
  const size_t removed = std::erase_if(AccountOf(queue).penalties,
                                       [&](const Penalty& p) { return p.workload == workload; });
  if (removed > 0) has_changed_ = true;
}

Int128 UsageLedger::PenaltyNanos(const Request& request) const {
  const bool is_milli = quantity::CountsInMilli(forest_.ResourceName(request.resource));
  const int32_t unit_digits = is_milli ? kNanoDigits - 3 : kNanoDigits;
  const Int128 product = static_cast<Int128>(request.amount) * alpha_.digits;
  return alpha_.scale >= unit_digits ? product / PowerOfTen(alpha_.scale - unit_digits)
                                     : product * PowerOfTen(unit_digits - alpha_.scale);
}

double UsageLedger::WeightOf(ResourceId resource) const {
  auto it = std::ranges::find(options_.resource_weights, forest_.ResourceName(resource),
                              &ResourceWeight::resource);
  return it == options_.resource_weights.end() ? 1 : it->weight;
}

double UsageLedger::UsageOf(const Account& account) const {
  if (account.weight <= 0) return std::numeric_limits<double>::infinity();
  std::vector<ConsumedResource> total = account.consumed;
  for (const Penalty& penalty : account.penalties) {
    auto it = std::ranges::find(total, penalty.resource, &ConsumedResource::resource);
    if (it == total.end()) {
      total.push_back({penalty.resource, penalty.nanos});
    } else {
      it->nanos += penalty.nanos;
    }
  }
  // In a fixed order, because sums of doubles depend on it.
  std::ranges::sort(total, {}, [&](const ConsumedResource& r) -> const std::string& {
    return forest_.ResourceName(r.resource);
  });
  double usage = 0;
  for (const ConsumedResource& r : total)
    usage += WeightOf(r.resource) * (static_cast<double>(r.nanos) * 1e-9);
  return usage / account.weight;
}

void UsageLedger::Fill(std::vector<double>& usage, size_t count) const {
  usage.assign(count, 0);
  for (size_t i = 0; i < count && i < accounts_.size(); ++i) usage[i] = UsageOf(accounts_[i]);
}

}  // namespace berth::engine
