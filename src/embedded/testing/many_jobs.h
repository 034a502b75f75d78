#pragma once

#include <cstddef>
#include <string>

#include "base/time.h"
#include "store/inbox.h"
#include "store/store.h"

namespace berth::embedded::testing {

// A client in the same process that submits many equal jobs, of one cpu each.
class ManyJobs {
 public:
  explicit ManyJobs(store::Store& store) : store_(store) {}

  // A flavor, the ClusterQueue "all" with so many cpus, and the LocalQueue "main".
  void MakeQueues(int cpus);
  void Submit(int count);
  // Until so many have ended.
  void AwaitEnds(size_t count);

 private:
  // Does not wait for the answer unless many are under way.
  void Create(const store::Resource& resource, std::string object);

  store::Store& store_;
  store::Inbox inbox_;
  int under_way_ = 0;
  int submitted_ = 0;
};

}  // namespace berth::embedded::testing
