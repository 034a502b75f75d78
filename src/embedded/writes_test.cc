// What the controllers ask of the API server, counted: so much for a job, however many there are.

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

// A cluster in which jobs were submitted at once, and have all ended.
class WritesOfControllers : public ::testing::Test {
 protected:
  WritesOfControllers() {
    Cluster::Options options;
    options.serves_https = false;
    api::ApplyConfigurationDefaults(options.configuration);
    options.nodes->run_time = base::Duration::Seconds(1);
    options.on_call = [this](const store::Call& call) { writes_.Note(call); };
    auto cluster = Cluster::Start(std::move(options));
    EXPECT_TRUE(cluster.has_value());
    const auto begin = steady_clock::now();
    testing::ManyJobs client((*cluster)->store());
    client.MakeQueues(kAtOnce);
    client.Submit(kJobs);
    client.AwaitEnds(kJobs);
    while (!(*cluster)->IsQuiet()) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    seconds_ = std::chrono::duration<double>(steady_clock::now() - begin).count();
  }

  WriteCounts writes_;
  double seconds_ = 0;
};

TEST_F(WritesOfControllers, AreAFewForEachJob) {
  EXPECT_EQ(writes_.Of("create workloads"), kJobs);
  // Admitted, ready, finished; those that have to wait say before that their pods do not run, and
  // why they wait when they are looked at.
  EXPECT_LE(writes_.Of("patch workloads/status"), 5 * kJobs);
  EXPECT_EQ(writes_.Of("patch workloads"), kJobs);  // the finalizer goes
  EXPECT_EQ(writes_.Of("patch jobs"), kJobs);
  EXPECT_EQ(writes_.Of("patch jobs/status"), 0u);
  // The Workload was made, it waits; quota, admitted; the job started; it finished.
  EXPECT_LE(writes_.Of("create events"), 7 * kJobs);
}

TEST_F(WritesOfControllers, OfTheStatusOfAQueueAreBoundedByTime) {
  // Some while the queues come into being, then a few in a row, then one a second.
  const double most = 16 + seconds_;
  EXPECT_LE(static_cast<double>(writes_.Of("patch clusterqueues/status")), most);
  EXPECT_LE(static_cast<double>(writes_.Of("patch localqueues/status")), most);
}

}  // namespace
}  // namespace berth::embedded
