#pragma once

#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "store/call.h"

namespace berth::embedded::testing {

// How often what was written: "create workloads", "patch workloads/status". Any thread may ask and
// tell.
class WriteCounts {
 public:
  using Counts = std::map<std::string, size_t, std::less<>>;

  // Reads do not count.
  void Note(const store::Call& call);

  Counts all() const;
  size_t Of(std::string_view write) const;

 private:
  mutable std::mutex mutex_;
  Counts counts_;
};

}  // namespace berth::embedded::testing
