#pragma once

// Why shapes do not fit, for the workloads that were not looked at because an equal one had just
// been found not to fit: they wait for the same reason.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "api/workload.h"
#include "control/scheduler.h"
#include "engine/ids.h"
#include "engine/spec.h"
#include "workload/engine_feed.h"

namespace berth::control {

class Refusals {
 public:
  // A decision of the last cycle.
  void Learn(const WorkloadChange& change, const workload::EngineFeed& feed);
  // It is gone: nobody waits for its reason any more.
  void Forget(std::string_view workload);

  // What is to be said of a workload that waits, if it waits for an equal one and says something
  // else so far, or says it of its spec as it was before. One that says nothing has never been
  // looked at, and goes on saying nothing. People are told, and requests are counted, only of one
  // that `has_just_joined` the line. Only good when a cycle has just found nothing more to do.
  std::optional<WorkloadChange> For(const api::Workload& workload, const workload::EngineFeed& feed,
                                    bool has_just_joined) const;

 private:
  using Key = std::pair<engine::NodeId, engine::EquivalenceKey>;
  static std::optional<Key> KeyOf(engine::WorkloadId id, const workload::EngineFeed& feed);

  std::map<Key, WorkloadChange> refusals_;
  std::map<std::string, Key, std::less<>> keys_;  // of those, by workload
};

}  // namespace berth::control
