#include "api/kueue/rules/resource_flavor_rules.h"

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
  return FaultsOf(ValidateResourceFlavor(Read<ResourceFlavor>("{'spec':{" + spec + "}}")));
}

TEST(ResourceFlavorRules, AcceptWhatNodesMayHave) {
  EXPECT_THAT(Faults("'nodeLabels':{'x.com/type':'a100','zone':''},'nodeTaints':[{'key':'gpu',"
                     "'value':'yes','effect':'NoSchedule'},{'key':'gpu','effect':'NoExecute'}],"
                     "'tolerations':[{'operator':'Exists'},{'key':'gpu','operator':'Exists'}]"),
              IsEmpty());
}

TEST(ResourceFlavorRules, ReportEachFaultOfALabelOnTheMap) {
  EXPECT_THAT(Faults("'nodeLabels':{'bad key':'bad value'}"),
              ElementsAre("spec.nodeLabels: Invalid", "spec.nodeLabels: Invalid"));
}

TEST(ResourceFlavorRules, WantOneTaintForAKeyAndEffect) {
  EXPECT_THAT(Faults("'nodeTaints':[{'key':'a','value':'1','effect':'NoSchedule'},"
                     "{'key':'a','value':'2','effect':'NoSchedule'}]"),
              ElementsAre("spec.nodeTaints[1]: Duplicate"));
}

TEST(ResourceFlavorRules, WantTaintsOfTheRightForm) {
  EXPECT_THAT(Faults("'nodeTaints':[{'key':'','value':'a b','effect':'NoSchedule'}]"),
              ElementsAre("spec.nodeTaints[0].key: Invalid", "spec.nodeTaints[0].key: Invalid",
                          "spec.nodeTaints[0].value: Invalid"));
}

TEST(ResourceFlavorRules, WantTolerationKeysOfTheRightForm) {
  EXPECT_THAT(Faults("'tolerations':[{'key':'a b','operator':'Exists'}]"),
              ElementsAre("spec.tolerations[0].key: Invalid"));
}

}  // namespace
}  // namespace berth::api
