#pragma once

#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "store/call.h"
#include "store/tapped_store.h"

namespace berth::embedded::testing {

// Counts writes: "create workloads", "patch workloads/status". Thread-safe.
class WriteCounts {
 public:
  using Counts = std::map<std::string, size_t, std::less<>>;

  // Count what passes. Reads are not counted.
  store::Taps Taps();

  Counts all() const;
  size_t Of(std::string_view write) const;

 private:
  void Count(const store::Call& call);

  mutable std::mutex mutex_;
  Counts counts_;
};

}  // namespace berth::embedded::testing
