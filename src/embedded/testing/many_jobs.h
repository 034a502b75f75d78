#pragma once

#include <cstddef>
#include <string>

#include "base/time.h"
#include "store/inbox.h"
#include "store/store.h"

namespace berth::embedded::testing {

// A client in the same process that submits many identical jobs of one cpu each.
class ManyJobs {
 public:
  explicit ManyJobs(store::Store& store) : store_(store) {}

  // Creates a flavor, the ClusterQueue "all" with `cpus`, and the LocalQueue "main".
  void MakeQueues(int cpus);
  void Submit(int count);
  // Waits until `count` jobs have finished.
  void AwaitFinished(size_t count);

 private:
  // Waits for replies only when many are outstanding.
  void Create(const store::Resource& resource, std::string object);

  store::Store& store_;
  store::Inbox inbox_;
  int outstanding_ = 0;
  int submitted_ = 0;
};

}  // namespace berth::embedded::testing
