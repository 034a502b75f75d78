#include "api/kueue/resource_flavor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/testing/faults.h"

namespace berth::api {
namespace {

using ::testing::ElementsAre;
using testing::Faults;
using ::testing::IsEmpty;

std::string Flavor(std::string_view spec) { return R"({"spec":{)" + std::string(spec) + "}}"; }

std::vector<std::string> FlavorFaults(std::string_view spec) {
  return Faults<ResourceFlavor>(Flavor(spec));
}

std::vector<std::string> TolerationFaults(std::string_view toleration) {
  return FlavorFaults(R"("tolerations":[{)" + std::string(toleration) + "}]");
}

TEST(FlavorTaints, HaveAKnownEffect) {
  for (std::string_view effect : {"NoSchedule", "PreferNoSchedule", "NoExecute"})
    EXPECT_THAT(
        FlavorFaults(R"("nodeTaints":[{"key":"k","effect":")" + std::string(effect) + "\"}]"),
        IsEmpty());
  for (std::string_view effect : {"", "Never", "noschedule"})
    EXPECT_THAT(
        FlavorFaults(R"("nodeTaints":[{"key":"k","effect":")" + std::string(effect) + "\"}]"),
        ElementsAre("spec.nodeTaints: FieldValueInvalid"));
}

TEST(FlavorTolerations, NeedExistsWithoutKey) {
  EXPECT_THAT(TolerationFaults(R"("operator":"Exists")"), IsEmpty());
  EXPECT_THAT(TolerationFaults(R"("operator":"Equal")"),
              ElementsAre("spec.tolerations: FieldValueInvalid"));
  EXPECT_THAT(TolerationFaults(R"("effect":"NoSchedule")"),
              ElementsAre("spec.tolerations: FieldValueInvalid"));
}

TEST(FlavorTolerations, NeedNoExecuteWithSeconds) {
  EXPECT_THAT(TolerationFaults(R"("key":"k","effect":"NoExecute","tolerationSeconds":0)"),
              IsEmpty());
  EXPECT_THAT(TolerationFaults(R"("key":"k","effect":"NoSchedule","tolerationSeconds":0)"),
              ElementsAre("spec.tolerations: FieldValueInvalid"));
  EXPECT_THAT(TolerationFaults(R"("key":"k","tolerationSeconds":5)"),
              ElementsAre("spec.tolerations: FieldValueInvalid"));
}

TEST(FlavorTolerations, HaveKnownOperatorsAndEffects) {
  EXPECT_THAT(TolerationFaults(R"("key":"k","operator":"Lt","value":"1")"),
              ElementsAre("spec.tolerations: FieldValueInvalid"));
  EXPECT_THAT(TolerationFaults(R"("key":"k","effect":"Never")"),
              ElementsAre("spec.tolerations: FieldValueInvalid"));
}

TEST(FlavorTolerations, HaveNoValueWithExists) {
  EXPECT_THAT(TolerationFaults(R"("key":"k","operator":"Exists","value":"v")"),
              ElementsAre("spec.tolerations: FieldValueInvalid"));
}

TEST(FlavorLists, HaveAtMostEightEntries) {
  const std::string labels =
      R"("nodeLabels":{"a":"","b":"","c":"","d":"","e":"","f":"","g":"","h":"")";
  EXPECT_THAT(FlavorFaults(labels + "}"), IsEmpty());
  EXPECT_THAT(FlavorFaults(labels + R"(,"i":""})"),
              ElementsAre("spec.nodeLabels: FieldValueTooMany"));
}

TEST(FlavorTopology, NeedsANodeLabel) {
  EXPECT_THAT(FlavorFaults(R"("topologyName":"t","nodeLabels":{"a":"b"})"), IsEmpty());
  EXPECT_THAT(FlavorFaults(R"("topologyName":"t")"), ElementsAre("spec: FieldValueInvalid"));
}

TEST(FlavorTopology, CanBeSetOnceAndThenStays) {
  const std::string none = Flavor(R"("nodeLabels":{"a":"b"})");
  const std::string one = Flavor(R"("topologyName":"t","nodeLabels":{"a":"b"})");
  const std::string other = Flavor(R"("topologyName":"u","nodeLabels":{"a":"b"})");
  EXPECT_THAT(Faults<ResourceFlavor>(one, none), IsEmpty());
  EXPECT_THAT(Faults<ResourceFlavor>(one, one), IsEmpty());
  EXPECT_THAT(Faults<ResourceFlavor>(other, one), ElementsAre("spec: FieldValueInvalid"));
  EXPECT_THAT(Faults<ResourceFlavor>(none, one), ElementsAre("spec: FieldValueInvalid"));
}

}  // namespace
}  // namespace berth::api
