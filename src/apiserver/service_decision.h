#pragma once

#include <cstdint>

#include "apiserver/service_request.h"
#include "apiserver/storage.h"
#include "store/call.h"

namespace berth::apiserver {

// What a write comes to on the state that it found.
struct WriteDecision {
  enum class Kind : uint8_t {
    kNothing,  // the object stays as it is
    kStore,
    kRemove,
  };
  Kind kind = Kind::kNothing;
  bool is_dry_run = false;
  bool is_creation = false;
  Proposal proposal;
  Item unchanged;  // kNothing: what is there

  // The answer's object where nothing is stored. A dry run has no version to show but the old one.
  Item Preview() const;
  // Without the proposal, which is gone when the answer is made.
  WriteDecision Summary() const {
    return {.kind = kind, .is_dry_run = is_dry_run, .is_creation = is_creation};
  }
};

store::Reply ReplyTo(const ServiceRequest& request, const WriteDecision& decision,
                     const Item& item);

}  // namespace berth::apiserver
