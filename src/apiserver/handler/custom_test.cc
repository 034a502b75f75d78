#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/gc/collector.h"
#include "apiserver/testing/test_handler.h"
#include "store/testing/eventually.h"

namespace berth::apiserver {
namespace {

using namespace testing;  // NOLINT: the builders of this module
using ::testing::HasSubstr;
using ::testing::StartsWith;

const store::Resource kDefinitions{.group = "apiextensions.k8s.io",
                                   .version = "v1",
                                   .plural = "customresourcedefinitions",
                                   .kind = "CustomResourceDefinition"};
const store::Resource kTrains{.group = "example.com",
                              .version = "v1",
                              .plural = "trains",
                              .kind = "Train",
                              .is_namespaced = true};

constexpr const char* kDefinition = R"({
  "metadata":{"name":"trains.example.com"},
  "spec":{"group":"example.com","scope":"Namespaced",
    "names":{"plural":"trains","kind":"Train"},
    "versions":[
      {"name":"v1","served":true,"storage":true,
       "schema":{"openAPIV3Schema":{"type":"object","properties":{
         "spec":{"type":"object","properties":{
           "cars":{"type":"integer","minimum":0},"line":{"type":"string","default":"ring"}}},
         "status":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}},
       "subresources":{"status":{},"scale":{"specReplicasPath":".spec.cars",
         "statusReplicasPath":".status.cars"}},
       "selectableFields":[{"jsonPath":".spec.line"}]},
      {"name":"v1alpha1","served":true,"storage":false,"deprecated":true,
       "schema":{"openAPIV3Schema":{"type":"object","x-kubernetes-preserve-unknown-fields":true}},
       "subresources":{"status":{}}},
      {"name":"v0","served":false,"storage":false,
       "schema":{"openAPIV3Schema":{"type":"object"}}}]}})";

constexpr const char* kTrain =
    R"({"metadata":{"name":"t"},"spec":{"cars":3,"line":"north"},"status":{"cars":9}})";

class CustomKindTest : public ::testing::Test {
 protected:
  CustomKindTest() { EXPECT_EQ(ErrorOf(handler_.Create(kDefinitions, kDefinition)), ""); }

  TestHandler handler_;
};

TEST_F(CustomKindTest, IsEstablishedAtOnce) {
  const auto definition = handler_.Get(kDefinitions, "trains.example.com");
  EXPECT_THAT(At(definition, "status.conditions"),
              HasSubstr(R"("type":"Established","status":"True")"));
  EXPECT_THAT(At(definition, "status.conditions"),
              HasSubstr(R"("type":"NamesAccepted","status":"True")"));
  EXPECT_EQ(At(definition, "status.acceptedNames.listKind"), "\"TrainList\"");
  EXPECT_EQ(At(definition, "status.storedVersions"), R"(["v1"])");
}

TEST_F(CustomKindTest, IsServedAtOnce) {
  EXPECT_NE(handler_->Current()->Find("example.com", "v1", "trains"), nullptr);
  const auto train = TreeOf(handler_.Create(kTrains, kTrain));
  EXPECT_EQ(At(train, "spec.cars"), "3");
  EXPECT_EQ(At(train, "metadata.generation"), "1");
  EXPECT_EQ(At(train, "status"), "");
}

TEST_F(CustomKindTest, IsPrunedDefaultedAndValidatedByItsSchema) {
  const auto reply =
      handler_.Create(kTrains, R"({"metadata":{"name":"t"},"spec":{"cars":3,"smoke":true}})");
  ASSERT_TRUE(reply) << ErrorOf(reply);
  EXPECT_THAT(reply->warnings, ::testing::ElementsAre("unknown field \"spec.smoke\""));
  EXPECT_EQ(At(TreeOf(reply), "spec"), R"({"cars":3,"line":"ring"})");
  EXPECT_THAT(ErrorOf(handler_.Create(kTrains, R"({"metadata":{"name":"u"},"spec":{"cars":-1}})")),
              StartsWith("422 Invalid: Train.example.com \"u\" is invalid: spec.cars"));
  EXPECT_THAT(ErrorOf(handler_.Merge(kTrains, "t", R"({"spec":{"cars":"many"}})")),
              StartsWith("422 Invalid"));
}

TEST_F(CustomKindTest, HasItsSubresources) {
  handler_.Create(kTrains, kTrain);
  handler_.Merge(kTrains, "t", R"({"status":{"cars":2}})", "status");
  const auto scale = TreeOf(handler_.Do(store::Get{
      .resource = kTrains, .namespace_ = "default", .name = "t", .subresource = "scale"}));
  EXPECT_EQ(At(scale, "spec.replicas"), "3");
  EXPECT_EQ(At(scale, "status.replicas"), "2");
}

TEST_F(CustomKindTest, IsSelectedByItsFields) {
  handler_.Create(kTrains, kTrain);
  const auto list = [&](std::string fields) {
    return handler_.Do(
        store::List{.resource = kTrains, .selection = {.field_selector = std::move(fields)}});
  };
  EXPECT_EQ(list("spec.line=north")->items.size(), 1u);
  EXPECT_EQ(list("spec.line=south")->items.size(), 0u);
  EXPECT_THAT(ErrorOf(list("spec.cars=3")), HasSubstr("field label not supported"));
}

TEST_F(CustomKindTest, IsServedInItsOtherVersions) {
  handler_.Create(kTrains, kTrain);
  store::Resource older = kTrains;
  older.version = "v1alpha1";
  const auto reply =
      handler_.Do(store::Get{.resource = older, .namespace_ = "default", .name = "t"});
  EXPECT_EQ(At(TreeOf(reply), "apiVersion"), "\"example.com/v1alpha1\"");
  EXPECT_THAT(reply->warnings, ::testing::ElementsAre("example.com/v1alpha1 Train is deprecated"));
  older.version = "v0";
  EXPECT_THAT(handler_.Error(store::Get{.resource = older, .namespace_ = "default", .name = "t"}),
              StartsWith("404 NotFound"));
}

TEST_F(CustomKindTest, IsRemovedWithAllItsObjects) {
  const Collector collector(*handler_);
  handler_.Create(kTrains, kTrain);
  EXPECT_FALSE(handler_.Delete(kDefinitions, "trains.example.com")->was_removed);
  EXPECT_TRUE(store::testing::Eventually(
      [&] { return !handler_.Has(kDefinitions, "trains.example.com"); }));
  EXPECT_EQ(handler_->storage().Count("trains.example.com"), 0u);
  EXPECT_THAT(ErrorOf(handler_.Create(kTrains, kTrain)), StartsWith("404 NotFound"));
}

TEST(CustomResourceDefinition, MustHaveAStructuralSchema) {
  TestHandler handler;
  std::string definition = kDefinition;
  const std::string typed = R"({"type":"integer","minimum":0})";
  definition.replace(definition.find(typed), typed.size(), R"({"minimum":0})");
  EXPECT_THAT(ErrorOf(handler.Create(kDefinitions, definition)),
              HasSubstr("spec.versions[0].schema.openAPIV3Schema.properties[spec]"));
}

TEST(CustomResourceDefinition, MustBeComplete) {
  TestHandler handler;
  const auto reply = handler.Create(
      kDefinitions, R"({"metadata":{"name":"a"},"spec":{"group":"g.io","names":{"plural":"p"}}})");
  for (const char* part : {"metadata.name: Invalid value: must be spec.names.plural",
                           "spec.names.kind: Required value", "spec.scope: Unsupported value",
                           "spec.versions: Required value"})
    EXPECT_THAT(ErrorOf(reply), HasSubstr(part));
}

}  // namespace
}  // namespace berth::apiserver
