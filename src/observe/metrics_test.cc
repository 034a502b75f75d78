#include "observe/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <sstream>

#include "observe/testing/feed.h"
#include "workload/status_changes.h"

namespace berth::observe {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class MetricsTest : public testing::ClusterStateTest {
 protected:
  MetricsTest() { Apply(testing::kQueues); }

  Metrics& Get() {
    if (!metrics_)
      metrics_ = std::make_unique<Metrics>(
          Options(), Role::kFollower,
          BuildInfo{.version = "v1", .commit = "abc", .compiler = "GCC \"12\""});
    return *metrics_;
  }
  std::string Text() { return Get().Text(Get().Gauges(Cluster())); }

  void Skip(const std::string& queue) {
    control::CycleCompleted cycle{.heads = 1, .took = base::Duration::Milliseconds(3)};
    cycle.skipped_preemptions[queue] = 1;
    cycle.recomputations.push_back({queue, engine::Outcome::kPreempting});
    Get().Observe(cycle, Cluster());
  }

  std::unique_ptr<Metrics> metrics_;
};

// As checked by `promtool check metrics`.
TEST_F(MetricsTest, TextIsWellFormed) {
  Skip("team");
  std::set<std::string> described;
  std::string current;
  std::istringstream lines(Text());
  const std::regex sample(
      R"re(([a-z_:]+)(\{([a-z_]+="([^"\\]|\\.)*",?)*\})? (\+Inf|-Inf|Nan|[-+.e0-9]+))re");
  for (std::string line; std::getline(lines, line);) {
    std::smatch found;
    if (line.starts_with("# HELP ")) {
      current = line.substr(7, line.find(' ', 7) - 7);
      EXPECT_TRUE(described.insert(current).second) << "twice: " << line;
    } else if (line.starts_with("# TYPE ")) {
      EXPECT_EQ(line.substr(7, line.find(' ', 7) - 7), current);
    } else {
      ASSERT_TRUE(std::regex_match(line, found, sample)) << line;
      EXPECT_TRUE(found[1].str().starts_with(current)) << line;
    }
  }
  EXPECT_GT(described.size(), 20u);
}

TEST_F(MetricsTest, HistogramsHaveBucketsThatAddUp) {
  Skip("team");
  EXPECT_THAT(
      Text(),
      AllOf(HasSubstr("# TYPE kueue_admission_attempt_duration_seconds histogram\n"),
            HasSubstr("kueue_admission_attempt_duration_seconds_bucket{replica_role=\"follower\","
                      "result=\"inadmissible\",le=\"0.005\"} 1\n"),
            HasSubstr("kueue_admission_attempt_duration_seconds_bucket{replica_role=\"follower\","
                      "result=\"inadmissible\",le=\"+Inf\"} 1\n"),
            HasSubstr("kueue_admission_attempt_duration_seconds_count{replica_role=\"follower\","
                      "result=\"inadmissible\"} 1\n")));
}

TEST_F(MetricsTest, HaveTheBuildInfo) {
  EXPECT_THAT(Text(), HasSubstr("kueue_build_info{build_date=\"\",compiler=\"GCC \\\"12\\\"\","
                                "git_commit=\"abc\",git_version=\"v1\",go_version=\"none\","
                                "platform=\"linux/"));
}

TEST_F(MetricsTest, HaveTheRoleOfTheReplica) {
  EXPECT_THAT(Text(), HasSubstr("kueue_pending_workloads{cluster_queue=\"team\","
                                "replica_role=\"follower\",status=\"active\"} 0\n"));
  Get().SetRole(Role::kLeader);
  EXPECT_THAT(Text(), AllOf(HasSubstr("replica_role=\"leader\""),
                            Not(HasSubstr("replica_role=\"follower\""))));
}

TEST_F(MetricsTest, CountersGrow) {
  Skip("team");
  Skip("team");
  EXPECT_THAT(Text(),
              HasSubstr("kueue_preemption_target_recomputations_total{cluster_queue=\"team\","
                        "replica_role=\"follower\",result=\"new_targets\"} 2\n"));
}

TEST_F(MetricsTest, AreRemovedWithTheirQueue) {
  Skip("team");
  Skip("other");
  Get().Observe(control::QueueGone{.kind = &api::ClusterQueue::KindInfo(), .name = "team"},
                Cluster());
  EXPECT_THAT(Text(), AllOf(Not(HasSubstr("recomputations_total{cluster_queue=\"team\"")),
                            HasSubstr("recomputations_total{cluster_queue=\"other\"")));
  Skip("team");
  EXPECT_THAT(Text(),
              HasSubstr("kueue_preemption_target_recomputations_total{cluster_queue=\"team\","
                        "replica_role=\"follower\",result=\"new_targets\"} 1\n"));
}

// A cohort without an object of its own goes with its last queue.
TEST_F(MetricsTest, OfCohortsAreRemovedWithTheCohort) {
  gates_.Set(api::Gate::kMetricsForCohorts, true);
  const api::Workload before;
  api::Workload after;
  workload::MarkReserved(after, {.cluster_queue = "team"}, testing::kNow);
  workload::SyncAdmitted(after, testing::kNow);
  const auto counted = [](std::string_view cohort) {
    return HasSubstr("admitted_workloads_total{cohort=\"" + std::string(cohort) + "\"");
  };
  Get().Observe(
      control::WorkloadTransition{
          .before = &before, .after = &after, .is_ours = true, .now = testing::kNow},
      Cluster());
  EXPECT_THAT(Text(), AllOf(counted("all"), counted("root")));
  Cluster().Delete(api::Cohort::KindInfo(), "", "all");
  Cluster().Sync(testing::kNow);
  EXPECT_THAT(Text(), AllOf(counted("all"), Not(counted("root"))));
  Cluster().Delete(api::ClusterQueue::KindInfo(), "", "team");
  Cluster().Sync(testing::kNow);
  EXPECT_THAT(Text(), Not(counted("all")));
}

TEST_F(MetricsTest, HaveConfiguredCustomLabels) {
  gates_.Set(api::Gate::kCustomMetricLabels, true);
  configuration_.metrics.custom_labels = {{.name = "owner"}};
  Skip("team");
  EXPECT_THAT(Text(),
              AllOf(HasSubstr("kueue_admission_cycle_preemption_skips{cluster_queue=\"team\","
                              "custom_owner=\"anna\",replica_role=\"follower\"} 1\n"),
                    HasSubstr("kueue_reserving_active_workloads{cluster_queue=\"team\","
                              "custom_owner=\"anna\",replica_role=\"follower\"} 0\n")));
}

struct GateRow {
  api::Gate gate;
  Metric metric;
};

TEST(MetricGates, SwitchTheirMetrics) {
  for (const auto& [gate, metric] :
       {GateRow{api::Gate::kLocalQueueMetrics, Metric::kLocalPending},
        GateRow{api::Gate::kMetricsForCohorts, Metric::kCohortQuota},
        GateRow{api::Gate::kMetricForWorkloadCreationLatency, Metric::kCreationLatency},
        GateRow{api::Gate::kSchedulingEquivalenceHashing, Metric::kPendingHashes},
        GateRow{api::Gate::kUnadmittedWorkloadsObservability, Metric::kUnadmitted},
        GateRow{api::Gate::kWorkloadAdmissionConstraints, Metric::kConstrained}}) {
    for (const bool is_on : {true, false}) {
      api::FeatureGates gates;
      gates.Set(gate, is_on);
      EXPECT_EQ(MetricOptions::From({}, gates).IsOn(metric), is_on) << InfoOf(metric).name;
    }
  }
}

}  // namespace
}  // namespace berth::observe
