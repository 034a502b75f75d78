#pragma once

// The system under a LiveCluster: API server, webhooks and controllers. The embedded cluster by
// default; a test program can substitute another one.

#include <functional>
#include <memory>

#include "base/error.h"
#include "embedded/cluster.h"
#include "store/store.h"

namespace berth::embedded::testing {

class TestEnvironment {
 public:
  virtual ~TestEnvironment() = default;
  virtual store::Store& store() = 0;
  // As in Cluster.
  virtual bool IsQuiet() = 0;
};

using EnvironmentStarter =
    std::function<base::Result<std::unique_ptr<TestEnvironment>>(Cluster::Options)>;

// Used for all later tests of this program.
void UseEnvironment(EnvironmentStarter starter);
base::Result<std::unique_ptr<TestEnvironment>> StartEnvironment(Cluster::Options options);

}  // namespace berth::embedded::testing
