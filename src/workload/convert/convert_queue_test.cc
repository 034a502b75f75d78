#include "workload/convert/convert_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "engine/options.h"
#include "schema/decode.h"

namespace berth::workload {
namespace {

using ::testing::SizeIs;

api::ClusterQueue QueueOf(std::string_view spec) {
  api::ClusterQueue queue;
  queue.metadata.name = "q";
  queue.spec = schema::Decode<api::ClusterQueueSpec>(spec).value();
  return queue;
}

engine::ClusterQueueSpec Converted(std::string_view spec) {
  engine::Engine names{engine::EngineOptions()};
  return ToEngine(QueueOf(spec), true, names);
}

TEST(AClusterQueue, HasTheDefaultsOfKueue) {
  const engine::ClusterQueueSpec spec = Converted("{}");
  EXPECT_EQ(spec.strategy, engine::QueueingStrategy::kBestEffortFIFO);
  EXPECT_EQ(spec.preemption, engine::Preemption());
  EXPECT_EQ(spec.fungibility, engine::FlavorFungibility());
  EXPECT_EQ(spec.fair_weight, 1);
  EXPECT_FALSE(spec.orders_by_usage);
}

TEST(AClusterQueue, KeepsItsPolicies) {
  const engine::ClusterQueueSpec spec = Converted(R"({
      "cohortName": "pool", "queueingStrategy": "StrictFIFO",
      "preemption": {"withinClusterQueue": "LowerOrNewerEqualPriority",
                     "reclaimWithinCohort": "Any",
                     "borrowWithinCohort": {"policy": "LowerPriority", "maxPriorityThreshold": 7}},
      "flavorFungibility": {"whenCanBorrow": "TryNextFlavor", "whenCanPreempt": "MayStopSearch",
                            "preference": "PreemptionOverBorrowing"},
      "fairSharing": {"weight": "2500m"},
      "admissionScope": {"admissionMode": "UsageBasedAdmissionFairSharing"}})");
  EXPECT_EQ(spec.cohort, "pool");
  EXPECT_EQ(spec.strategy, engine::QueueingStrategy::kStrictFIFO);
  EXPECT_EQ(spec.preemption,
            (engine::Preemption{
                .within_cluster_queue = engine::PreemptionPolicy::kLowerOrNewerEqualPriority,
                .reclaim_within_cohort = engine::PreemptionPolicy::kAny,
                .borrow_within_cohort = true,
                .max_priority_threshold = 7}));
  EXPECT_EQ(spec.fungibility,
            (engine::FlavorFungibility{
                .try_next_when_can_borrow = true,
                .try_next_when_can_preempt = false,
                .preference = engine::FungibilityPreference::kPreemptionOverBorrowing}));
  EXPECT_EQ(spec.fair_weight, 2.5);
  EXPECT_TRUE(spec.orders_by_usage);
}

TEST(Quota, IsCountedInTheUnitsOfItsResource) {
  const engine::ClusterQueueSpec spec = Converted(R"({"resourceGroups": [{
      "coveredResources": ["cpu", "memory"],
      "flavors": [{"name": "f", "resources": [
        {"name": "memory", "nominalQuota": "1Gi", "lendingLimit": "0"},
        {"name": "cpu", "nominalQuota": "1500m", "borrowingLimit": "2"}]}]}]})");
  ASSERT_THAT(spec.groups, SizeIs(1));
  ASSERT_THAT(spec.groups[0].flavors, SizeIs(1));
  const std::vector<engine::Quota>& quotas = spec.groups[0].flavors[0].quotas;
  ASSERT_THAT(quotas, SizeIs(2));  // in the order of coveredResources
  EXPECT_EQ(quotas[0], (engine::Quota{.nominal = engine::Amount(1500),
                                      .borrowing_limit = engine::Amount(2000)}));
  EXPECT_EQ(quotas[1], (engine::Quota{.nominal = engine::Amount(1 << 30),
                                      .lending_limit = engine::Amount(0)}));
}

TEST(Quota, IsZeroWhereAFlavorLeavesAResourceOut) {
  const engine::ClusterQueueSpec spec = Converted(R"({"resourceGroups": [{
      "coveredResources": ["cpu", "memory"],
      "flavors": [{"name": "f", "resources": [{"name": "cpu", "nominalQuota": "1"}]}]}]})");
  EXPECT_EQ(spec.groups[0].flavors[0].quotas[1], engine::Quota());
}

TEST(ACohort, KeepsParentQuotaAndWeight) {
  engine::Engine names{engine::EngineOptions()};
  api::Cohort cohort;
  cohort.metadata.name = "c";
  cohort.spec = schema::Decode<api::CohortSpec>(R"({"parentName": "root",
      "fairSharing": {"weight": "0"}, "resourceGroups": [{"coveredResources": ["cpu"],
        "flavors": [{"name": "f", "resources": [{"name": "cpu", "nominalQuota": "3"}]}]}]})")
                    .value();
  const engine::CohortSpec spec = ToEngine(cohort, names);
  EXPECT_EQ(spec.name, "c");
  EXPECT_EQ(spec.parent, "root");
  EXPECT_EQ(spec.fair_weight, 0);
  EXPECT_EQ(spec.groups[0].flavors[0].quotas[0].nominal, engine::Amount(3000));
}

TEST(ConsumedResources, AreExactToTheNanoUnit) {
  engine::Engine names{engine::EngineOptions()};
  const auto status = schema::Decode<api::LocalQueueStatus>(R"({"fairSharing": {
      "weightedShare": 0, "admissionFairSharingStatus": {"lastUpdate": "2026-01-01T00:00:00Z",
        "consumedResources": {"cpu": "1500000001n", "memory": "1Ti"}}}})")
                          .value();
  const std::vector<engine::ConsumedResource> consumed = ConsumedResources(status, names);
  ASSERT_THAT(consumed, SizeIs(2));
  EXPECT_TRUE(consumed[0].nanos == 1'500'000'001);
  EXPECT_TRUE(consumed[1].nanos == static_cast<base::Int128>(1LL << 40) * 1'000'000'000);
}

// --- Whether a queue is active -------------------------------------------------------------------

class Refers : public QueueReferences {
 public:
  State FlavorState(std::string_view flavor) const override { return Find(flavors, flavor); }
  State CheckState(std::string_view check) const override { return Find(checks, check); }
  std::string_view CheckController(std::string_view check) const override {
    const auto found = controllers.find(check);
    return found == controllers.end() ? std::string_view() : found->second;
  }

  std::map<std::string_view, State> flavors = {{"f", State::kActive}};
  std::map<std::string_view, State> checks;
  std::map<std::string_view, std::string_view> controllers;

 private:
  static State Find(const std::map<std::string_view, State>& states, std::string_view name) {
    const auto found = states.find(name);
    return found == states.end() ? State::kMissing : found->second;
  }
};

constexpr std::string_view kOneFlavor = R"({"resourceGroups": [{"coveredResources": ["cpu"],
    "flavors": [{"name": "f", "resources": [{"name": "cpu", "nominalQuota": "1"}]}]}],
    "admissionChecksStrategy": {"admissionChecks": [{"name": "a"}, {"name": "b"}]}})";

std::string_view Why(std::string_view spec, const Refers& refers) {
  return InactiveReason(QueueOf(spec).spec, refers);
}

TEST(AQueueIsActive, WhenNothingItNeedsIsMissing) {
  Refers refers;
  refers.checks = {{"a", Refers::State::kActive}, {"b", Refers::State::kActive}};
  EXPECT_EQ(Why(kOneFlavor, refers), "");
  EXPECT_EQ(Why(R"({"stopPolicy": "None"})", refers), "");
}

TEST(AQueueIsInactive, WhenItIsStopped) {
  EXPECT_EQ(Why(R"({"stopPolicy": "Hold"})", {}), "Stopped");
  EXPECT_EQ(Why(R"({"stopPolicy": "HoldAndDrain"})", {}), "Stopped");
}

TEST(AQueueIsInactive, WhenAFlavorOrItsTopologyIsMissing) {
  Refers refers;
  refers.flavors.clear();
  EXPECT_EQ(Why(kOneFlavor, refers), "FlavorNotFound");
  refers.flavors = {{"f", Refers::State::kInactive}};
  refers.checks = {{"a", Refers::State::kActive}, {"b", Refers::State::kActive}};
  EXPECT_EQ(Why(kOneFlavor, refers), "TopologyNotFound");
}

TEST(AQueueIsInactive, WhenACheckIsMissingOrInactive) {
  Refers refers;
  refers.checks = {{"a", Refers::State::kInactive}};
  EXPECT_EQ(Why(kOneFlavor, refers), "AdmissionCheckNotFound");
  refers.checks["b"] = Refers::State::kActive;
  EXPECT_EQ(Why(kOneFlavor, refers), "AdmissionCheckInactive");
}

TEST(AQueueIsInactive, WhenMultiKueueIsMisconfigured) {
  Refers refers;
  refers.checks = {{"a", Refers::State::kActive}, {"b", Refers::State::kActive}};
  refers.controllers = {{"a", "kueue.x-k8s.io/multikueue"}, {"b", "kueue.x-k8s.io/multikueue"}};
  EXPECT_EQ(Why(kOneFlavor, refers), "MultipleMultiKueueAdmissionChecks");
  refers.controllers["b"] = "kueue.x-k8s.io/provisioning-request";
  EXPECT_EQ(Why(kOneFlavor, refers), "MultiKueueWithProvisioningRequest");
  EXPECT_EQ(Why(R"({"admissionChecksStrategy": {"admissionChecks": [
                     {"name": "a", "onFlavors": ["f"]}]}})",
                refers),
            "MultiKueueAdmissionCheckAppliedPerFlavor");
}

}  // namespace
}  // namespace berth::workload
