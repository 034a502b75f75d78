#include "api/kueue/rules/cohort_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/testing/rule_cases.h"

namespace berth::api {
namespace {

using ::testing::ElementsAre;
using testing::FaultsOf;
using ::testing::IsEmpty;
using testing::Read;

std::vector<std::string> Faults(const std::string& spec) {
  return FaultsOf(ValidateCohort(Read<Cohort>("{'spec':{" + spec + "}}")));
}

// The spec of a Cohort with one quota.
std::string Quota(const std::string& limits) {
  return "'resourceGroups':[{'coveredResources':['cpu'],'flavors':[{'name':'f','resources':["
         "{'name':'cpu'," +
         limits + "}]}]}]";
}

TEST(CohortRules, AcceptQuotaWithoutAParent) {
  EXPECT_THAT(Faults(Quota("'nominalQuota':1")), IsEmpty());
}

TEST(CohortRules, LetItLendMoreThanItsOwnQuota) {
  EXPECT_THAT(Faults("'parentName':'p'," + Quota("'nominalQuota':1,'lendingLimit':2")), IsEmpty());
}

TEST(CohortRules, NeedAParentForLimits) {
  EXPECT_THAT(
      Faults(Quota("'nominalQuota':1,'borrowingLimit':2")),
      ElementsAre("spec.resourceGroups[0].flavors[0].resources[0].borrowingLimit: Invalid"));
  EXPECT_THAT(Faults("'parentName':''," + Quota("'nominalQuota':1,'lendingLimit':2")),
              ElementsAre("spec.resourceGroups[0].flavors[0].resources[0].lendingLimit: Invalid"));
}

TEST(CohortRules, HoldForQuotasAndWeightsAsInQueues) {
  EXPECT_THAT(Faults("'fairSharing':{'weight':'-1'}," + Quota("'nominalQuota':-1")),
              ElementsAre("spec.fairSharing: Invalid",
                          "spec.resourceGroups[0].flavors[0].resources[0].nominalQuota: Invalid"));
}

TEST(CohortRules, WarnOfDeviceClassesWhileTheirGateIsOff) {
  Cohort cohort;
  ResourceQuota& quota =
      cohort.spec.resource_groups.emplace_back().flavors.emplace_back().resources.emplace_back();
  quota.kind = std::string(kDeviceClass);
  quota.device_class_names = {"a.com"};
  ValidationOptions options;
  EXPECT_EQ(WarningsForCohort(cohort, options).size(), 1u);
  options.gates.Set(Gate::kKueueDynamicResourceAllocation, true);
  EXPECT_THAT(WarningsForCohort(cohort, options), IsEmpty());
}

}  // namespace
}  // namespace berth::api
