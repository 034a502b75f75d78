#pragma once

// What a LiveCluster stands on: an API server, the webhooks and the controllers. Usually the
// embedded cluster. A program may put another one beneath the same tests.

#include <functional>
#include <memory>

#include "base/error.h"
#include "embedded/cluster.h"
#include "store/store.h"

namespace berth::embedded::testing {

class Ground {
 public:
  virtual ~Ground() = default;
  virtual store::Store& store() = 0;
  // As in Cluster.
  virtual bool IsQuiet() = 0;
};

using GroundStarter = std::function<base::Result<std::unique_ptr<Ground>>(Cluster::Options)>;

// What is started from now on, by all tests of this program.
void StandOn(GroundStarter starter);
base::Result<std::unique_ptr<Ground>> StartGround(Cluster::Options options);

}  // namespace berth::embedded::testing
