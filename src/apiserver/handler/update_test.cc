#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/testing/test_handler.h"

namespace berth::apiserver {
namespace {

using namespace testing;  // NOLINT: the builders of this module
using ::testing::HasSubstr;
using ::testing::StartsWith;

const store::Resource kDeployments{.group = "apps",
                                   .version = "v1",
                                   .plural = "deployments",
                                   .kind = "Deployment",
                                   .is_namespaced = true};
const store::Resource kQueues{.group = "kueue.x-k8s.io",
                              .version = "v1beta2",
                              .plural = "localqueues",
                              .kind = "LocalQueue",
                              .is_namespaced = true};

constexpr const char* kJob = R"({"metadata":{"name":"a"},"spec":{"suspend":true,
    "template":{"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}})";

std::string VersionOf(const json::value& object) {
  return std::string(json::StringAt(object, {"metadata", "resourceVersion"}));
}

// The object's JSON after changing its tree.
template <class Change>
std::string Changed(json::value object, Change change) {
  change(object);
  return json::Print(object);
}

class UpdateTest : public ::testing::Test {
 protected:
  json::value Make(const store::Resource& resource, std::string object) {
    const auto reply = handler_.Create(resource, std::move(object));
    EXPECT_EQ(ErrorOf(reply), "");
    return TreeOf(reply);
  }

  TestHandler handler_;
};

TEST_F(UpdateTest, ReplacesTheObject) {
  auto object = Make(kConfigMaps, R"({"metadata":{"name":"a"},"data":{"k":"v","l":"w"}})");
  const auto reply = handler_.Update(
      kConfigMaps, "a", Changed(object, [](json::value& o) { o.at("data") = {{"k", "x"}}; }));
  ASSERT_EQ(ErrorOf(reply), "");
  EXPECT_EQ(At(TreeOf(reply), "data"), R"({"k":"x"})");
  EXPECT_EQ(At(TreeOf(reply), "metadata.uid"), At(object, "metadata.uid"));
}

TEST_F(UpdateTest, OfAStaleVersionIsAConflict) {
  auto object = Make(kConfigMaps, R"({"metadata":{"name":"a"}})");
  handler_.Merge(kConfigMaps, "a", R"({"data":{"k":"1"}})");
  EXPECT_EQ(ErrorOf(handler_.Update(kConfigMaps, "a", json::Print(object))),
            "409 Conflict: Operation cannot be fulfilled on configmaps \"a\": the object has been "
            "modified; please apply your changes to the latest version and try again");
}

TEST_F(UpdateTest, WithoutAVersionOverwritesOnlyBuiltInKinds) {
  Make(kConfigMaps, R"({"metadata":{"name":"a"}})");
  EXPECT_EQ(
      ErrorOf(handler_.Update(kConfigMaps, "a", R"({"metadata":{"name":"a"},"data":{"k":"v"}})")),
      "");
  Make(kQueues, R"({"metadata":{"name":"q"},"spec":{"clusterQueue":"c"}})");
  EXPECT_THAT(
      ErrorOf(handler_.Update(kQueues, "q",
                              R"({"metadata":{"name":"q"},"spec":{"clusterQueue":"c"}})")),
      HasSubstr("metadata.resourceVersion: Invalid value: must be specified for an update"));
}

TEST_F(UpdateTest, OfAnotherObjectOfThatNameIsAConflict) {
  Make(kConfigMaps, R"({"metadata":{"name":"a"}})");
  EXPECT_THAT(ErrorOf(handler_.Update(kConfigMaps, "a", R"({"metadata":{"name":"a","uid":"b"}})")),
              HasSubstr("409 Conflict: Operation cannot be fulfilled on configmaps \"a\": "
                        "Precondition failed: UID in precondition: b"));
}

TEST_F(UpdateTest, OfAMissingObjectIsNotFound) {
  EXPECT_EQ(ErrorOf(handler_.Update(kConfigMaps, "a", R"({"metadata":{"name":"a"}})")),
            "404 NotFound: configmaps \"a\" not found");
}

TEST_F(UpdateTest, RejectsANameThatDiffersFromTheUrl) {
  Make(kConfigMaps, R"({"metadata":{"name":"a"}})");
  EXPECT_THAT(ErrorOf(handler_.Update(kConfigMaps, "a", R"({"metadata":{"name":"b"}})")),
              HasSubstr("the name of the object (b) does not match the name on the URL (a)"));
}

TEST_F(UpdateTest, ThatChangesNothingKeepsTheVersion) {
  const auto object = Make(kJobs, kJob);
  const auto reply = handler_.Update(kJobs, "a", json::Print(object));
  ASSERT_EQ(ErrorOf(reply), "");
  EXPECT_EQ(VersionOf(TreeOf(reply)), VersionOf(object));
  EXPECT_EQ(VersionOf(TreeOf(handler_.Merge(kJobs, "a", R"({"spec":{"suspend":true}})"))),
            VersionOf(object));
}

TEST_F(UpdateTest, IncrementsTheGenerationOnlyForTheSpec) {
  Make(kJobs, kJob);
  EXPECT_EQ(At(TreeOf(handler_.Merge(kJobs, "a", R"({"metadata":{"labels":{"l":"1"}}})")),
               "metadata.generation"),
            "1");
  EXPECT_EQ(At(TreeOf(handler_.Merge(kJobs, "a", R"({"spec":{"suspend":false}})")),
               "metadata.generation"),
            "2");
  EXPECT_EQ(At(TreeOf(handler_.Merge(kJobs, "a", R"({"status":{"active":1}})", "status")),
               "metadata.generation"),
            "2");
}

TEST_F(UpdateTest, SeparatesSpecFromStatus) {
  Make(kJobs, kJob);
  const auto after_spec =
      TreeOf(handler_.Merge(kJobs, "a", R"({"spec":{"suspend":false},"status":{"active":1}})"));
  EXPECT_EQ(At(after_spec, "spec.suspend"), "false");
  EXPECT_EQ(At(after_spec, "status.active"), "");
  const auto after_status = TreeOf(
      handler_.Merge(kJobs, "a", R"({"spec":{"suspend":true},"status":{"active":1}})", "status"));
  EXPECT_EQ(At(after_status, "spec.suspend"), "false");
  EXPECT_EQ(At(after_status, "status.active"), "1");
}

TEST_F(UpdateTest, OfACustomStatusIgnoresLabels) {
  Make(kQueues, R"({"metadata":{"name":"q"},"spec":{"clusterQueue":"c"}})");
  const auto object = TreeOf(handler_.Merge(
      kQueues, "q", R"({"metadata":{"labels":{"l":"1"}},"status":{"pendingWorkloads":3}})",
      "status"));
  EXPECT_EQ(At(object, "status.pendingWorkloads"), "3");
  EXPECT_EQ(At(object, "metadata.labels"), "");
}

TEST_F(UpdateTest, RejectsImmutableFieldsOfAJob) {
  Make(kJobs, kJob);
  EXPECT_THAT(ErrorOf(handler_.Merge(kJobs, "a", R"({"spec":{"completions":5}})")),
              HasSubstr("spec.completions: Invalid value: field is immutable"));
  EXPECT_EQ(ErrorOf(handler_.Merge(kJobs, "a",
                                   R"({"spec":{"template":{"spec":{"nodeSelector":{"a":"b"}}}}})")),
            "")
      << "a suspended job may be placed";
  handler_.Merge(kJobs, "a", R"({"spec":{"suspend":false}})");
  EXPECT_THAT(ErrorOf(handler_.Merge(
                  kJobs, "a", R"({"spec":{"template":{"spec":{"nodeSelector":{"a":"c"}}}}})")),
              HasSubstr("spec.template: Invalid value: field is immutable"));
}

TEST_F(UpdateTest, MovesStringDataOfASecretToData) {
  const store::Resource secrets{
      .version = "v1", .plural = "secrets", .kind = "Secret", .is_namespaced = true};
  const auto object = Make(secrets, R"({"metadata":{"name":"s"},"stringData":{"k":"hello"}})");
  EXPECT_EQ(At(object, "data.k"), "\"aGVsbG8=\"");
  EXPECT_EQ(At(object, "stringData"), "");
}

TEST_F(UpdateTest, ScalesThroughTheSubresource) {
  Make(kDeployments, R"({"metadata":{"name":"d"},"spec":{"replicas":2,
      "selector":{"matchLabels":{"a":"b"}},
      "template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}})");
  const store::Get get{
      .resource = kDeployments, .namespace_ = "default", .name = "d", .subresource = "scale"};
  const auto scale = TreeOf(handler_.Do(get));
  EXPECT_EQ(At(scale, "kind"), "\"Scale\"");
  EXPECT_EQ(At(scale, "spec.replicas"), "2");
  EXPECT_EQ(At(scale, "status.selector"), "\"a=b\"");
  EXPECT_EQ(At(TreeOf(handler_.Merge(kDeployments, "d", R"({"spec":{"replicas":5}})", "scale")),
               "spec.replicas"),
            "5");
  EXPECT_EQ(At(handler_.Get(kDeployments, "d"), "spec.replicas"), "5");
  EXPECT_THAT(ErrorOf(handler_.Update(kDeployments, "d", R"({"spec":{"replicas":-1}})", "scale")),
              HasSubstr("spec.replicas: Invalid value: -1"));
  EXPECT_THAT(ErrorOf(handler_.Update(kDeployments, "d", json::Print(scale), "scale")),
              StartsWith("409 Conflict"));
}

TEST_F(UpdateTest, ThatRemovesTheLastFinalizerRemovesATerminatingObject) {
  Make(kConfigMaps, R"({"metadata":{"name":"a","finalizers":["x.io/a","x.io/b"]}})");
  handler_.Delete(kConfigMaps, "a");
  handler_.Merge(kConfigMaps, "a", R"({"metadata":{"finalizers":["x.io/b"]}})");
  EXPECT_TRUE(handler_.Has(kConfigMaps, "a"));
  const auto last = handler_.Merge(kConfigMaps, "a", R"({"metadata":{"finalizers":null}})");
  EXPECT_TRUE(last->was_removed);
  EXPECT_FALSE(handler_.Has(kConfigMaps, "a"));
}

TEST_F(UpdateTest, RejectsNewFinalizersOfATerminatingObject) {
  Make(kConfigMaps, R"({"metadata":{"name":"a","finalizers":["x.io/a"]}})");
  handler_.Delete(kConfigMaps, "a");
  EXPECT_THAT(ErrorOf(handler_.Merge(kConfigMaps, "a",
                                     R"({"metadata":{"finalizers":["x.io/a","x.io/b"]}})")),
              HasSubstr("metadata.finalizers: Forbidden: no new finalizers can be added"));
}

TEST_F(UpdateTest, PatchesWithJsonAndStrategicPatches) {
  Make(kConfigMaps, R"({"metadata":{"name":"a","finalizers":["x.io/a"]},"data":{"k":"v"}})");
  store::Patch patch{.resource = kConfigMaps, .namespace_ = "default", .name = "a"};
  patch.type = store::PatchType::kJson;
  patch.body = R"([{"op":"replace","path":"/data/k","value":"w"}])";
  EXPECT_EQ(At(TreeOf(handler_.Do(patch)), "data.k"), "\"w\"");
  patch.type = store::PatchType::kStrategic;
  patch.body = R"({"metadata":{"finalizers":["x.io/b"]}})";
  EXPECT_THAT(At(TreeOf(handler_.Do(patch)), "metadata.finalizers"), HasSubstr("x.io/a"));
  patch.resource = kQueues;
  Make(kQueues, R"({"metadata":{"name":"a"},"spec":{"clusterQueue":"c"}})");
  EXPECT_THAT(handler_.Error(patch), StartsWith("415 UnsupportedMediaType"));
}

TEST_F(UpdateTest, ChecksTheResourceVersionOfAPatch) {
  Make(kConfigMaps, R"({"metadata":{"name":"a"}})");
  EXPECT_THAT(ErrorOf(handler_.Merge(kConfigMaps, "a",
                                     R"({"metadata":{"resourceVersion":"1"},"data":{"k":"v"}})")),
              StartsWith("409 Conflict"));
}

TEST_F(UpdateTest, AppliesAndReportsConflicts) {
  store::Patch apply{.resource = kConfigMaps,
                     .namespace_ = "default",
                     .name = "a",
                     .type = store::PatchType::kApply,
                     .body = R"({"apiVersion":"v1","kind":"ConfigMap","data":{"k":"1"}})",
                     .options = {.field_manager = "one"}};
  const auto created = handler_.Do(apply);
  ASSERT_EQ(ErrorOf(created), "");
  EXPECT_TRUE(created->was_created);
  EXPECT_EQ(VersionOf(TreeOf(handler_.Do(apply))), VersionOf(TreeOf(created)))
      << "the same again changes nothing";
  apply.options.field_manager = "two";
  apply.body = R"({"apiVersion":"v1","kind":"ConfigMap","data":{"k":"2"}})";
  const auto refused = handler_.Do(apply);
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().IsConflict());
  EXPECT_EQ(refused.error().status.details->causes.at(0).reason, "FieldManagerConflict");
  apply.is_forced = true;
  apply.body = "apiVersion: v1\nkind: ConfigMap\ndata:\n  k: '2'\n";
  EXPECT_EQ(At(TreeOf(handler_.Do(apply)), "data.k"), "\"2\"");
  apply.options.field_manager.clear();
  EXPECT_THAT(handler_.Error(apply), HasSubstr("fieldManager"));
}

}  // namespace
}  // namespace berth::apiserver
