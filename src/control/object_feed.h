#pragma once

// Delivers all objects except Workloads and jobs to the handlers of their kinds: runs the watches,
// decodes changes, and batches those that requeue many workloads (change_batch.h). Nodes and pods
// are watched for placement alone (placement_watches.h).

#include <functional>
#include <string_view>

#include "api/kueue/workload.h"
#include "control/change_batch.h"
#include "control/deadline_timer.h"
#include "control/kind_watches.h"
#include "control/placement/placement_watches.h"
#include "schema/describe.h"
#include "store/executor.h"
#include "store/object.h"
#include "workload/state/object_handlers.h"

namespace berth::control {

// Everything runs on the executor.
class ObjectFeed {
 public:
  struct Hooks {
    std::function<void()> on_change;  // handlers have run
    std::function<void(std::string_view)> log;
  };

  // The executor and the watches must outlive this.
  ObjectFeed(store::Executor& executor, KindWatches& watches, Hooks hooks);

  workload::ObjectHandlers& handlers() { return handlers_; }
  // Watches the kinds with handlers. `places_pods`: nodes and pods too, once a flavor has a
  // topology or a Workload a place.
  void Watch(bool places_pods);
  void OnWorkload(const api::Workload& workload);
  // An object was written to the API server. Watches may have reported later states already.
  void OnWritten(const schema::Kind& kind, const store::Object& written);

  // No change is held back.
  bool is_idle() const { return batch_.empty(); }

 private:
  void OnChange(const schema::Kind& kind, const store::Change& change);
  void Upsert(const schema::Kind& kind, const store::Object* before, const store::Object& after);
  // Applies the batched changes that are due.
  void ApplyBatch();

  store::Executor& executor_;
  KindWatches& watches_;
  Hooks hooks_;
  workload::ObjectHandlers handlers_;
  PlacementWatches placement_watches_;
  bool places_pods_ = false;
  ChangeBatch batch_;
  DeadlineTimer batch_timer_;
};

}  // namespace berth::control
