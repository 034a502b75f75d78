#include "workload/state/engine_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schema/decode.h"

namespace berth::workload {
namespace {

using engine::FairStrategy;
using ::testing::ElementsAre;

engine::EngineOptions OptionsOf(std::string_view json) {
  const auto configuration = schema::Decode<api::Configuration>(json, {.is_strict = false}).value();
  return EngineOptionsFrom(configuration,
                           api::ReadFeatureGates(configuration.feature_gates).value());
}

TEST(FairSharingIsOn, WhereverItIsMentioned) {
  EXPECT_FALSE(OptionsOf("{}").fair_sharing);
  const engine::EngineOptions options = OptionsOf(R"({"fairSharing": {}})");
  EXPECT_TRUE(options.fair_sharing);
  EXPECT_THAT(options.fair_strategies, ElementsAre(FairStrategy::kLessThanOrEqualToFinalShare,
                                                   FairStrategy::kLessThanInitialShare));
}

TEST(FairSharingIsOn, WithTheStrategiesThatAreNamed) {
  EXPECT_THAT(OptionsOf(R"({"fairSharing": {"preemptionStrategies": ["LessThanInitialShare"]}})")
                  .fair_strategies,
              ElementsAre(FairStrategy::kLessThanInitialShare));
}

TEST(AdmissionFairSharing, NeedsItsGate) {
  const engine::EngineOptions on = OptionsOf(R"({"admissionFairSharing": {
      "usageHalfLifeTime": "10m", "usageSamplingInterval": "5s",
      "resourceWeights": {"cpu": 2}}})");
  EXPECT_TRUE(on.admission_fair_sharing);
  EXPECT_EQ(on.afs.half_life, base::Duration::Seconds(600));
  EXPECT_EQ(on.afs.sampling_interval, base::Duration::Seconds(5));
  ASSERT_EQ(on.afs.resource_weights.size(), 1u);
  EXPECT_EQ(on.afs.resource_weights[0].resource, "cpu");
  EXPECT_EQ(on.afs.resource_weights[0].weight, 2);
  EXPECT_FALSE(OptionsOf(R"({"admissionFairSharing": {"usageHalfLifeTime": "10m"},
                             "featureGates": {"AdmissionFairSharing": false}})")
                   .admission_fair_sharing);
}

TEST(UndeclaredResources, AreSkippedOnlyIfTheGateIsOnToo) {
  EXPECT_FALSE(OptionsOf(R"({"resources": {"quotaCheck": "OnlyDeclared"}})").only_declared);
  EXPECT_TRUE(OptionsOf(R"({"resources": {"quotaCheck": "OnlyDeclared"},
                            "featureGates": {"QuotaCheck": true}})")
                  .only_declared);
}

struct GateCase {
  std::string gate;
  bool engine::EngineOptions::* option;
};

class Gates : public testing::TestWithParam<GateCase> {};

TEST_P(Gates, TurnTheirOption) {
  const auto [name, option] = GetParam();
  const bool by_default = engine::EngineOptions().*option;
  api::FeatureGates gates;
  EXPECT_EQ(EngineOptionsFrom({}, gates).*option, by_default) << "the defaults differ";
  gates.Set(api::FindGate(name)->gate, !by_default);
  EXPECT_EQ(EngineOptionsFrom({}, gates).*option, !by_default);
}

using Options = engine::EngineOptions;
INSTANTIATE_TEST_SUITE_P(
    All, Gates,
    testing::Values(
        GateCase{"PartialAdmission", &Options::partial_admission},
        GateCase{"FlavorFungibility", &Options::flavor_fungibility},
        GateCase{"FlavorFungibilityPreserveScanProgress",
                 &Options::flavor_fungibility_preserve_scan_progress},
        GateCase{"PrioritySortingWithinCohort", &Options::priority_sorting_within_cohort},
        GateCase{"SchedulingEquivalenceHashing", &Options::scheduling_equivalence_hashing},
        GateCase{"RecomputeAssignmentUponPreemptionTargetsOverlap",
                 &Options::recompute_assignment_upon_preemption_targets_overlap},
        GateCase{"PrioritizePreemptorWorkloads", &Options::prioritize_preemptor_workloads},
        GateCase{"FairSharingPreemptWithinNominal", &Options::fair_sharing_preempt_within_nominal},
        GateCase{"FairSharingPrioritizeNonBorrowing",
                 &Options::fair_sharing_prioritize_non_borrowing},
        GateCase{"ElasticJobsViaWorkloadSlices", &Options::elastic_jobs_via_workload_slices},
        GateCase{"SkipReassignmentForPodOwnedWorkloads",
                 &Options::skip_reassignment_for_pod_owned_workloads},
        GateCase{"MultiKueueOrchestratedPreemption", &Options::multikueue_orchestrated_preemption}),
    [](const auto& test) { return test.param.gate; });

}  // namespace
}  // namespace berth::workload
