#include "api/kueue/rules/cluster_queue_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "api/kueue/rules/quota_rules.h"
#include "api/testing/rule_cases.h"

namespace berth::api {
namespace {

using testing::Case;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using testing::FaultsOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Read;

ClusterQueue Queue(const std::string& spec) {
  return Read<ClusterQueue>("{'spec':{" + spec + "}}");
}

// A resource group with these flavors.
std::string Group(const std::string& covered, const std::string& flavors) {
  return "'resourceGroups':[{'coveredResources':[" + covered + "],'flavors':[" + flavors + "]}]";
}

std::vector<std::string> Faults(const std::string& spec, const ValidationOptions& options = {}) {
  const schema::Problems problems = ValidateClusterQueue(Queue(spec), nullptr, options);
  for (const schema::Problem& problem : problems) {
    EXPECT_TRUE(testing::SaysWhatToWrite(problem)) << schema::ToString(problem);
  }
  return FaultsOf(problems);
}

ValidationOptions With(Gate gate) {
  ValidationOptions options;
  options.gates.Set(gate, true);
  return options;
}

class QuotaRule : public ::testing::TestWithParam<Case> {};

TEST_P(QuotaRule, Holds) {
  EXPECT_THAT(Faults(GetParam().object), ElementsAreArray(GetParam().faults)) << GetParam().rule;
}

INSTANTIATE_TEST_SUITE_P(
    OfClusterQueues, QuotaRule,
    ::testing::Values(
        Case{"a queue in order is accepted",
             "'cohortName':'c','resourceGroups':[{'coveredResources':['cpu','x.com/gpu'],"
             "'flavors':[{'name':'f','resources':[{'name':'cpu','nominalQuota':4,'lendingLimit':4,"
             "'borrowingLimit':0},{'name':'x.com/gpu','nominalQuota':0}]}]}]",
             {}},
        Case{"resource names are qualified names",
             "'resourceGroups':[{'coveredResources':['@cpu'],'flavors':[]}]",
             {"spec.resourceGroups[0].coveredResources[0]: Invalid"}},
        Case{"an empty resource name is wrong twice",
             "'resourceGroups':[{'coveredResources':[''],'flavors':[]}]",
             {"spec.resourceGroups[0].coveredResources[0]: Invalid",
              "spec.resourceGroups[0].coveredResources[0]: Invalid"}},
        Case{"a resource belongs to one group",
             "'resourceGroups':[{'coveredResources':['cpu'],'flavors':[]},"
             "{'coveredResources':['memory','cpu'],'flavors':[]}]",
             {"spec.resourceGroups[1].coveredResources[1]: Duplicate"}},
        Case{"a flavor belongs to one group",
             "'resourceGroups':[{'coveredResources':[],'flavors':[{'name':'f'}]},"
             "{'coveredResources':[],'flavors':[{'name':'f'}]}]",
             {"spec.resourceGroups[1].flavors[0].name: Duplicate"}},
        Case{"quotas have the order of coveredResources",
             "'resourceGroups':[{'coveredResources':['cpu','memory'],'flavors':[{'name':'f',"
             "'resources':[{'name':'memory','nominalQuota':1},{'name':'cpu','nominalQuota':1}]}]}]",
             {"spec.resourceGroups[0].flavors[0].resources[0].name: Invalid",
              "spec.resourceGroups[0].flavors[0].resources[1].name: Invalid"}},
        Case{"quotas past coveredResources are not looked at",
             "'resourceGroups':[{'coveredResources':['cpu'],'flavors':[{'name':'f','resources':["
             "{'name':'cpu','nominalQuota':1},{'name':'cpu','nominalQuota':-1}]}]}]",
             {}},
        Case{"quotas and limits are not negative",
             "'cohortName':'c','resourceGroups':[{'coveredResources':['cpu'],'flavors':[{'name':"
             "'f','resources':[{'name':'cpu','nominalQuota':'-1','borrowingLimit':'-1m',"
             "'lendingLimit':'-2'}]}]}]",
             {"spec.resourceGroups[0].flavors[0].resources[0].nominalQuota: Invalid",
              "spec.resourceGroups[0].flavors[0].resources[0].borrowingLimit: Invalid",
              "spec.resourceGroups[0].flavors[0].resources[0].lendingLimit: Invalid"}},
        Case{"limits need a cohort",
             "'resourceGroups':[{'coveredResources':['cpu'],'flavors':[{'name':'f','resources':["
             "{'name':'cpu','nominalQuota':1,'borrowingLimit':1,'lendingLimit':1}]}]}]",
             {"spec.resourceGroups[0].flavors[0].resources[0].borrowingLimit: Invalid",
              "spec.resourceGroups[0].flavors[0].resources[0].lendingLimit: Invalid"}},
        Case{"no more is lent than there is",
             "'cohortName':'c','resourceGroups':[{'coveredResources':['cpu'],'flavors':[{'name':"
             "'f','resources':[{'name':'cpu','nominalQuota':1,'lendingLimit':'1001m'}]}]}]",
             {"spec.resourceGroups[0].flavors[0].resources[0].lendingLimit: Invalid"}},
        Case{"a weight is 0 or more than 1n", "'fairSharing':{'weight':'0'}", {}},
        Case{"a weight is not negative",
             "'fairSharing':{'weight':'-1'}",
             {"spec.fairSharing: Invalid"}},
        Case{"a weight is not lost in rounding",
             "'fairSharing':{'weight':'1n'}",
             {"spec.fairSharing: Invalid"}},
        Case{"the namespace selector is one",
             "'namespaceSelector':{'matchLabels':{'-':''}}",
             {"spec.namespaceSelector.matchLabels: Invalid"}}));

class PolicyRule : public ::testing::TestWithParam<Case> {};

TEST_P(PolicyRule, Holds) {
  EXPECT_THAT(Faults(GetParam().object), ElementsAreArray(GetParam().faults)) << GetParam().rule;
}

INSTANTIATE_TEST_SUITE_P(
    OfClusterQueues, PolicyRule,
    ::testing::Values(
        Case{"borrowWithinCohort requires reclaimWithinCohort",
             "'preemption':{'reclaimWithinCohort':'Never','borrowWithinCohort':{'policy':"
             "'LowerPriority'}}",
             {"spec.preemption: Invalid"}},
        Case{"an unset borrowing policy is not Never",
             "'preemption':{'reclaimWithinCohort':'Never','borrowWithinCohort':{}}",
             {"spec.preemption: Invalid"}},
        Case{"borrowWithinCohort is allowed with reclaimWithinCohort",
             "'preemption':{'reclaimWithinCohort':'Any','borrowWithinCohort':{'policy':"
             "'LowerPriority'}}",
             {}},
        Case{"a preference needs the whole search",
             "'flavorFungibility':{'whenCanBorrow':'TryNextFlavor','preference':"
             "'BorrowingOverPreemption'}",
             {"spec.flavorFungibility.preference: Invalid"}},
        Case{"a preference with the whole search is accepted",
             "'flavorFungibility':{'whenCanBorrow':'TryNextFlavor','whenCanPreempt':"
             "'TryNextFlavor','preference':'BorrowingOverPreemption'}",
             {}},
        Case{"checks name flavors of the queue",
             "'resourceGroups':[{'coveredResources':[],'flavors':[{'name':'f'}]}],"
             "'admissionChecksStrategy':{'admissionChecks':[{'name':'a','onFlavors':['f','g']}]}",
             {"spec.admissionChecksStrategy.admissionChecks[0].onFlavors[1]: NotSupported"}}));

TEST(ClusterQueueUpdate, ToleratesFlavorsOfChecksThatWereStoredSo) {
  const std::string wrong =
      "'admissionChecksStrategy':{'admissionChecks':[{'name':'a','onFlavors':['g']}]}";
  const ClusterQueue old = Queue(wrong);
  const ClusterQueue same = Queue(wrong + ",'cohortName':'c'");
  const ClusterQueue other =
      Queue("'admissionChecksStrategy':{'admissionChecks':[{'name':'a','onFlavors':['h']}]}");
  const ClusterQueue with_flavor =
      Queue(wrong + ",'resourceGroups':[{'coveredResources':[],'flavors':[{'name':'f'}]}]");
  EXPECT_THAT(ValidateClusterQueue(same, &old, {}), IsEmpty());
  EXPECT_EQ(ValidateClusterQueue(other, &old, {}).size(), 1u);
  EXPECT_EQ(ValidateClusterQueue(with_flavor, &old, {}).size(), 1u);
  EXPECT_EQ(
      ValidateClusterQueue(same, &old, With(Gate::kRejectUpdatesToCQWithInvalidOnFlavors)).size(),
      1u);
}

TEST(ClusterQueueUpdate, KeepsTheConcurrentAdmissionPolicy) {
  const ClusterQueue old = Queue("");
  const ClusterQueue now =
      Queue("'concurrentAdmissionPolicy':{'migration':{'mode':'TryPreferredFlavors'}}");
  EXPECT_THAT(FaultsOf(ValidateClusterQueue(now, &old, {})),
              ElementsAre("spec.concurrentAdmissionPolicy: Invalid"));
  EXPECT_THAT(ValidateClusterQueue(now, &now, {}), IsEmpty());
}

TEST(ConcurrentAdmission, IsCheckedWhereItsGateIsOn) {
  const std::string spec =
      "'queueingStrategy':'StrictFIFO','concurrentAdmissionPolicy':{'migration':{'mode':"
      "'RetainFirstAdmission','constraints':{}}}";
  EXPECT_THAT(Faults(spec), IsEmpty());
  EXPECT_THAT(Faults(spec, With(Gate::kConcurrentAdmission)),
              ElementsAre("spec.resourceGroups: Invalid",
                          "spec.concurrentAdmissionPolicy.migration.constraints: Forbidden",
                          "spec.queueingStrategy: Invalid"));
}

TEST(ClusterQueueSize, IsBoundedOverAllGroups) {
  ClusterQueue queue;
  queue.spec.resource_groups.resize(2);
  for (int i = 0; i < 257; ++i) {
    queue.spec.resource_groups[i % 2].flavors.push_back(
        {.name = "f" + std::to_string(i), .resources = {}, .extra = {}});
    queue.spec.resource_groups[i % 2].covered_resources.push_back("r" + std::to_string(i));
  }
  EXPECT_THAT(FaultsOf(ValidateClusterQueue(queue, nullptr, {})),
              ElementsAre("spec.resourceGroups: Invalid", "spec.resourceGroups: Invalid"));
}

TEST(ExcludedPrefixes, MustBeginResourceNames) {
  EXPECT_THAT(Faults("'excludeResourcePrefixes':['example.com','hugepages-']"), IsEmpty());
  EXPECT_THAT(Faults("'excludeResourcePrefixes':['a','not a name','x/y/z']"),
              ElementsAre("spec.excludeResourcePrefixes[1]: Invalid",
                          "spec.excludeResourcePrefixes[2]: Invalid"));
}

TEST(ExcludedPrefixes, WarnOfLikelyMistakes) {
  const auto warnings = [](const std::string& spec, ValidationOptions options) {
    return FaultsOf(WarningsForClusterQueue(Queue(spec), options));
  };
  const ValidationOptions on = With(Gate::kClusterQueueResourceExclusion);
  EXPECT_THAT(warnings("'excludeResourcePrefixes':['x.com','y.com']", on), IsEmpty());
  EXPECT_THAT(warnings("'excludeResourcePrefixes':['x.com','x.com']", on),
              ElementsAre("spec.excludeResourcePrefixes[1]: Duplicate"));
  EXPECT_THAT(warnings("'excludeResourcePrefixes':['cpu','nvidia.com']", on),
              ElementsAre("spec.excludeResourcePrefixes[0]: Invalid",
                          "spec.excludeResourcePrefixes[1]: Invalid"));
  EXPECT_THAT(warnings("'excludeResourcePrefixes':['x.com']," + Group("'x.com/gpu'", ""), on),
              ElementsAre("spec.excludeResourcePrefixes[0]: Invalid"));
  ValidationOptions only_declared = on;
  only_declared.checks_only_declared = true;
  EXPECT_THAT(warnings("'excludeResourcePrefixes':['x.com']", only_declared),
              ElementsAre("spec.excludeResourcePrefixes: Invalid"));
}

TEST(ExcludedPrefixes, OfTheConfigurationMakeQuotaIneffective) {
  Configuration configuration;
  configuration.resources.emplace().exclude_resource_prefixes = {"x.com"};
  const ClusterQueue queue = Queue(Group("'cpu','x.com/gpu'", ""));
  FeatureGates gates;
  const schema::Problems warnings =
      WarningsForClusterQueue(queue, ValidationOptions::From(configuration, gates));
  EXPECT_THAT(FaultsOf(warnings),
              ElementsAre("spec.resourceGroups[0].coveredResources[1]: Invalid"));
  EXPECT_THAT(warnings[0].message, HasSubstr("in the Configuration"));
  gates.Set(Gate::kQuotaCheck, true);
  configuration.resources->quota_check = "OnlyDeclared";
  EXPECT_THAT(WarningsForClusterQueue(queue, ValidationOptions::From(configuration, gates)),
              IsEmpty());
}

TEST(NewFields, WarnWhileTheirGateIsOff) {
  const schema::Problems warnings =
      WarningsForClusterQueue(Queue("'excludeResourcePrefixes':['x.com']," +
                                    Group("'g'",
                                          "{'name':'f','resources':[{'name':'g','nominalQuota':1,"
                                          "'kind':'DeviceClass','deviceClassNames':['a']}]}")),
                              {});
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_THAT(warnings[0].hint, HasSubstr("ClusterQueueResourceExclusion"));
  EXPECT_THAT(warnings[1].hint, HasSubstr("KueueDynamicResourceAllocation"));
}

std::string Devices(const std::string& resource, const std::string& classes) {
  return "{'name':'" + resource + "','nominalQuota':1,'kind':'DeviceClass','deviceClassNames':[" +
         classes + "]}";
}

TEST(DeviceClasses, MayFormSeveralResources) {
  EXPECT_THAT(Faults(Group("'one','two'", "{'name':'f','resources':[" + Devices("one", "'a','b'") +
                                              "," + Devices("two", "'c'") + "]},{'name':'g'," +
                                              "'resources':[" + Devices("one", "'b','a'") + "," +
                                              Devices("two", "'c'") + "]}")),
              IsEmpty());
}

TEST(DeviceClasses, OccurOnceInAResource) {
  EXPECT_THAT(
      Faults(Group("'one'", "{'name':'f','resources':[" + Devices("one", "'a','a'") + "]}")),
      ElementsAre("spec.resourceGroups[0].flavors[0].resources[0].deviceClassNames[1]: Duplicate"));
}

TEST(DeviceClasses, HaveQuotaInWholeDevices) {
  const auto quota = [](const std::string& nominal) {
    return ValidateClusterQueue(
        Queue(Group("'gpus'", "{'name':'f','resources':[{'name':'gpus','nominalQuota':" + nominal +
                                  ",'kind':'DeviceClass','deviceClassNames':['a']}]}")),
        nullptr, {});
  };
  EXPECT_THAT(quota("2"), IsEmpty());
  EXPECT_THAT(quota("'2k'"), IsEmpty());
  EXPECT_THAT(quota("'2000m'"), IsEmpty());
  ASSERT_EQ(quota("'1500m'").size(), 1u);
  EXPECT_EQ(schema::ToString(quota("'1500m'")[0]),
            "spec.resourceGroups[0].flavors[0].resources[0].nominalQuota: 1500m is not a whole "
            "number of devices (write 1 or 2; devices are counted as a whole)");
}

TEST(DeviceClasses, CountAsOneResource) {
  EXPECT_THAT(
      Faults(Group("'one','two'", "{'name':'f','resources':[" + Devices("one", "'a'") + "," +
                                      Devices("two", "'a'") + "]}")),
      ElementsAre("spec.resourceGroups[0].flavors[0].resources[1].deviceClassNames[0]: Invalid"));
}

TEST(DeviceClasses, AreTheSameInEveryFlavor) {
  const std::string field = "spec.resourceGroups[0].flavors[1].resources[0].deviceClassNames";
  EXPECT_THAT(
      Faults(Group("'one'", "{'name':'f','resources':[" + Devices("one", "'a'") +
                                "]},{'name':'g','resources':[" + Devices("one", "'a','b'") + "]}")),
      ElementsAre(field + ": Invalid"));
  EXPECT_THAT(Faults(Group("'one'", "{'name':'f','resources':[" + Devices("one", "'a'") +
                                        "]},{'name':'g','resources':[{'name':'one',"
                                        "'nominalQuota':1}]}")),
              ElementsAre(field + ": Invalid"));
}

TEST(DeviceClasses, AreNotCoveredByTheirOwnNames) {
  const ClusterQueue queue =
      Queue(Group("'gpu.example.com'",
                  "{'name':'f','resources':[" + Devices("single-gpu", "'gpu.example.com'") + "]}"));
  const schema::Problems problems = ValidateClusterQueue(queue, nullptr, {});
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].hint,
            "coveredResources lists resources, not device classes: write \"single-gpu\" there");
}

TEST(DeviceClasses, AreCoveredUnderTheNameOfTheirResource) {
  const auto hints = [](const ClusterQueue& queue) {
    std::vector<std::string> all;
    for (const schema::Problem& p : ValidateClusterQueue(queue, nullptr, {})) all.push_back(p.hint);
    return all;
  };
  EXPECT_THAT(hints(Queue(Group("'single-gpus'", "{'name':'f','resources':[" +
                                                     Devices("single-gpu", "'a'") + "]}"))),
              ElementsAre("write the same name in both; coveredResources does not have "
                          "\"single-gpu\""));
  EXPECT_THAT(hints(Queue(Group("'one'", "{'name':'f','resources':[" + Devices("one", "'a'") + "," +
                                             Devices("two", "'b'") + "]}"))),
              ElementsAre("add \"two\" there, behind the others"));
}

TEST(DeviceClasses, AreKnownByResourceForComparingQueues) {
  const ClusterQueue queue =
      Queue(Group("'one','cpu'", "{'name':'f','resources':[" + Devices("one", "'b','a'") +
                                     ",{'name':'cpu','nominalQuota':1}]}"));
  const auto classes = DeviceClassesByResource(queue.spec.resource_groups);
  EXPECT_EQ(classes.size(), 1u);
  EXPECT_THAT(*classes.Find("one"), ElementsAre("a", "b"));
}

}  // namespace
}  // namespace berth::api
