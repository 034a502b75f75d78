// Metrics of a cluster.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "api/kueue/cluster_queue.h"
#include "api/kueue/cohort.h"
#include "api/kueue/local_queue.h"
#include "api/kueue/resource_flavor.h"
#include "api/meta/manifest.h"
#include "embedded/cluster.h"
#include "schema/yaml/to_json.h"
#include "store/testing/eventually.h"
#include "store/wait_for.h"

namespace berth::embedded {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr base::Duration kAnswer = base::Duration::Seconds(60);

constexpr std::string_view kTeam = R"(
apiVersion: v1
kind: Namespace
metadata: {name: space}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: standard}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: team}
spec:
  cohortName: all
  namespaceSelector: {}
  preemption: {withinClusterQueue: LowerPriority}
  resourceGroups:
  - coveredResources: [cpu]
    flavors: [{name: standard, resources: [{name: cpu, nominalQuota: 1}]}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: main, namespace: space}
spec: {clusterQueue: team}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: WorkloadPriorityClass
metadata: {name: high}
value: 1000
)";

std::string JobText(const std::string& name, const std::string& labels = "") {
  return R"(
apiVersion: batch/v1
kind: Job
metadata: {name: )" +
         name + ", namespace: space, labels: {kueue.x-k8s.io/queue-name: main" + labels + R"(}}
spec:
  suspend: true
  template:
    spec:
      restartPolicy: Never
      containers: [{name: c, image: i, resources: {requests: {cpu: 1}}}]
)";
}

class MetricsOfCluster : public ::testing::Test {
 protected:
  void Start(embedded::SimulationSettings nodes, bool waits_for_pods = false,
             std::optional<api::Gate> gate = {}) {
    Cluster::Options options{.serves_https = false};
    if (gate) options.gates.Set(*gate, true);
    api::ApplyConfigurationDefaults(options.configuration);
    options.configuration.metrics.enable_cluster_queue_resources = true;
    if (waits_for_pods) {
      auto& waits = options.configuration.wait_for_pods_ready.emplace();
      waits.timeout = base::Duration::Seconds(600);
    }
    options.nodes = nodes;
    auto started = Cluster::Start(std::move(options));
    ASSERT_TRUE(started) << base::ToString(started.error());
    cluster_ = std::move(*started);
    Create(kTeam);
  }

  void Create(std::string_view yaml) {
    const auto documents = schema::YamlToJson(yaml);
    ASSERT_TRUE(documents);
    for (const schema::YamlDocument& document : *documents) {
      const std::vector<api::Manifest> manifest = api::ReadManifests(document.json);
      ASSERT_NE(manifest.at(0).known, nullptr);
      const auto created =
          store::WaitFor(cluster_->store(),
                         store::Create{.resource = store::ResourceOf(*manifest[0].known),
                                       .namespace_ = manifest[0].metadata().namespace_,
                                       .object = document.json,
                                       .options = {}},
                         kAnswer);
      ASSERT_TRUE(created) << store::ToString(created.error());
    }
  }

  // Waits for the sample.
  void Await(const std::string& line) {
    std::string text;
    EXPECT_TRUE(store::testing::Eventually([&] {
      text = "\n" + cluster_->MetricsText();
      return text.find("\n" + line + "\n") != std::string::npos;
    })) << "no sample "
        << line << " in:\n"
        << text;
  }

  void PatchFlavor(std::string body) {
    Patch(store::ResourceOf<api::ResourceFlavor>(), "standard", std::move(body));
  }
  void PatchQueue(std::string body) {
    Patch(store::ResourceOf<api::ClusterQueue>(), "team", std::move(body));
  }
  void Patch(const store::Resource& resource, const std::string& name, std::string body) {
    const auto patched = store::WaitFor(cluster_->store(),
                                        store::Patch{.resource = resource,
                                                     .namespace_ = "",
                                                     .name = name,
                                                     .subresource = "",
                                                     .type = store::PatchType::kMerge,
                                                     .body = std::move(body),
                                                     .is_forced = false,
                                                     .options = {}},
                                        kAnswer);
    ASSERT_TRUE(patched) << store::ToString(patched.error());
  }

  // The value of a sample; 0 if there is none.
  double Value(const std::string& series) {
    const std::string text = "\n" + cluster_->MetricsText();
    const size_t at = text.find("\n" + series + " ");
    return at == text.npos ? 0 : std::strtod(text.c_str() + at + series.size() + 2, nullptr);
  }

  std::unique_ptr<Cluster> cluster_;
};

embedded::SimulationSettings Forever() { return {.run_time = base::Duration::Seconds(3600)}; }

TEST_F(MetricsOfCluster, FollowJobsFromQueueToCompletion) {
  Start({.run_time = base::Duration::Milliseconds(200)});
  Create(JobText("a"));
  Create(JobText("b"));
  const std::string labels =
      R"({cluster_queue="team",priority_class="",replica_role="standalone"} 2)";
  const std::string local =
      R"({name="main",namespace="space",priority_class="",replica_role="standalone"} 2)";
  for (const char* name :
       {"quota_reserved_workloads_total", "quota_reserved_wait_time_seconds_count",
        "admitted_workloads_total", "admission_wait_time_seconds_count", "finished_workloads_total",
        "execution_time_seconds_count"}) {
    Await("kueue_" + std::string(name) + labels);
    Await("kueue_local_queue_" + std::string(name) + local);
  }
  Await(R"(kueue_finished_workloads{cluster_queue="team",replica_role="standalone"} 2)");
  Await(
      R"(kueue_cohort_subtree_admitted_workloads_total{cohort="all",priority_class="",replica_role="standalone"} 2)");
  Await(
      R"(kueue_workload_creation_latency_seconds_count{job_kind="Job",replica_role="standalone"} 2)");
  EXPECT_THAT(
      cluster_->MetricsText(),
      AllOf(HasSubstr(
                R"(kueue_admission_attempts_total{replica_role="standalone",result="success"})"),
            HasSubstr("berth_engine_cycle_duration_seconds_count"),
            HasSubstr(R"(kueue_local_queue_status{active="True",name="main")")));
}

TEST_F(MetricsOfCluster, CountPendingAndRunningWorkloads) {
  Start(Forever());
  Create(JobText("a"));
  Await(R"(kueue_admitted_active_workloads{cluster_queue="team",replica_role="standalone"} 1)");
  Create(JobText("b"));
  Await(
      R"(kueue_pending_workloads{cluster_queue="team",replica_role="standalone",status="inadmissible"} 1)");
  Await(
      R"(kueue_cluster_queue_resource_usage{cluster_queue="team",cohort="all",flavor="standard",replica_role="standalone",resource="cpu"} 1)");
  Await(
      R"(kueue_unadmitted_workloads{cluster_queue="team",reason="NoReservation",replica_role="standalone",underlying_cause="WaitingForQuota"} 1)");
  EXPECT_THAT(
      cluster_->MetricsText(),
      HasSubstr(
          R"(kueue_admission_attempts_total{replica_role="standalone",result="inadmissible"} )"));
}

TEST_F(MetricsOfCluster, CountPreemptionsAndTheirDuration) {
  Start(Forever());
  Create(JobText("low"));
  Await(R"(kueue_admitted_active_workloads{cluster_queue="team",replica_role="standalone"} 1)");
  Create(JobText("urgent", ", kueue.x-k8s.io/priority-class: high"));
  Await(
      R"(kueue_preempted_workloads_total{preempting_cluster_queue="team",reason="InClusterQueue",replica_role="standalone"} 1)");
  Await(
      R"(kueue_evicted_workloads_total{cluster_queue="team",priority_class="",reason="Preempted",replica_role="standalone",underlying_cause=""} 1)");
  Await(
      R"(kueue_evicted_workloads_once_total{cluster_queue="team",priority_class="",reason="Preempted",replica_role="standalone",underlying_cause=""} 1)");
  Await(
      R"(kueue_workload_eviction_latency_seconds_count{cluster_queue="team",reason="Preempted",replica_role="standalone"} 1)");
  Await(
      R"(kueue_admitted_workloads_total{cluster_queue="team",priority_class="high",replica_role="standalone"} 1)");
}

TEST_F(MetricsOfCluster, CountWorkloadsBlockedByAConstraint) {
  Start(Forever(), /*waits_for_pods=*/false, api::Gate::kWorkloadAdmissionConstraints);
  Create(JobText("low"));
  Await(R"(kueue_admitted_active_workloads{cluster_queue="team",replica_role="standalone"} 1)");
  Create(JobText("polite",
                 ", kueue.x-k8s.io/priority-class: high}, annotations: "
                 "{kueue.x-k8s.io/cannot-preempt: 'true'"));
  const std::string labels =
      R"({cluster_queue="team",constraint="cannot-preempt",replica_role="standalone"} 1)";
  Await("berth_admission_constrained_workloads" + labels);
  Await("berth_admission_constrained_total" + labels);
}

TEST_F(MetricsOfCluster, CountAWorkloadByTheConstraintThatBlocksIt) {
  Start(Forever(), /*waits_for_pods=*/false, api::Gate::kWorkloadAdmissionConstraints);
  const auto labels = [](std::string_view constraint) {
    return R"({cluster_queue="team",constraint=")" + std::string(constraint) +
           R"(",replica_role="standalone"} )";
  };
  Await("berth_admission_constrained_workloads" + labels("cannot-borrow") + "0");
  Create(JobText("low"));
  Await(R"(kueue_admitted_active_workloads{cluster_queue="team",replica_role="standalone"} 1)");
  Create(JobText("polite",
                 ", kueue.x-k8s.io/priority-class: high}, annotations: "
                 "{kueue.x-k8s.io/cannot-preempt: 'true', kueue.x-k8s.io/cannot-borrow: 'true'"));
  Await("berth_admission_constrained_workloads" + labels("cannot-preempt") + "1");
  Await("berth_admission_constrained_workloads" + labels("cannot-borrow") + "0");
  EXPECT_FALSE(cluster_->MetricsText().contains("berth_admission_constrained_total" +
                                                labels("cannot-borrow") + "1"));
}

// Only the first of them is considered.
TEST_F(MetricsOfCluster, CountEqualWorkloadsBlockedByAConstraint) {
  Start(Forever(), /*waits_for_pods=*/false, api::Gate::kWorkloadAdmissionConstraints);
  Create(JobText("low"));
  Await(R"(kueue_admitted_active_workloads{cluster_queue="team",replica_role="standalone"} 1)");
  for (const char* name : {"one", "two", "three"})
    Create(JobText(name,
                   ", kueue.x-k8s.io/priority-class: high}, annotations: "
                   "{kueue.x-k8s.io/cannot-preempt: 'true'"));
  const std::string labels =
      R"({cluster_queue="team",constraint="cannot-preempt",replica_role="standalone"} 3)";
  Await("berth_admission_constrained_workloads" + labels);
  Await("berth_admission_constrained_total" + labels);
  Await(
      R"(kueue_pending_workloads{cluster_queue="team",replica_role="standalone",status="inadmissible"} 3)");
}

TEST_F(MetricsOfCluster, CountFewAttemptsDuringABurstOfFlavorUpdates) {
  const std::string attempts =
      R"(kueue_admission_attempts_total{replica_role="standalone",result="inadmissible"})";
  Start(Forever());
  PatchFlavor(R"({"spec": {"nodeTaints": [{"key": "a", "effect": "NoSchedule"}]}})");
  Create(JobText("waits"));
  Await(
      R"(kueue_pending_workloads{cluster_queue="team",replica_role="standalone",status="inadmissible"} 1)");
  const double before = Value(attempts);
  for (int i = 0; i < 40; ++i)
    PatchFlavor(R"({"spec": {"nodeLabels": {"zone": ")" + std::to_string(i) + R"("}}})");
  PatchFlavor(R"({"spec": {"nodeTaints": null}})");
  Await(R"(kueue_admitted_active_workloads{cluster_queue="team",replica_role="standalone"} 1)");
  EXPECT_LE(Value(attempts) - before, 10);
}

// Each update allows a thousandth of a cpu more: too little for the job.
TEST_F(MetricsOfCluster, CountFewAttemptsDuringABurstOfRaisedQuota) {
  const std::string attempts =
      R"(kueue_admission_attempts_total{replica_role="standalone",result="inadmissible"})";
  const auto quotas = [](int milli) {
    return R"({"spec": {"resourceGroups": [{"coveredResources": ["cpu"], "flavors": [{"name":
        "standard", "resources": [{"name": "cpu", "nominalQuota": ")" +
           std::to_string(milli) + R"(m"}]}]}]}})";
  };
  Start(Forever());
  PatchQueue(quotas(500));
  Create(JobText("waits"));
  Await(
      R"(kueue_pending_workloads{cluster_queue="team",replica_role="standalone",status="inadmissible"} 1)");
  const double before = Value(attempts);
  EXPECT_LE(before, 2);
  for (int i = 1; i <= 40; ++i) PatchQueue(quotas(500 + i));
  PatchQueue(quotas(1000));
  Await(R"(kueue_admitted_active_workloads{cluster_queue="team",replica_role="standalone"} 1)");
  EXPECT_LE(Value(attempts) - before, 5);
}

TEST_F(MetricsOfCluster, RecordWhenPodsAreReady) {
  Start(Forever(), /*waits_for_pods=*/true);
  Create(JobText("a"));
  const std::string labels =
      R"({cluster_queue="team",priority_class="",replica_role="standalone"} 1)";
  Await("kueue_ready_wait_time_seconds_count" + labels);
  Await("kueue_admitted_until_ready_wait_time_seconds_count" + labels);
}

TEST_F(MetricsOfCluster, AreRemovedWithTheirQueue) {
  Start({.run_time = base::Duration::Milliseconds(1)});
  Create(JobText("a"));
  Await(
      R"(kueue_local_queue_finished_workloads_total{name="main",namespace="space",priority_class="",replica_role="standalone"} 1)");
  ASSERT_TRUE(store::WaitFor(cluster_->store(),
                             store::Delete{.resource = store::ResourceOf<api::LocalQueue>(),
                                           .namespace_ = "space",
                                           .name = "main",
                                           .options = {}},
                             kAnswer));
  EXPECT_TRUE(store::testing::Eventually([&] {
    return cluster_->MetricsText().find("kueue_local_queue_") == std::string::npos;
  })) << cluster_->MetricsText();
}

TEST_F(MetricsOfCluster, OfACohortAreRemovedWithIt) {
  Start({.run_time = base::Duration::Milliseconds(1)});
  Create("apiVersion: kueue.x-k8s.io/v1beta2\nkind: Cohort\nmetadata: {name: all}\n");
  Create(JobText("a"));
  Await(
      R"(kueue_cohort_subtree_admitted_workloads_total{cohort="all",priority_class="",replica_role="standalone"} 1)");
  PatchQueue(R"({"spec": {"cohortName": null}})");
  ASSERT_TRUE(store::WaitFor(cluster_->store(),
                             store::Delete{.resource = store::ResourceOf<api::Cohort>(),
                                           .namespace_ = "",
                                           .name = "all",
                                           .options = {}},
                             kAnswer));
  EXPECT_TRUE(store::testing::Eventually([&] {
    return cluster_->MetricsText().find("kueue_cohort_subtree_admitted_workloads_total{cohort=") ==
           std::string::npos;
  })) << cluster_->MetricsText();
}

TEST_F(MetricsOfCluster, ReadBackAsTheSameNumber) {
  Start(Forever());
  PatchQueue(R"({"spec": {"resourceGroups": [{"coveredResources": ["cpu"], "flavors": [
      {"name": "standard", "resources": [{"name": "cpu", "nominalQuota": "1234567.891"}]}]}]}})");
  Await(
      R"(kueue_cluster_queue_nominal_quota{cluster_queue="team",cohort="all",flavor="standard",replica_role="standalone",resource="cpu"} 1234567.891)");
}

}  // namespace
}  // namespace berth::embedded
