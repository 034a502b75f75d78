#include "workload/convert_admission.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/conditions.h"
#include "engine/options.h"
#include "schema/decode.h"
#include "schema/encode.h"

namespace berth::workload {
namespace {

constexpr base::Time kNow = base::Time::FromSeconds(1'000'000);
constexpr base::Time kLater = base::Time::FromSeconds(1'000'060);

TEST(AnAdmission, NamesFlavorsAndUsageOfEachPodSet) {
  engine::Engine engine{engine::EngineOptions()};
  const engine::NodeId queue = engine.SetClusterQueue({.name = "q"});
  const engine::WorkloadId id = engine.AddReserved(
      {.uid = "u",
       .local_queue = engine.LocalQueue("n/main"),
       .cluster_queue = queue,
       .pod_sets = {{.count = 2,
                     .resources = {{engine.Resource("cpu"), engine.Flavor("spot"), 1500},
                                   {engine.Resource("memory"), engine.Flavor("spot"), 1 << 30}}},
                    {.count = 1, .resources = {}}}});
  const auto workload = schema::Decode<api::Workload>(
                            R"({"spec": {"podSets": [{"name": "driver"}, {"name": "worker"}]}})")
                            .value();
  EXPECT_EQ(schema::Encode(ToAdmission(engine, id, workload)),
            R"({"clusterQueue":"q","podSetAssignments":[{"name":"driver",)"
            R"("flavors":{"cpu":"spot","memory":"spot"},)"
            R"("resourceUsage":{"cpu":"1500m","memory":"1Gi"},"count":2},)"
            R"({"name":"worker","count":1}]})");
}

// "Type=Status Reason" of all conditions.
std::vector<std::string> Conditions(const api::Workload& workload) {
  std::vector<std::string> texts;
  for (const api::Condition& c : workload.status.conditions)
    texts.push_back(c.type + "=" + c.status + " " + c.reason);
  return texts;
}

TEST(AWorkloadsLife, IsToldInItsConditions) {
  using ::testing::ElementsAre;
  api::Workload workload;
  MarkReserved(workload, {.cluster_queue = "q", .pod_set_assignments = {}, .extra = {}}, kNow);
  EXPECT_THAT(Conditions(workload), ElementsAre("QuotaReserved=True QuotaReserved"));
  EXPECT_EQ(workload.status.admission->cluster_queue, "q");
  MarkPreempted(workload, "InClusterQueue", kNow);
  EXPECT_THAT(Conditions(workload),
              ElementsAre("QuotaReserved=True QuotaReserved", "Evicted=True Preempted",
                          "Preempted=True InClusterQueue"));
  MarkRequeued(workload, kNow);
  EXPECT_THAT(Conditions(workload),
              ElementsAre("QuotaReserved=False Pending", "Evicted=True Preempted",
                          "Preempted=True InClusterQueue", "Requeued=True Preempted"));
  EXPECT_FALSE(workload.status.admission.has_value());
  MarkReserved(workload, {.cluster_queue = "q", .pod_set_assignments = {}, .extra = {}}, kNow);
  EXPECT_THAT(Conditions(workload),
              ElementsAre("QuotaReserved=True QuotaReserved", "Evicted=False QuotaReserved",
                          "Preempted=False QuotaReserved", "Requeued=True Preempted"));
}

TEST(ACondition, KeepsItsTimeWhileItsStatusStays) {
  api::Workload workload;
  MarkFinished(workload, "Succeeded", kNow);
  MarkFinished(workload, "Failed", kLater);
  const api::Condition* finished = api::FindCondition(workload.status.conditions, "Finished");
  EXPECT_EQ(finished->reason, "Failed");
  EXPECT_EQ(finished->last_transition_time, kNow);
}

}  // namespace
}  // namespace berth::workload
