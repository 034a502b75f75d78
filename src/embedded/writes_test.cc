// Counts the controllers' writes: bounded per job.

#include <chrono>
#include <thread>

#include "embedded/testing/live_test.h"
#include "embedded/testing/many_jobs.h"
#include "embedded/testing/write_counts.h"

namespace berth::embedded {
namespace {

using std::chrono::steady_clock;
using testing::WriteCounts;

constexpr int kJobs = 120;
constexpr int kAtOnce = 40;

// A cluster in which jobs were submitted at once, and all have finished.
class WritesOfControllers : public ::testing::Test {
 protected:
  WritesOfControllers() {
    Cluster::Options options;
    options.serves_https = false;
    api::ApplyConfigurationDefaults(options.configuration);
    options.nodes->run_time = base::Duration::Seconds(1);
    options.taps = writes_.Taps();
    auto cluster = Cluster::Start(std::move(options));
    EXPECT_TRUE(cluster.has_value());
    const auto begin = steady_clock::now();
    testing::ManyJobs client((*cluster)->store());
    client.MakeQueues(kAtOnce);
    client.Submit(kJobs);
    client.AwaitFinished(kJobs);
    while (!(*cluster)->IsQuiet()) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    seconds_ = std::chrono::duration<double>(steady_clock::now() - begin).count();
  }

  WriteCounts writes_;
  double seconds_ = 0;
};

TEST_F(WritesOfControllers, AreBoundedPerJob) {
  EXPECT_EQ(writes_.Of("create workloads"), kJobs);
  // Admitted, ready, finished; pending ones also get PodsReady=False and a pending reason.
  EXPECT_LE(writes_.Of("patch workloads/status"), 5 * kJobs);
  EXPECT_EQ(writes_.Of("patch workloads"), kJobs);  // removes the finalizer
  EXPECT_EQ(writes_.Of("patch jobs"), kJobs);
  EXPECT_EQ(writes_.Of("patch jobs/status"), 0u);
  // Workload created, pending; quota reserved, admitted; job started; finished.
  EXPECT_LE(writes_.Of("create events"), 7 * kJobs);
}

TEST_F(WritesOfControllers, OfTheStatusOfAQueueAreBoundedByTime) {
  // Some during creation of the queues, then a burst, then one per second.
  const double most = 16 + seconds_;
  EXPECT_LE(static_cast<double>(writes_.Of("patch clusterqueues/status")), most);
  EXPECT_LE(static_cast<double>(writes_.Of("patch localqueues/status")), most);
}

}  // namespace
}  // namespace berth::embedded
