#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "embedded/testing/live_cluster.h"
#include "store/call.h"
#include "store/failure.h"
#include "store/tapped_store.h"

namespace berth::embedded::testing {

// Denies the patches of controllers that contain a text, as an admission webhook does.
class DeniedWrites {
 public:
  explicit DeniedWrites(std::string text) : text_(std::move(text)) {}

  store::Taps Taps() {
    return {.deny = [this](const store::Call& call) { return FailureOf(call); },
            .on_call = nullptr,
            .on_event = nullptr};
  }

  // The time that passes until this many patches were denied. It is longer on a slow machine.
  base::Duration AwaitDenials(int denials, LiveCluster& cluster) const {
    base::Duration passed;
    cluster.Await(std::to_string(denials) + " denials", [&] {
      if (denials <= denials_) return true;
      cluster.Pass(base::Duration::Seconds(1));
      passed.nanos += base::Duration::Seconds(1).nanos;
      return false;
    });
    return passed;
  }

 private:
  std::optional<store::Failure> FailureOf(const store::Call& call) {
    const auto* patch = std::get_if<store::Patch>(&call);
    if (patch == nullptr || !patch->body.contains(text_)) return std::nullopt;
    ++denials_;
    return store::Forbidden(patch->resource, patch->name, "denied by a test");
  }

  std::string text_;
  std::atomic<int> denials_ = 0;
};

}  // namespace berth::embedded::testing
