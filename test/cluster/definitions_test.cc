// The CustomResourceDefinitions on a real API server.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/config/configuration.h"
#include "cluster/control_plane.h"
#include "embedded/testing/live_test.h"

namespace berth::cluster {
namespace {

using ::testing::IsEmpty;

api::Configuration DefaultConfiguration() {
  api::Configuration configuration;
  api::ApplyConfigurationDefaults(configuration);
  return configuration;
}

std::vector<json::value> AllManifests() {
  return install::Manifests({.configuration = DefaultConfiguration()});
}

TEST(Definitions, AndAllOtherManifestsAreAcceptedWithoutWarnings) {
  ControlPlane& plane = ControlPlane::Get();
  ASSERT_TRUE(plane.Clear());
  ASSERT_TRUE(plane.Install(DefaultConfiguration()));  // for the namespace
  size_t definitions = 0;
  for (const json::value& object : AllManifests()) {
    definitions += json::StringAt(object, {"kind"}) == "CustomResourceDefinition" ? 1 : 0;
    const auto applied = plane.Apply(object, /*is_dry_run=*/true);
    ASSERT_TRUE(applied) << store::ToString(applied.error()) << " for " << object;
    EXPECT_THAT(applied->warnings, IsEmpty()) << object;
  }
  EXPECT_GE(definitions, 11u);
}

TEST(Definitions, HaveNoWarningCondition) {
  const embedded::testing::LiveCluster cluster = embedded::testing::StartCluster();
  for (const json::value& object : AllManifests()) {
    if (json::StringAt(object, {"kind"}) != "CustomResourceDefinition") continue;
    const auto got = ControlPlane::Get().Do(
        store::Get{.resource = ResourceOfObject(object),
                   .namespace_ = "",
                   .name = std::string(json::StringAt(object, {"metadata", "name"}))});
    ASSERT_TRUE(got) << store::ToString(got.error());
    const json::value tree = *json::Parse(got->object.text());
    for (const json::value& condition : json::Find(tree, {"status", "conditions"})->as_array()) {
      const std::string_view type = json::StringAt(condition, {"type"});
      EXPECT_TRUE(type == "Established" || type == "NamesAccepted") << condition;
      EXPECT_EQ(json::StringAt(condition, {"status"}), "True") << condition;
    }
  }
}

}  // namespace
}  // namespace berth::cluster
