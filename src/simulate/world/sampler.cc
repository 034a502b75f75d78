#include "simulate/world/sampler.h"

#include <utility>

namespace berth::simulate {

void Sampler::Take(base::Time now, const UsageMeter& meter, const std::vector<uint32_t>& pending) {
  constexpr size_t kMaxRows = 1024;
  Samples::Row& row = rows_.emplace_back();
  row.at = now;
  for (const UsageMeter::Slot& slot : meter.slots()) {
    row.used.push_back(static_cast<float>(slot.usage));
    row.nominal.push_back(slot.nominal.is_unlimited() ? -1
                                                      : static_cast<float>(slot.nominal.value()));
  }
  row.waiting = pending;
  next_ = now + interval_;
  if (rows_.size() < kMaxRows) return;
  for (size_t i = 0; i < kMaxRows / 2; ++i) rows_[i] = std::move(rows_[2 * i]);
  rows_.resize(kMaxRows / 2);
  interval_.nanos *= 2;
}

}  // namespace berth::simulate
