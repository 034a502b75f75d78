#pragma once

// Batches updates of objects that many workloads depend on: flavors, cohorts, checks, topologies,
// and ClusterQueues whose quota is raised. Each of them requeues all inadmissible workloads of a
// tree, so a burst of updates takes effect once per interval: the first at once, the rest together
// at the end. Creations and deletions are never held, nor is a change that takes quota back or
// stops a queue.

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/time.h"
#include "schema/describe.h"
#include "store/object.h"
#include "store/reflector.h"

namespace berth::control {

class ChangeBatch {
 public:
  static constexpr base::Duration kInterval = base::Duration::Seconds(1);

  struct Held {
    const schema::Kind* kind = nullptr;
    store::ObjectName name;
    store::Object before;  // the state that took effect last
  };

  // Whether the change must wait. If so, it is part of the batch that TakeDue returns.
  bool Hold(const schema::Kind& kind, const store::Change& change, base::Time now);
  // The held objects, if the interval is over. Their newest states take effect now.
  std::vector<Held> TakeDue(base::Time now);

  bool empty() const { return held_.empty(); }
  // The end of the interval.
  base::Time due() const { return due_; }

 private:
  using Key = std::pair<const schema::Kind*, store::ObjectName>;

  std::map<Key, store::Object> held_;  // with the state that took effect last
  base::Time due_;
};

}  // namespace berth::control
