#pragma once

#include <cstddef>

namespace berth::schema {

// Bounds what is reported about one text: it can have a million problems, and each path repeats the
// keys that it leads through, of any length.
class ReportLimit {
 public:
  bool is_reached() const { return count_ >= kMostReports || bytes_ >= kMostBytes; }
  void Count(size_t bytes) {
    ++count_;
    bytes_ += bytes;
  }

 private:
  static constexpr size_t kMostReports = 1000;
  static constexpr size_t kMostBytes = 1 << 20;

  size_t count_ = 0;
  size_t bytes_ = 0;
};

}  // namespace berth::schema
