// Invariants under faults: quota is never exceeded, as seen through the API server; no Workload is
// lost; every job finishes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <functional>
#include <iostream>
#include <random>
#include <thread>

#include "api/core/lease.h"
#include "apiserver/testing/command.h"
#include "cluster/control_plane.h"
#include "cluster/cut_proxy.h"
#include "load/controller_process.h"
#include "load/job_owner.h"
#include "simulate/trace/generator.h"
#include "store/system_time.h"

namespace berth::cluster {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::IsEmpty;

constexpr base::Duration kTimeout = base::Duration::Seconds(300);
// The default lease duration.
constexpr int kLeaseSeconds = 15;

// Two cohorts of two queues, and jobs for the given time. Large jobs preempt small ones.
simulate::Input JobsFor(int seconds_of_jobs) {
  const auto set = [&](int interval_ms, std::string_view workload) {
    return "    - count: " + std::to_string(seconds_of_jobs * 1000 / interval_ms) +
           "\n      creationIntervalMs: " + std::to_string(interval_ms) +
           "\n      workloads:\n      - " + std::string(workload) + "\n";
  };
  simulate::Input input;
  api::ApplyConfigurationDefaults(input.configuration);
  const schema::Problems problems = simulate::AddGenerated(
      "cohorts:\n- className: cohort\n  count: 2\n  queuesSets:\n  - className: cq\n    count: 2\n"
      "    nominalQuota: 20\n    borrowingLimit: 100\n    reclaimWithinCohort: Any\n"
      "    withinClusterQueue: LowerPriority\n    workloadsSets:\n" +
          set(200, "{className: small, runtimeMs: 300, priority: 50, request: 1}") +
          set(1000, "{className: large, runtimeMs: 400, priority: 200, request: 20}"),
      "jobs", input);
  EXPECT_THAT(problems, IsEmpty());
  simulate::SortJobs(input);
  return input;
}

std::string Election(bool is_elected) {
  return is_elected
             ? "leaderElection: {leaderElect: true, leaseDuration: " +
                   std::to_string(kLeaseSeconds) + "s, renewDeadline: 10s, retryPeriod: 2s}\n"
             : "leaderElection: {leaderElect: false}\n";
}

class Faults : public ::testing::Test {
 protected:
  void SetUp() override {
    api::Configuration configuration;
    api::ApplyConfigurationDefaults(configuration);
    ASSERT_TRUE(plane_.Clear());
    ASSERT_TRUE(plane_.Install(configuration));
    (void)plane_.Do(store::Delete{.resource = store::ResourceOf<api::Lease>(),
                                  .namespace_ = "kueue-system",
                                  .name = "c1f6bfd2.kueue.x-k8s.io",
                                  .options = {}});
  }
  void TearDown() override { EXPECT_TRUE(plane_.Clear()); }

  load::ControllerProcess StartController(bool is_elected, const std::string& kubeconfig = {}) {
    const std::string config = plane_.directory() / "faults.yaml";
    std::ofstream(config) << "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n"
                             "webhook: {host: 127.0.0.1, port: 0}\nmetrics: {bindAddress: '0'}\n"
                             "health: {healthProbeBindAddress: '127.0.0.1:0'}\n"
                          << Election(is_elected);
    auto started = load::ControllerProcess::Start(
        {BERTH_BINARY, "controller", "--config", config, "--kubeconfig",
         kubeconfig.empty() ? (plane_.directory() / "controller.kubeconfig").string()
                            : kubeconfig});
    EXPECT_TRUE(started) << base::ToString(started.error());
    return *started;
  }

  api::Lease ReadLease() {
    const auto got = plane_.Do(store::Get{.resource = store::ResourceOf<api::Lease>(),
                                          .namespace_ = "kueue-system",
                                          .name = "c1f6bfd2.kueue.x-k8s.io"});
    auto lease = got ? got->object.Decode<api::Lease>() : api::Lease();
    return lease ? std::move(*lease) : api::Lease();
  }

  bool AwaitLeader() {
    return ControlPlane::Eventually(
        [&] { return !ReadLease().spec.holder_identity.value_or("").empty(); });
  }

  // Seconds from `fault` until the new leader's first admission.
  double HandOver(const load::JobOwner::Figures& figures, base::Time fault) {
    const base::Time taken = ReadLease().spec.acquire_time.value_or(base::Time());
    EXPECT_GT(taken, fault);
    const auto first = std::ranges::upper_bound(figures.admissions, taken);
    EXPECT_NE(first, figures.admissions.end());
    return first == figures.admissions.end() ? 0 : (*first - fault).seconds();
  }

  // Runs jobs during `fault`, which must end before they do, and checks the result.
  load::JobOwner::Figures Play(int seconds_of_jobs, const std::function<void()>& fault) {
    const simulate::Input input = JobsFor(seconds_of_jobs);
    load::JobOwner owner(plane_.store(), input);
    EXPECT_EQ(owner.CreateObjects(), "");
    std::thread trouble([&] {
      std::this_thread::sleep_for(seconds(2));
      fault();
    });
    auto figures = owner.Run(kTimeout);
    trouble.join();
    EXPECT_THAT(figures.faults, IsEmpty());
    EXPECT_EQ(figures.finished, input.jobs.size());
    return figures;
  }

  void SignalPart(const std::string& part, int signal) const {
    int pid = 0;
    std::ifstream(plane_.directory() / (part + ".pid")) >> pid;
    ASSERT_GT(pid, 0);
    kill(pid, signal);
  }

  ControlPlane& plane_ = ControlPlane::Get();
};

TEST_F(Faults, TheApiServerIsKilledAndRestarted) {
  load::ControllerProcess controller = StartController(/*is_elected=*/false);
  Play(12, [&] {
    for (int i = 0; i < 2; ++i) {
      SignalPart("kube-apiserver", SIGKILL);
      std::this_thread::sleep_for(seconds(1));
      const auto started =
          apiserver::testing::RunCommand({std::string(BERTH_SOURCE_DIR) + "/test/cluster/plane",
                                          "start", plane_.directory(), "kube-apiserver"});
      EXPECT_EQ(started.code, 0) << started.err;
    }
  });
  EXPECT_EQ(controller.Stop().exit_code, 0);
}

TEST_F(Faults, EtcdIsPausedForTenSeconds) {
  load::ControllerProcess controller = StartController(/*is_elected=*/false);
  Play(10, [&] {
    SignalPart("etcd", SIGSTOP);
    std::this_thread::sleep_for(seconds(10));
    SignalPart("etcd", SIGCONT);
  });
  EXPECT_EQ(controller.Stop().exit_code, 0);
}

TEST_F(Faults, ConnectionsAreCutRepeatedly) {
  std::ifstream in(plane_.directory() / "controller.kubeconfig");
  std::string text{std::istreambuf_iterator<char>(in), {}};
  constexpr std::string_view kHost = "https://127.0.0.1:";
  const size_t at = text.find(kHost) + kHost.size();
  CutProxy proxy(static_cast<uint16_t>(std::stoi(text.substr(at))));
  text.replace(at, text.find('"', at) - at, std::to_string(proxy.port()));
  const std::string kubeconfig = plane_.directory() / "cut.kubeconfig";
  std::ofstream(kubeconfig) << text;

  load::ControllerProcess controller = StartController(/*is_elected=*/false, kubeconfig);
  size_t connections = 0;
  Play(12, [&] {
    for (int i = 0; i < 20; ++i) {
      connections += proxy.Cut();
      std::this_thread::sleep_for(milliseconds(400));
    }
  });
  EXPECT_GT(connections, 20u);
  EXPECT_EQ(controller.Stop().exit_code, 0);
}

TEST_F(Faults, TheControllerIsKilledAtFiftyMoments) {
  load::ControllerProcess controller = StartController(/*is_elected=*/false);
  std::minstd_rand random(7);
  Play(30, [&] {
    for (int i = 0; i < 50; ++i) {
      std::this_thread::sleep_for(milliseconds(50 + random() % 1000));
      controller.Signal(SIGKILL);
      EXPECT_EQ(controller.Wait().exit_code, 128 + SIGKILL);
      controller = StartController(/*is_elected=*/false);
    }
  });
  EXPECT_EQ(controller.Stop().exit_code, 0);
}

TEST_F(Faults, AStoppedLeaderHandsOverAtOnce) {
  load::ControllerProcess first = StartController(/*is_elected=*/true);
  ASSERT_TRUE(AwaitLeader());
  load::ControllerProcess second = StartController(/*is_elected=*/true);
  base::Time stopped;
  const auto figures = Play(10, [&] {
    std::this_thread::sleep_for(seconds(2));
    stopped = store::SystemTime();
    EXPECT_EQ(first.Stop().exit_code, 0);
  });
  const double took = HandOver(figures, stopped);
  std::cout << "hand-over after a clean stop: " << took << " s\n";
  EXPECT_LT(took, kLeaseSeconds);  // did not wait for the lease to expire
  EXPECT_EQ(second.Stop().exit_code, 0);
}

TEST_F(Faults, AFollowerTakesOverFromAKilledLeader) {
  load::ControllerProcess first = StartController(/*is_elected=*/true);
  ASSERT_TRUE(AwaitLeader());
  load::ControllerProcess second = StartController(/*is_elected=*/true);
  base::Time killed;
  const auto figures = Play(10, [&] {
    std::this_thread::sleep_for(seconds(2));
    killed = store::SystemTime();
    first.Signal(SIGKILL);
    first.Wait();
  });
  std::cout << "hand-over after a kill: " << HandOver(figures, killed) << " s, with a lease of "
            << kLeaseSeconds << " s\n";
  EXPECT_EQ(second.Stop().exit_code, 0);
}

TEST_F(Faults, ALeaderWithAnExpiredLeaseStopsWriting) {
  load::ControllerProcess first = StartController(/*is_elected=*/true);
  ASSERT_TRUE(AwaitLeader());
  load::ControllerProcess second = StartController(/*is_elected=*/true);
  Play(2 * kLeaseSeconds + 8, [&] {
    first.Signal(SIGSTOP);
    std::this_thread::sleep_for(seconds(2 * kLeaseSeconds));
    first.Signal(SIGCONT);
    EXPECT_EQ(first.Wait().exit_code, 1);  // so that it is restarted
  });
  EXPECT_EQ(second.Stop().exit_code, 0);
}

}  // namespace
}  // namespace berth::cluster
