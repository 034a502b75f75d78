#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "api/core/node.h"
#include "apiserver/testing/test_handler.h"

namespace berth::apiserver {
namespace {

using namespace testing;  // NOLINT: the builders of this module
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

constexpr const char* kConfigMap = R"({"metadata":{"name":"a"},"data":{"k":"v"}})";
constexpr const char* kJob = R"({
  "apiVersion":"batch/v1","kind":"Job","metadata":{"name":"a"},
  "spec":{"parallelism":2,"template":{"spec":{
    "restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}},
  "status":{"active":7}})";

TEST(Create, AssignsAnIdentity) {
  TestHandler handler;
  const auto object = TreeOf(handler.Create(kJobs, kJob));
  EXPECT_EQ(At(object, "metadata.name"), "\"a\"");
  EXPECT_EQ(At(object, "metadata.namespace"), "\"default\"");
  EXPECT_EQ(At(object, "metadata.creationTimestamp"), "\"2026-01-02T15:04:05Z\"");
  EXPECT_EQ(At(object, "metadata.generation"), "1");
  EXPECT_THAT(
      At(object, "metadata.uid"),
      MatchesRegex("\"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\""));
  EXPECT_NE(At(object, "metadata.resourceVersion"), "");
}

TEST(Create, ReturnsTheStoredObject) {
  TestHandler handler;
  const auto reply = handler.Create(kConfigMaps, kConfigMap);
  ASSERT_TRUE(reply) << ErrorOf(reply);
  EXPECT_TRUE(reply->was_created);
  EXPECT_EQ(handler.Get(kConfigMaps, "a"), TreeOf(reply));
  EXPECT_EQ(reply->object.name, "a");
  EXPECT_EQ(reply->object.namespace_, "default");
  EXPECT_EQ("\"" + reply->object.uid + "\"", At(TreeOf(reply), "metadata.uid"));
  EXPECT_EQ("\"" + reply->object.resource_version + "\"",
            At(TreeOf(reply), "metadata.resourceVersion"));
}

TEST(Create, IgnoresTheStatus) {
  TestHandler handler;
  EXPECT_EQ(At(TreeOf(handler.Create(kJobs, kJob)), "status.active"), "");
}

// A kubelet registers its node together with the status.
TEST(Create, KeepsTheStatusOfANode) {
  TestHandler handler;
  const auto node =
      handler.Create(store::ResourceOf<api::Node>(),
                     R"({"metadata":{"name":"n"},"status":{"allocatable":{"cpu":"4"}}})");
  EXPECT_EQ(At(TreeOf(node), "status.allocatable.cpu"), "\"4\"");
}

TEST(Create, AppliesDefaults) {
  TestHandler handler;
  const auto object = TreeOf(handler.Create(kJobs, kJob));
  EXPECT_EQ(At(object, "spec.backoffLimit"), "6");
  EXPECT_EQ(At(object, "spec.suspend"), "false");
}

TEST(Create, GeneratesTheSelectorOfAJobFromItsUid) {
  TestHandler handler;
  const auto object = TreeOf(handler.Create(kJobs, kJob));
  EXPECT_THAT(At(object, "spec.selector"), HasSubstr(std::string(At(object, "metadata.uid"))));
  EXPECT_THAT(At(object, "spec.template.metadata.labels"),
              HasSubstr(R"("batch.kubernetes.io/job-name":"a")"));
}

TEST(Create, GeneratesANameFromAPrefix) {
  TestHandler handler;
  std::set<std::string> names;
  for (int i = 0; i < 20; ++i)
    names.insert(At(TreeOf(handler.Create(kConfigMaps, R"({"metadata":{"generateName":"run-"}})")),
                    "metadata.name"));
  EXPECT_GE(names.size(), 19u);
  for (const std::string& name : names) EXPECT_THAT(name, MatchesRegex("\"run-[a-z0-9]{5}\""));
}

TEST(Create, TruncatesALongPrefix) {
  TestHandler handler;
  const std::string prefix(100, 'x');
  const auto reply =
      handler.Create(kConfigMaps, R"({"metadata":{"generateName":")" + prefix + "\"}}");
  EXPECT_EQ(reply->object.name.size(), 63u);
}

TEST(Create, RejectsAnExistingName) {
  TestHandler handler;
  handler.Create(kConfigMaps, kConfigMap);
  EXPECT_EQ(ErrorOf(handler.Create(kConfigMaps, kConfigMap)),
            "409 AlreadyExists: configmaps \"a\" already exists");
}

TEST(Create, RequiresAName) {
  TestHandler handler;
  EXPECT_THAT(ErrorOf(handler.Create(kConfigMaps, "{}")),
              HasSubstr("name or generateName is required"));
}

TEST(Create, RejectsAnInvalidName) {
  TestHandler handler;
  const auto reply = handler.Create(kConfigMaps, R"({"metadata":{"name":"A_b"}})");
  EXPECT_THAT(ErrorOf(reply), StartsWith("422 Invalid: ConfigMap \"A_b\" is invalid: "
                                         "metadata.name: Invalid value"));
}

TEST(Create, RequiresItsNamespace) {
  TestHandler handler;
  EXPECT_EQ(handler.Error(store::Create{
                .resource = kConfigMaps, .namespace_ = "nowhere", .object = kConfigMap}),
            "404 NotFound: namespaces \"nowhere\" not found");
}

TEST(Create, RejectsANamespaceThatDiffersFromTheRequest) {
  TestHandler handler;
  EXPECT_THAT(ErrorOf(handler.Create(kConfigMaps, R"({"metadata":{"name":"a","namespace":"b"}})")),
              HasSubstr("does not match the namespace sent on the request"));
}

TEST(Create, RejectsAnotherKind) {
  TestHandler handler;
  EXPECT_EQ(ErrorOf(handler.Create(kConfigMaps, R"({"apiVersion":"v1","kind":"Pod"})")),
            "400 BadRequest: the kind in the data (Pod) does not match the expected kind "
            "(ConfigMap)");
  EXPECT_EQ(ErrorOf(handler.Create(kConfigMaps, R"({"apiVersion":"v2","kind":"ConfigMap"})")),
            "400 BadRequest: the API version in the data (v2) does not match the expected API "
            "version (v1)");
}

TEST(Create, RejectsABodyThatIsNotAnObject) {
  TestHandler handler;
  for (const char* body : {"", "[]", "null", "{", "{\"a\":1}x", "\"x\""})
    EXPECT_THAT(ErrorOf(handler.Create(kConfigMaps, body)), StartsWith("400 BadRequest")) << body;
}

TEST(Create, RejectsAResourceVersion) {
  TestHandler handler;
  EXPECT_THAT(
      ErrorOf(handler.Create(kConfigMaps, R"({"metadata":{"name":"a","resourceVersion":"1"}})")),
      HasSubstr("resourceVersion should not be set"));
}

TEST(Create, RejectsInvalidLabelsAndOwners) {
  TestHandler handler;
  const auto reply = handler.Create(kConfigMaps, R"({"metadata":{"name":"a",
      "labels":{"a b":"x"},"ownerReferences":[{"kind":"Job","name":"j"}]}})");
  EXPECT_THAT(ErrorOf(reply), HasSubstr("metadata.labels"));
  EXPECT_THAT(ErrorOf(reply), HasSubstr("metadata.ownerReferences[0].uid: Required value"));
}

TEST(Create, RejectsMissingRequiredFieldsOfCustomResources) {
  TestHandler handler;
  const store::Resource queues{.group = "kueue.x-k8s.io",
                               .version = "v1beta2",
                               .plural = "clusterqueues",
                               .kind = "ClusterQueue"};
  const auto create = [&](const std::string& quota) {
    return ErrorOf(handler.Create(
        queues, R"({"metadata":{"name":"q"},"spec":{"resourceGroups":[{"coveredResources":["cpu"],
            "flavors":[{"name":"f","resources":[{"name":"cpu")" +
                    quota + "}]}]}]}}"));
  };
  EXPECT_THAT(create(""), HasSubstr("spec.resourceGroups[0].flavors[0].resources[0].nominalQuota: "
                                    "Required value"));
  EXPECT_EQ(create(R"(,"nominalQuota":0)"), "");
}

TEST(Create, RejectsAnObjectOverTheSizeLimit) {
  TestHandler handler({.largest_object_bytes = 1000});
  EXPECT_THAT(ErrorOf(handler.Create(kConfigMaps, R"({"metadata":{"name":"a"},"data":{"k":")" +
                                                      std::string(2000, 'x') + "\"}}")),
              StartsWith("413 RequestEntityTooLarge"));
}

TEST(Create, OfAnUnknownResourceIsNotFound) {
  TestHandler handler;
  EXPECT_EQ(
      handler.Error(store::Create{
          .resource = {.group = "no.such", .version = "v1", .plural = "things", .kind = "Thing"},
          .object = "{}"}),
      "404 NotFound: the server could not find the requested resource");
}

TEST(DryRun, DoesEverythingButStore) {
  TestHandler handler;
  const store::Create create{.resource = kConfigMaps,
                             .namespace_ = "default",
                             .object = kConfigMap,
                             .options = {.is_dry_run = true}};
  const Revision before = handler->storage().revision();
  const auto object = TreeOf(handler.Do(create));
  EXPECT_NE(At(object, "metadata.uid"), "");
  EXPECT_EQ(At(object, "metadata.resourceVersion"), "");
  EXPECT_FALSE(handler.Has(kConfigMaps, "a"));
  EXPECT_EQ(handler->storage().revision(), before);
}

store::Outcome<store::Reply> CreateValidated(TestHandler& handler, store::FieldValidation how,
                                             std::string object) {
  return handler.Do(store::Create{.resource = kConfigMaps,
                                  .namespace_ = "default",
                                  .object = std::move(object),
                                  .options = {.field_validation = how}});
}

constexpr const char* kOddConfigMap =
    R"({"metadata":{"name":"a","oops":1},"data":{"k":"v","k":"w"},"extra":{"b":[1]}})";

TEST(FieldValidation, WarnsOfUnknownAndDuplicateFieldsAndDropsThem) {
  TestHandler handler;
  const auto reply = CreateValidated(handler, store::FieldValidation::kWarn, kOddConfigMap);
  ASSERT_TRUE(reply) << ErrorOf(reply);
  EXPECT_THAT(reply->warnings,
              ElementsAre("duplicate field \"data.k\"", "unknown field \"metadata.oops\"",
                          "unknown field \"extra\""));
  EXPECT_EQ(At(TreeOf(reply), "extra"), "");
  EXPECT_EQ(At(TreeOf(reply), "metadata.oops"), "");
  EXPECT_EQ(At(TreeOf(reply), "data.k"), "\"w\"");
}

TEST(FieldValidation, RejectsThemIfStrict) {
  TestHandler handler;
  EXPECT_EQ(ErrorOf(CreateValidated(handler, store::FieldValidation::kStrict,
                                    R"({"metadata":{"name":"a"},"extra":1})")),
            "400 BadRequest: ConfigMap in version \"v1\" cannot be handled as a ConfigMap: strict "
            "decoding error: unknown field \"extra\"");
}

TEST(FieldValidation, IsSilentIfIgnored) {
  TestHandler handler;
  const auto reply = CreateValidated(handler, store::FieldValidation::kIgnore, kOddConfigMap);
  ASSERT_TRUE(reply) << ErrorOf(reply);
  EXPECT_THAT(reply->warnings, ::testing::IsEmpty());
  EXPECT_EQ(At(TreeOf(reply), "extra"), "");
}

TEST(FieldValidation, AlwaysRejectsValuesOfTheWrongType) {
  TestHandler handler;
  EXPECT_THAT(ErrorOf(handler.Create(kConfigMaps, R"({"metadata":{"name":"a"},"data":[1]})")),
              HasSubstr("400 BadRequest: ConfigMap in version \"v1\" cannot be handled"));
}

TEST(SystemNamespaces, AreCreatedAtTheStart) {
  TestHandler handler;
  for (const char* name : {"default", "kube-system", "kube-public", "kube-node-lease"}) {
    const auto object = handler.Get(kNamespaces, name);
    EXPECT_EQ(At(object, "status.phase"), "\"Active\"") << name;
    EXPECT_EQ(At(object, "spec.finalizers"), "[\"kubernetes\"]") << name;
    EXPECT_THAT(At(object, "metadata.labels"), HasSubstr("kubernetes.io/metadata.name"));
  }
}

class Refusing final : public AdmissionHook {
 public:
  store::Outcome<void> Mutate(const AdmissionRequest& request, json::value& object,
                              std::vector<std::string>& warnings) override {
    warnings.push_back("mutated for " + std::string(request.user));
    object.as_object()["data"] = {{"added", "yes"}};
    return {};
  }
  store::Outcome<void> Validate(const AdmissionRequest& request, const json::value& object,
                                std::vector<std::string>&) override {
    if (At(object, "data.added") == "\"yes\"" && request.name != "bad") return {};
    return std::unexpected(store::Forbidden(request.resource, request.name, "no"));
  }
};

// The schemas of Kueue's kinds have a pattern for quantities; Kubernetes' own kinds trim them.
TEST(Quantities, MayHaveWhiteSpaceInKindsOfKubernetesOnly) {
  TestHandler handler;
  const store::Resource queues{.group = "kueue.x-k8s.io",
                               .version = "v1beta2",
                               .plural = "clusterqueues",
                               .kind = "ClusterQueue"};
  const auto queue = [](const std::string& quota) {
    return R"({"metadata":{"name":"q"},"spec":{"resourceGroups":[{"coveredResources":["cpu"],
        "flavors":[{"name":"f","resources":[{"name":"cpu","nominalQuota":")" +
           quota + R"("}]}]}]}})";
  };
  for (const char* quota : {" 1", "1 ", "\u00a01"})
    EXPECT_EQ(ErrorOf(handler.Create(queues, queue(quota))).substr(0, 3), "422") << quota;
  EXPECT_EQ(ErrorOf(handler.Create(queues, queue("1"))), "");
  const auto pod = handler.Create(kPods, R"({"metadata":{"name":"p"},"spec":{"containers":[
      {"name":"c","image":"i","resources":{"requests":{"cpu":" 1 "}}}]}})");
  EXPECT_EQ(ErrorOf(pod), "");
}

TEST(AdmissionHooks, MutateRejectAndWarn) {
  TestHandler handler;
  Refusing hook;
  handler->AddHook(hook);
  const auto reply = handler.Create(kConfigMaps, kConfigMap);
  EXPECT_EQ(At(TreeOf(reply), "data"), R"({"added":"yes"})");
  EXPECT_THAT(reply->warnings, ElementsAre("mutated for tester"));
  EXPECT_EQ(ErrorOf(handler.Create(kConfigMaps, R"({"metadata":{"name":"bad"}})")),
            "403 Forbidden: configmaps \"bad\" is forbidden: no");
}

TEST(Events, AreTheSameInBothGroups) {
  TestHandler handler;
  const store::Resource core{
      .version = "v1", .plural = "events", .kind = "Event", .is_namespaced = true};
  const store::Resource grouped{.group = "events.k8s.io",
                                .version = "v1",
                                .plural = "events",
                                .kind = "Event",
                                .is_namespaced = true};
  ASSERT_EQ(ErrorOf(handler.Create(core, R"({"metadata":{"name":"e"},"message":"hello",
      "involvedObject":{"kind":"Pod","name":"p"},"reason":"Started","type":"Normal"})")),
            "");
  const auto seen = handler.Get(grouped, "e");
  EXPECT_EQ(At(seen, "apiVersion"), "\"events.k8s.io/v1\"");
  EXPECT_EQ(At(seen, "note"), "\"hello\"");
  EXPECT_EQ(At(seen, "regarding.name"), "\"p\"");
  EXPECT_EQ(At(seen, "message"), "");
}

}  // namespace
}  // namespace berth::apiserver
