#include "api/core/pod_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/core/pod.h"
#include "schema/decode.h"
#include "schema/defaults.h"
#include "schema/encode.h"
#include "schema/validate.h"

namespace berth::api {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> StrictProblems(std::string_view json) {
  std::vector<std::string> problems;
  const auto spec = schema::Decode<PodSpec>(json, {.is_strict = true});
  if (spec) return problems;
  for (const schema::Problem& p : spec.error()) problems.push_back(p.field + ": " + p.hint);
  return problems;
}

TEST(PodSpec, FindsTyposInCarriedFields) {
  EXPECT_THAT(
      StrictProblems(R"({"containers":[{"name":"a","livenessProbe":{"httpGt":{"port":1}}}]})"),
      ElementsAre(HasSubstr("containers[0].livenessProbe.httpGt: did you mean \"httpGet\"")));
  EXPECT_THAT(StrictProblems(R"({"containers":[],"volumes":[{"name":"v","emptyDri":{}}]})"),
              ElementsAre(HasSubstr("volumes[0].emptyDri: did you mean \"emptyDir\"")));
  EXPECT_THAT(
      StrictProblems(R"({"containers":[],"ephemeralContainers":[{"name":"d","imge":"x"}]})"),
      ElementsAre(HasSubstr("ephemeralContainers[0].imge: did you mean \"image\"")));
}

TEST(PodSpec, FindsWrongTypesInCarriedFields) {
  EXPECT_THAT(StrictProblems(R"({"containers":[],"hostPID":"yes"})"),
              ElementsAre(HasSubstr("hostPID")));
  EXPECT_THAT(StrictProblems(R"({"containers":[],"securityContext":{"fsGroup":"users"}})"),
              ElementsAre(HasSubstr("securityContext.fsGroup")));
}

TEST(PodSpec, KeepsCarriedFields) {
  const std::string json = R"({"containers":[{"name":"a","tty":true}],"dnsPolicy":"None"})";
  const auto spec = schema::Decode<PodSpec>(json, {.is_strict = true});
  ASSERT_TRUE(spec) << schema::ToString(spec.error().at(0));
  EXPECT_EQ(schema::Encode(*spec), json);
}

TEST(PodSpec, DistinguishesSidecarsFromInitContainers) {
  const auto spec = schema::Decode<PodSpec>(
      R"({"containers":[],"initContainers":[{"name":"a","restartPolicy":"Always"},{"name":"b"}]})");
  ASSERT_TRUE(spec) << schema::ToString(spec.error().at(0));
  EXPECT_EQ(spec->init_containers[0].restart_policy, kContainerRestartAlways);
  EXPECT_EQ(spec->init_containers[1].restart_policy, std::nullopt);
}

TEST(PodSpec, KeepsEmptyResourcesApartFromNone) {
  EXPECT_FALSE(schema::Decode<PodSpec>(R"({"containers":[]})")->resources);
  EXPECT_TRUE(schema::Decode<PodSpec>(R"({"containers":[],"resources":{}})")->resources);
}

TEST(PodSpec, DefaultsTheProtocolOfPorts) {
  auto spec = schema::Decode<PodSpec>(
      R"({"containers":[{"name":"a","ports":[{"containerPort":53},{"containerPort":53,"protocol":"UDP"}]}]})");
  ASSERT_TRUE(spec) << schema::ToString(spec.error().at(0));
  schema::ApplyDefaults(*spec);
  EXPECT_EQ(spec->containers[0].ports[0].protocol, "TCP");
  EXPECT_THAT(schema::Validate(*spec), ElementsAre());
}

TEST(PodSpec, RefusesTwoContainersOfOneName) {
  PodSpec spec{.containers = {{.name = "a"}, {.name = "a"}}};
  const schema::Problems problems = schema::Validate(spec);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].type, schema::ProblemType::kDuplicate);
  EXPECT_EQ(problems[0].field, "containers[1]");
}

TEST(PodSpec, DefinesMergeKeysOfItsLists) {
  const auto patch_key = [](std::string_view name) {
    for (const schema::Field& field : PodSpec::Description().fields) {
      if (field.name == name) return field.patch_key;
    }
    return std::string_view("no such field");
  };
  EXPECT_EQ(patch_key("containers"), "name");
  EXPECT_EQ(patch_key("volumes"), "name");
  EXPECT_EQ(patch_key("hostAliases"), "ip");
  EXPECT_EQ(patch_key("topologySpreadConstraints"), "topologyKey");
  EXPECT_EQ(patch_key("tolerations"), "");
}

}  // namespace
}  // namespace berth::api
