#pragma once

// Sums of amounts in a flat array of row × column.
//
// Every sum is exact, whatever is added and subtracted in whatever order: one beyond int64 is kept
// aside, and reads as the limit. So nodes and workloads with absurd numbers leave nothing behind
// when they go.

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "base/int128.h"

namespace berth::engine {

class AmountTable {
 public:
  explicit AmountTable(size_t columns) : columns_(columns) {}

  size_t columns() const { return columns_; }
  size_t rows() const { return amounts_.size() / columns_; }
  // New rows are zero.
  void GrowTo(size_t rows) {
    if (rows > this->rows()) amounts_.resize(rows * columns_);
  }
  // Precondition: the row exists.
  const int64_t* Row(size_t row) const { return amounts_.data() + row * columns_; }
  void Add(size_t row, size_t column, base::Int128 amount);
  // The new column is zero.
  void AddColumn();
  void Clear();

 private:
  size_t columns_;
  std::vector<int64_t> amounts_;
  std::map<size_t, base::Int128> beyond_;  // sums that int64 cannot hold, by cell
};

}  // namespace berth::engine
