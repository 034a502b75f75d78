#include "engine/topology/amount_table.h"

#include <algorithm>
#include <limits>

namespace berth::engine {
namespace {

constexpr base::Int128 kLeast = std::numeric_limits<int64_t>::min();
constexpr base::Int128 kMost = std::numeric_limits<int64_t>::max();

}  // namespace

void AmountTable::Add(size_t row, size_t column, base::Int128 amount) {
  const size_t cell = row * columns_ + column;
  const auto known = beyond_.find(cell);
  const base::Int128 sum = (known == beyond_.end() ? amounts_[cell] : known->second) + amount;
  amounts_[cell] = static_cast<int64_t>(std::clamp(sum, kLeast, kMost));
  if (sum != amounts_[cell])
    beyond_[cell] = sum;
  else if (known != beyond_.end())
    beyond_.erase(known);
}

void AmountTable::AddColumn() {
  const size_t wider = columns_ + 1;
  std::vector<int64_t> amounts(rows() * wider);
  for (size_t i = 0; i < amounts_.size(); ++i)
    amounts[i / columns_ * wider + i % columns_] = amounts_[i];
  std::map<size_t, base::Int128> beyond;
  for (const auto& [cell, sum] : beyond_) beyond[cell / columns_ * wider + cell % columns_] = sum;
  amounts_ = std::move(amounts);
  beyond_ = std::move(beyond);
  columns_ = wider;
}

void AmountTable::Clear() {
  std::ranges::fill(amounts_, 0);
  beyond_.clear();
}

}  // namespace berth::engine
