#pragma once

// The calls that change a ClusterState and its engine, as a recorder sees them. The same calls in
// the same order, on a ClusterState with the same options, lead to the same decisions.
// Pointers and texts are valid only during the callback.

#include <functional>
#include <string_view>
#include <variant>

#include "api/kueue/workload.h"
#include "api/meta/object.h"
#include "base/time.h"
#include "schema/describe.h"

namespace berth::workload {

// An object of any kind but Workload was created or replaced.
struct ObjectApplied {
  const api::Object* object = nullptr;
};

struct WorkloadApplied {
  const api::Workload* workload = nullptr;
  const api::Workload* before = nullptr;  // null: it is new
};

struct ObjectDeleted {
  const schema::Kind* kind = nullptr;
  std::string_view namespace_;
  std::string_view name;
};

struct Synced {
  base::Time now;
};

// Expired back-offs ended.
struct Advanced {
  base::Time now;
};

// A reservation was reverted.
struct Undone {
  std::string_view uid;
};

struct BackedOff {
  std::string_view uid;
  base::Time until;
};

using StateCall = std::variant<ObjectApplied, WorkloadApplied, ObjectDeleted, Synced, Advanced,
                               Undone, BackedOff>;

// Called before the call takes effect.
using RecordCall = std::function<void(const StateCall&)>;

}  // namespace berth::workload
