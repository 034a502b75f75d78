#pragma once

// The system under a LiveCluster: API server, webhooks and controllers. The embedded cluster by
// default; a test program can substitute another one.

#include <functional>
#include <memory>

#include "base/error.h"
#include "base/time.h"
#include "embedded/cluster.h"
#include "store/store.h"

namespace berth::embedded::testing {

class TestEnvironment {
 public:
  TestEnvironment();
  virtual ~TestEnvironment();
  virtual store::Store& store() = 0;
  // As in Cluster.
  virtual bool IsQuiet() = 0;
  // Lets time pass: at once if the environment has a clock of its own.
  virtual void Pass(base::Duration duration) = 0;
  virtual base::Time Now() = 0;
};

using EnvironmentStarter =
    std::function<base::Result<std::unique_ptr<TestEnvironment>>(Cluster::Options)>;

// Used for all later tests of this program.
void UseEnvironment(EnvironmentStarter starter);
// Fails while another one runs: a real control plane is cleared for each.
base::Result<std::unique_ptr<TestEnvironment>> StartEnvironment(Cluster::Options options);

}  // namespace berth::embedded::testing
