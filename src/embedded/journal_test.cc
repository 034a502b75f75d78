// Journals of a whole cluster: what its controllers decided, an engine of its own decides again.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <chrono>
#include <csignal>
#include <iterator>
#include <mutex>
#include <thread>

#include "api/batch/job.h"
#include "api/kueue/cluster_queue.h"
#include "api/kueue/local_queue.h"
#include "api/kueue/resource_flavor.h"
#include "api/kueue/workload_priority_class.h"
#include "base/check.h"
#include "base/random.h"
#include "embedded/cluster.h"
#include "embedded/testing/many_jobs.h"
#include "http/testing/directory.h"
#include "journal/reader.h"
#include "journal/replay.h"
#include "journal/segment.h"
#include "store/wait_for.h"

namespace berth::embedded {
namespace {

using ::testing::HasSubstr;

constexpr int kJobs = 50;

journal::ReplayResult ReplayOf(const std::filesystem::path& path) {
  auto reader = journal::Reader::Open(path);
  CHECK(reader.has_value());
  journal::Replay replay;
  while (const auto record = reader->Next()) replay.Add(*record);
  EXPECT_TRUE(reader->damages().empty()) << reader->damages().front();
  return replay.result();
}

std::string ToString(const journal::Difference& difference) {
  const auto text = [](const std::optional<journal::Decision>& decision) {
    return decision ? decision->workload + " " + Describe(*decision) : "nothing";
  };
  return "cycle " + std::to_string(difference.cycle) + ": " + text(difference.recorded) +
         "\nreplayed: " + text(difference.replayed);
}

void ExpectSame(const journal::ReplayResult& result) {
  EXPECT_EQ(result.differing_cycles, 0u)
      << (result.first ? ToString(*result.first) : std::string());
  EXPECT_EQ(result.problem_count, 0u) << (result.problems.empty() ? "" : result.problems.front());
}

std::unique_ptr<Cluster> StartCluster(journal::Settings settings,
                                      std::function<void(std::string_view)> log) {
  Cluster::Options options;
  options.serves_https = false;
  options.journal = std::move(settings);
  options.log = std::move(log);
  api::ApplyConfigurationDefaults(options.configuration);
  options.nodes->run_time = base::Duration::Milliseconds(100);
  auto cluster = Cluster::Start(std::move(options));
  CHECK(cluster.has_value());
  return std::move(*cluster);
}

void RunJobs(Cluster& cluster) {
  testing::ManyJobs client(cluster.store());
  client.MakeQueues(7);
  client.Submit(kJobs);
  client.AwaitFinished(kJobs);
}

TEST(EmbeddedJournal, ReplaysWithTheSameDecisions) {
  const http::testing::Directory folder;
  {
    const auto cluster = StartCluster({.directory = folder.path()}, [](std::string_view) {});
    RunJobs(*cluster);
  }
  const journal::ReplayResult result = ReplayOf(folder.path());
  ExpectSame(result);
  EXPECT_GE(result.decisions, static_cast<size_t>(kJobs));
}

TEST(EmbeddedJournal, ReplaysAcrossItsSegments) {
  const http::testing::Directory folder;
  RunJobs(
      *StartCluster({.directory = folder.path(), .most_bytes = 400'000}, [](std::string_view) {}));
  EXPECT_GE(journal::ListSegments(folder.path())->size(), 2u);
  const journal::ReplayResult result = ReplayOf(folder.path());
  EXPECT_FALSE(result.begins_in_the_middle);
  ExpectSame(result);
}

// --- Random runs ---------------------------------------------------------------------------------

// Queues of a cohort that preempt, flavors, priorities, changes of quota and deletions.
class RandomClient {
 public:
  RandomClient(store::Store& store, uint64_t seed) : store_(store), random_(seed) {}

  void MakeQueues() {
    Create<api::ResourceFlavor>(R"({"metadata":{"name":"spot"}})");
    Create<api::ResourceFlavor>(R"({"metadata":{"name":"reserved"}})");
    for (const char* name : {"low", "middle", "high"})
      Create<api::WorkloadPriorityClass>(R"({"metadata":{"name":")" + std::string(name) +
                                         R"("},"value":)" + std::to_string(random_.Below(100)) +
                                         "}");
    for (const char* name : kQueues) {
      Create<api::ClusterQueue>(
          R"({"metadata":{"name":")" + std::string(name) +
          R"("},"spec":{"cohortName":"all","namespaceSelector":{},"preemption":{)"
          R"("reclaimWithinCohort":"Any","withinClusterQueue":"LowerPriority"},)" +
          Quota() + "}}");
      Create<api::LocalQueue>(R"({"metadata":{"name":")" + std::string(name) +
                              R"("},"spec":{"clusterQueue":")" + name + R"("}})");
    }
  }

  void Step() {
    const uint64_t dice = random_.Below(20);
    if (dice == 0) {
      Do(store::Patch{.resource = store::ResourceOf<api::ClusterQueue>(),
                      .namespace_ = "",
                      .name = AnyQueue(),
                      .subresource = "",
                      .body = R"({"spec":{)" + Quota() + "}}",
                      .options = {}});
    } else if (dice == 1 && jobs_ > 0) {
      Do(store::Delete{.resource = store::ResourceOf<api::Job>(),
                       .namespace_ = "default",
                       .name = "job-" + std::to_string(random_.Below(jobs_)),
                       .options = {}});
    } else {
      Create<api::Job>(NextJob());
    }
  }

 private:
  static constexpr const char* kQueues[] = {"north", "south", "west"};

  std::string AnyQueue() { return kQueues[random_.Below(std::size(kQueues))]; }
  std::string Quota() {
    const auto flavor = [&](const std::string& name) {
      return R"({"name":")" + name + R"(","resources":[{"name":"cpu","nominalQuota":")" +
             std::to_string(random_.Below(5)) + R"("}]})";
    };
    return R"("resourceGroups":[{"coveredResources":["cpu"],"flavors":[)" + flavor("spot") + "," +
           flavor("reserved") + "]}]";
  }
  std::string NextJob() {
    constexpr const char* kClasses[] = {"low", "middle", "high"};
    return R"({"metadata":{"name":"job-)" + std::to_string(jobs_++) +
           R"(","labels":{"kueue.x-k8s.io/queue-name":")" + AnyQueue() +
           R"(","kueue.x-k8s.io/priority-class":")" + kClasses[random_.Below(3)] +
           R"("},"annotations":{"berth.dev/run-time":")" + std::to_string(random_.Below(300)) +
           R"(ms"}},"spec":{"template":{"spec":{"restartPolicy":"Never","containers":[)"
           R"({"name":"main","image":"busybox","resources":{"requests":{"cpu":")" +
           std::to_string(1 + random_.Below(4)) + R"("}}}]}}}})";
  }

  template <class T>
  void Create(std::string object) {
    const store::Resource resource = store::ResourceOf<T>();
    EXPECT_TRUE(Do(store::Create{.resource = resource,
                                 .namespace_ = resource.is_namespaced ? "default" : "",
                                 .object = std::move(object),
                                 .options = {}}));
  }
  bool Do(store::Call call) {
    return store::WaitFor(store_, std::move(call), base::Duration::Seconds(60)).has_value();
  }

  store::Store& store_;
  base::Random random_;
  uint64_t jobs_ = 0;
};

class RandomRun : public ::testing::TestWithParam<int> {};

TEST_P(RandomRun, ReplaysWithTheSameDecisions) {
  const http::testing::Directory folder;
  {
    const auto cluster = StartCluster({.directory = folder.path(), .most_bytes = 4'000'000},
                                      [](std::string_view) {});
    RandomClient client(cluster->store(), static_cast<uint64_t>(GetParam()));
    client.MakeQueues();
    for (int i = 0; i < 150; ++i) client.Step();
  }
  const journal::ReplayResult result = ReplayOf(folder.path());
  ExpectSame(result);
  EXPECT_GE(result.decisions, 1u);
}
INSTANTIATE_TEST_SUITE_P(Seeds, RandomRun, ::testing::Range(1, 6));

// The limit of the size of files stands for a full disk.
TEST(EmbeddedJournal, LeavesDecisionsAloneWhenTheDiskIsFull) {
  const http::testing::Directory folder;
  std::mutex mutex;
  std::string log;
  const auto has_stopped = [&] {
    const std::lock_guard lock(mutex);
    return log.find("not written: File too large; decisions go on without it") != std::string::npos;
  };
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  {
    const auto cluster = StartCluster({.directory = folder.path()}, [&](std::string_view line) {
      const std::lock_guard lock(mutex);
      log += line;
    });
    rlimit limit = before;
    limit.rlim_cur = 16'384;
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
    testing::ManyJobs client(cluster->store());
    client.MakeQueues(7);
    client.Submit(kJobs);
    client.AwaitFinished(kJobs);
    for (int i = 0; i < 600 && !has_stopped(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    EXPECT_TRUE(has_stopped());
    client.Submit(kJobs);
    client.AwaitFinished(2 * kJobs);
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  }
  std::signal(SIGXFSZ, handler);
  ExpectSame(ReplayOf(folder.path()));
}

}  // namespace
}  // namespace berth::embedded
