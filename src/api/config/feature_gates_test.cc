#include "api/config/feature_gates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::api {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;

schema::Problems ProblemsOf(const FeatureGatesResult& result) {
  return result ? schema::Problems() : result.error();
}

TEST(FeatureGateDefaults, BerthsOwnGatesAreAlphaAndOff) {
  for (Gate gate : {Gate::kClusterQueueResourceExclusion, Gate::kQuotaCheck,
                    Gate::kKueueDynamicResourceAllocation, Gate::kWorkloadAdmissionConstraints}) {
    EXPECT_EQ(InfoOf(gate).stage, GateStage::kAlpha) << InfoOf(gate).name;
    EXPECT_FALSE(FeatureGates().IsOn(gate)) << InfoOf(gate).name;
  }
}

TEST(FeatureGateDefaults, MatchKueue) {
  EXPECT_TRUE(FeatureGates().IsOn(Gate::kTopologyAwareScheduling));
  EXPECT_TRUE(FeatureGates().IsOn(Gate::kElasticJobsViaWorkloadSlices));
  EXPECT_FALSE(FeatureGates().IsOn(Gate::kConcurrentAdmission));
  EXPECT_FALSE(FeatureGates().IsOn(Gate::kTASReplaceNodeDueToNotReadyOverFixedTime));
}

TEST(FeatureGateDefaults, QueueNamesCountEverywhereUnlessTheGateIsSet) {
  EXPECT_FALSE(FeatureGates().IsOn(Gate::kManagedJobsNamespaceSelectorAlwaysRespected));
  const auto set = ParseFeatureGates("ManagedJobsNamespaceSelectorAlwaysRespected=true");
  ASSERT_TRUE(set);
  EXPECT_TRUE(set->IsOn(Gate::kManagedJobsNamespaceSelectorAlwaysRespected));
}

TEST(FeatureGateDefaults, NeedEachOtherConsistently) {
  EXPECT_THAT(ProblemsOf(ReadFeatureGates({})), ElementsAre());
}

TEST(FeatureGateLookup, FindsEveryGateByItsName) {
  for (const GateInfo& info : AllGates()) EXPECT_EQ(FindGate(info.name), &info);
  EXPECT_EQ(FindGate("NoSuchGate"), nullptr);
  EXPECT_EQ(FindGate(""), nullptr);
}

TEST(FeatureGateSettings, OfTheConfigurationOverrideDefaults) {
  const auto gates = ReadFeatureGates({{"QuotaCheck", true}, {"MultiKueue", false}});
  ASSERT_TRUE(gates);
  EXPECT_TRUE(gates->IsOn(Gate::kQuotaCheck));
  EXPECT_FALSE(gates->IsOn(Gate::kMultiKueue));
  EXPECT_TRUE(gates->IsOn(Gate::kReclaimablePods));
}

TEST(FeatureGateSettings, OfTheCommandLineAreReadAsGoReadsThem) {
  const auto gates = ParseFeatureGates(" QuotaCheck = t , MultiKueue=0,,QuotaCheck=True");
  ASSERT_TRUE(gates);
  EXPECT_TRUE(gates->IsOn(Gate::kQuotaCheck));
  EXPECT_FALSE(gates->IsOn(Gate::kMultiKueue));
}

TEST(FeatureGateSettings, OfAStageAreOverriddenBySingleGates) {
  const auto gates = ReadFeatureGates({{"AllAlpha", true}, {"QuotaCheck", false}});
  ASSERT_TRUE(gates);
  EXPECT_TRUE(gates->IsOn(Gate::kConcurrentAdmission));
  EXPECT_FALSE(gates->IsOn(Gate::kQuotaCheck));
}

TEST(FeatureGateSettings, OfAnUnknownGateAreRejectedWithTheLikelyName) {
  EXPECT_THAT(
      ProblemsOf(ParseFeatureGates("QuotaChek=true")),
      ElementsAre(AllOf(Field(&schema::Problem::field, "featureGates[QuotaChek]"),
                        Field(&schema::Problem::hint, HasSubstr("did you mean \"QuotaCheck\"?")))));
}

TEST(FeatureGateSettings, ThatAreMalformedAreRejectedWithAHint) {
  for (const char* text : {"QuotaCheck", "QuotaCheck=", "QuotaCheck=yes"}) {
    EXPECT_THAT(
        ProblemsOf(ParseFeatureGates(text)),
        ElementsAre(Field(&schema::Problem::hint, "write QuotaCheck=true or QuotaCheck=false")))
        << text;
  }
}

TEST(FeatureGateSettings, CannotUnlockALockedGate) {
  EXPECT_TRUE(ParseFeatureGates("TLSOptions=true"));
  EXPECT_THAT(ProblemsOf(ParseFeatureGates("TLSOptions=false")),
              ElementsAre(Field(&schema::Problem::message, "TLSOptions is always on")));
}

TEST(FeatureGateSettings, CannotDisableARequiredGate) {
  EXPECT_THAT(ProblemsOf(ParseFeatureGates("FlavorFungibility=false")),
              ElementsAre(Field(&schema::Problem::hint,
                                "set FlavorFungibility=true or "
                                "FlavorFungibilityPreserveScanProgress=false")));
  EXPECT_TRUE(
      ParseFeatureGates("FlavorFungibility=false,FlavorFungibilityPreserveScanProgress=false"));
}

TEST(FeatureGateSettings, ComeFromOnePlaceOnly) {
  EXPECT_TRUE(ChooseFeatureGates("", {{"QuotaCheck", true}})->IsOn(Gate::kQuotaCheck));
  EXPECT_TRUE(ChooseFeatureGates("QuotaCheck=true", {})->IsOn(Gate::kQuotaCheck));
  EXPECT_THAT(ProblemsOf(ChooseFeatureGates("QuotaCheck=true", {{"MultiKueue", true}})),
              ElementsAre(Field(&schema::Problem::field, "featureGates")));
}

}  // namespace
}  // namespace berth::api
