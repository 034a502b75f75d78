#pragma once

// Which rows of a table changed, in order, for readers that keep what they computed from the table.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace berth::engine {

class ChangeLog {
 public:
  // Of a reader: everything before was read.
  using Position = uint64_t;
  static constexpr Position kNothingRead = ~Position{0};

  Position end() const { return begin_ + rows_.size(); }

  void Add(uint32_t row) {
    if (rows_.size() == kMostRows) {
      const auto half = static_cast<std::ptrdiff_t>(kMostRows / 2);
      rows_.erase(rows_.begin(), rows_.begin() + half);
      begin_ += kMostRows / 2;
    }
    rows_.push_back(row);
  }
  // All rows changed.
  void Clear() {
    begin_ = end() + 1;
    rows_.clear();
  }

  // The rows that changed since, some more than once. Nullopt if the log does not reach back so
  // far.
  std::optional<std::span<const uint32_t>> Since(Position position) const {
    if (position < begin_ || position > end()) return std::nullopt;
    return std::span(rows_).subspan(position - begin_);
  }

 private:
  static constexpr size_t kMostRows = 16'384;

  Position begin_ = 0;
  std::vector<uint32_t> rows_;
};

}  // namespace berth::engine
