#pragma once

#include <cstdint>

#include "apiserver/handler/request.h"
#include "apiserver/storage/storage.h"
#include "store/call.h"

namespace berth::apiserver {

// The outcome of a write on the current state of the object.
struct WriteDecision {
  enum class Kind : uint8_t {
    kNothing,  // the object is unchanged
    kStore,
    kRemove,
  };
  Kind kind = Kind::kNothing;
  bool is_dry_run = false;
  bool is_creation = false;
  Proposal proposal;
  Item unchanged;  // kNothing: the current object

  // The object to answer with when nothing is stored. A dry run keeps the old resourceVersion.
  Item Preview() const;
  // Without the proposal, which is moved out before the answer.
  WriteDecision Summary() const {
    return {.kind = kind, .is_dry_run = is_dry_run, .is_creation = is_creation};
  }
};

store::Reply ReplyTo(const HandlerRequest& request, const WriteDecision& decision,
                     const Item& item);

}  // namespace berth::apiserver
