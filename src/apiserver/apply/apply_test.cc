#include "apiserver/apply/apply.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/apps/deployment.h"

namespace berth::apiserver {
namespace {

using ::testing::HasSubstr;

constexpr base::Time kNoon = base::Time::FromSeconds(1'700'000'000);

json::value Tree(std::string_view text) {
  const auto parsed = json::Parse(text);
  EXPECT_TRUE(parsed) << text;
  return parsed.value_or(json::value());
}

// A stored Deployment with several managers.
class Ownership : public ::testing::Test {
 protected:
  // Prepends apiVersion, kind and metadata.
  static json::value Deployment(std::string_view members) {
    return Tree(R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d",)" +
                std::string(members) + "}");
  }

  WriteInfo By(std::string_view manager, int seconds = 0) const {
    return {.manager = manager,
            .api_version = "apps/v1",
            .has_status = true,
            .now = kNoon + base::Duration::Seconds(seconds)};
  }

  bool TryApply(const WriteInfo& write, const json::value& object, bool is_forced = false) {
    auto result = Apply(schema_, live_, object, write, is_forced);
    error_ = result ? ApplyError{} : result.error();
    if (result) Store(*std::move(result));
    return error_.message.empty();
  }

  void Update(const WriteInfo& write, const json::value& object) {
    Store(TrackUpdate(schema_, live_, object, write));
  }

  void Store(json::value object) {
    object.at("metadata").as_object()["uid"] = "u";
    live_ = std::move(object);
  }

  // The fields owned by "manager/operation/subresource".
  std::string OwnedBy(std::string_view who) const {
    const auto managed = ReadManagedFields(live_);
    if (!managed) return managed.error().message;
    for (const auto& [id, entry] : *managed) {
      std::string name = id.manager + (id.is_apply ? "/apply" : "/update");
      if (!id.subresource.empty()) name += "/" + id.subresource;
      if (name == who) return json::Print(PrintFieldSet(entry.fields));
    }
    return "";
  }

  DescribedSchemaView schema_{&api::Deployment::Description};
  json::value live_;
  ApplyError error_;
};

TEST_F(Ownership, IsRecordedWhenApplyCreates) {
  ASSERT_TRUE(TryApply(By("ann"), Deployment(R"("labels":{"a":"1"}},"spec":{"replicas":3})")));
  EXPECT_EQ(live_.at("spec"), Tree(R"({"replicas":3})"));
  EXPECT_EQ(OwnedBy("ann/apply"),
            R"({"f:metadata":{"f:labels":{"f:a":{}}},"f:spec":{"f:replicas":{}}})");
  EXPECT_EQ(live_.at("metadata").at("managedFields").at(0),
            Tree(R"({"manager":"ann","operation":"Apply","apiVersion":"apps/v1",
                     "time":"2023-11-14T22:13:20Z","fieldsType":"FieldsV1",
                     "fieldsV1":{"f:metadata":{"f:labels":{"f:a":{}}},
                                 "f:spec":{"f:replicas":{}}}})"));
}

TEST_F(Ownership, RemovesFieldsThatTheirOnlyApplierNoLongerStates) {
  ASSERT_TRUE(TryApply(By("ann"), Deployment(R"("labels":{"a":"1","b":"2"}},
                                               "spec":{"replicas":3,"paused":true})")));
  ASSERT_TRUE(TryApply(By("bob"), Deployment(R"("labels":{"b":"2"}})")));
  ASSERT_TRUE(TryApply(By("ann"), Deployment(R"("labels":{}},"spec":{"paused":true})")));
  EXPECT_EQ(live_.at("metadata").at("labels"), Tree(R"({"b":"2"})"));
  EXPECT_EQ(live_.at("spec"), Tree(R"({"paused":true})"));
}

TEST_F(Ownership, KeepsFieldsUpdatedByOthers) {
  Update(By("tool"), Deployment(R"("annotations":{"x":"1"}},"spec":{"paused":true})"));
  ASSERT_TRUE(TryApply(By("ann"), Deployment(R"("labels":{"a":"1"}})")));
  ASSERT_TRUE(TryApply(By("ann"), Deployment(R"("uid":"u"})")));
  EXPECT_EQ(live_.at("metadata").as_object().if_contains("labels"), nullptr);
  EXPECT_EQ(live_.at("metadata").at("annotations"), Tree(R"({"x":"1"})"));
  EXPECT_EQ(live_.at("spec"), Tree(R"({"paused":true})"));
}

TEST_F(Ownership, ConflictsWithTheOwnerOfAnotherValue) {
  Update(By("tool"), Deployment(R"("labels":{"a":"1"}},"spec":{"replicas":1})"));
  EXPECT_FALSE(TryApply(By("ann"), Deployment(R"("uid":"u"},"spec":{"replicas":2})")));
  EXPECT_EQ(error_.code, 409);
  EXPECT_EQ(error_.message,
            "Apply failed with 1 conflict: conflict with \"tool\" using apps/v1: .spec.replicas");
  ASSERT_EQ(error_.conflicts.size(), 1u);
  EXPECT_EQ(error_.conflicts[0].field, ".spec.replicas");
  EXPECT_EQ(error_.conflicts[0].message, "conflict with \"tool\" using apps/v1");
}

TEST_F(Ownership, ListsAllConflictsByManager) {
  ASSERT_TRUE(TryApply(By("bob"), Deployment(R"("labels":{"a":"1"}},"spec":{"replicas":1})")));
  EXPECT_FALSE(TryApply(By("ann"), Deployment(R"("labels":{"a":"2"}},"spec":{"replicas":2})")));
  EXPECT_EQ(error_.message,
            "Apply failed with 2 conflicts: conflicts with \"bob\":\n- .metadata.labels.a\n"
            "- .spec.replicas");
}

TEST_F(Ownership, IsSharedByAppliersOfTheSameValue) {
  ASSERT_TRUE(TryApply(By("ann"), Deployment(R"("labels":{"a":"1"}})")));
  ASSERT_TRUE(TryApply(By("bob"), Deployment(R"("labels":{"a":"1"}})")));
  EXPECT_EQ(OwnedBy("ann/apply"), OwnedBy("bob/apply"));
  ASSERT_TRUE(TryApply(By("ann"), Deployment(R"("uid":"u"})")));
  EXPECT_EQ(live_.at("metadata").at("labels"), Tree(R"({"a":"1"})"));
  EXPECT_EQ(OwnedBy("ann/apply"), "");
}

TEST_F(Ownership, IsTakenByForce) {
  ASSERT_TRUE(TryApply(By("bob"), Deployment(R"("labels":{"a":"1","b":"1"}})")));
  ASSERT_TRUE(TryApply(By("ann"), Deployment(R"("labels":{"a":"2"}})"), true));
  EXPECT_EQ(live_.at("metadata").at("labels"), Tree(R"({"a":"2","b":"1"})"));
  EXPECT_EQ(OwnedBy("bob/apply"), R"({"f:metadata":{"f:labels":{"f:b":{}}}})");
  EXPECT_EQ(OwnedBy("ann/apply"), R"({"f:metadata":{"f:labels":{"f:a":{}}}})");
}

TEST_F(Ownership, MovesToTheManagerThatUpdatesAField) {
  ASSERT_TRUE(
      TryApply(By("ann"), Deployment(R"("labels":{"a":"1","b":"1"}},"spec":{"replicas":1})")));
  json::value scaled = live_;
  scaled.at("spec").as_object()["replicas"] = 5;
  scaled.at("metadata").at("labels").as_object().erase("b");
  Update(By("scaler", 10), scaled);
  EXPECT_EQ(OwnedBy("scaler/update"), R"({"f:spec":{"f:replicas":{}}})");
  EXPECT_EQ(OwnedBy("ann/apply"), R"({"f:metadata":{"f:labels":{"f:a":{}}}})");
}

TEST_F(Ownership, OfListElementsIsByTheirKeys) {
  ASSERT_TRUE(
      TryApply(By("ann"), Deployment(R"("uid":"u"},"spec":{"template":{"spec":{"containers":[
      {"name":"a","image":"1","ports":[{"containerPort":80}],"args":["x","y"]}]}}})")));
  EXPECT_EQ(
      OwnedBy("ann/apply"),
      R"({"f:spec":{"f:template":{"f:spec":{"f:containers":{"k:{\"name\":\"a\"}":)"
      R"({".":{},"f:args":{},"f:image":{},"f:name":{},"f:ports":)"
      R"({"k:{\"containerPort\":80,\"protocol\":\"TCP\"}":{".":{},"f:containerPort":{}}}}}}}}})");
}

TEST_F(Ownership, OfListElementsLetsManagersApplyTheSameList) {
  const auto with_containers = [](std::string_view list) {
    return Deployment(R"("uid":"u"},"spec":{"template":{"spec":{"containers":)" +
                      std::string(list) + "}}}");
  };
  ASSERT_TRUE(TryApply(By("ann"), with_containers(R"([{"name":"a","image":"1"}])")));
  ASSERT_TRUE(TryApply(By("bob"), with_containers(R"([{"name":"side","image":"s"}])")));
  ASSERT_TRUE(TryApply(By("ann"), with_containers(R"([{"name":"b"},{"name":"a","image":"2"}])")));
  EXPECT_EQ(live_.at("spec").at("template").at("spec").at("containers"),
            Tree(R"([{"name":"b"},{"name":"a","image":"2"},{"name":"side","image":"s"}])"));
  ASSERT_TRUE(TryApply(By("bob"), with_containers("[]")));
  EXPECT_EQ(live_.at("spec").at("template").at("spec").at("containers"),
            Tree(R"([{"name":"b"},{"name":"a","image":"2"}])"));
}

TEST_F(Ownership, OfSelectorsAndAtomicListsIsIndivisible) {
  ASSERT_TRUE(
      TryApply(By("ann"), Deployment(R"("uid":"u"},"spec":{"selector":{"matchLabels":{"a":"1"}},
      "template":{"spec":{"nodeSelector":{"n":"1"},"tolerations":[{"key":"k"}]}}})")));
  EXPECT_EQ(OwnedBy("ann/apply"), R"({"f:spec":{"f:selector":{},"f:template":)"
                                  R"({"f:spec":{"f:nodeSelector":{},"f:tolerations":{}}}}})");
  EXPECT_FALSE(TryApply(By("bob"), Deployment(R"("uid":"u"},"spec":{"template":{"spec":{
      "tolerations":[{"key":"k"},{"key":"l"}]}}})")));
  EXPECT_THAT(error_.message, HasSubstr(".spec.template.spec.tolerations"));
}

TEST_F(Ownership, OfStatusIsTrackedOnlyByTheSubresource) {
  Update(By("ann"),
         Deployment(R"("labels":{"a":"1"}},"spec":{"replicas":1},"status":{"replicas":1})"));
  EXPECT_THAT(OwnedBy("ann/update"), Not(HasSubstr("f:status")));
  json::value observed = live_;
  observed.at("status").as_object()["replicas"] = 2;
  WriteInfo status = By("controller", 5);
  status.subresource = "status";
  Update(status, observed);
  EXPECT_EQ(OwnedBy("controller/update/status"), R"({"f:status":{"f:replicas":{}}})");
  EXPECT_FALSE(OwnedBy("ann/update").empty());
}

TEST_F(Ownership, KeepsTimesWhenNothingChanges) {
  ASSERT_TRUE(TryApply(By("ann"), Deployment(R"("labels":{"a":"1"}})")));
  const json::value before = live_;
  ASSERT_TRUE(TryApply(By("ann", 60), Deployment(R"("labels":{"a":"1"}})")));
  EXPECT_EQ(live_, before);
  Update(By("tool", 60), live_);
  EXPECT_EQ(live_, before);
  ASSERT_TRUE(TryApply(By("ann", 60), Deployment(R"("labels":{"a":"2"}})")));
  EXPECT_EQ(live_.at("metadata").at("managedFields").at(0).at("time"), "2023-11-14T22:14:20Z");
}

TEST_F(Ownership, OfAnUntrackedObjectBelongsToBeforeFirstApply) {
  Store(Deployment(R"("labels":{"a":"1"}})"));
  ASSERT_TRUE(TryApply(By("ann"), Deployment(R"("labels":{"b":"1"}})")));
  EXPECT_EQ(OwnedBy("before-first-apply/update"),
            R"({"f:metadata":{"f:labels":{".":{},"f:a":{}}}})");
  EXPECT_FALSE(TryApply(By("ann"), Deployment(R"("labels":{"a":"2"}})")));
}

TEST_F(Ownership, KeepsTheAnnotationOfClientSideApplyUpToDate) {
  constexpr std::string_view kAnnotation = "kubectl.kubernetes.io/last-applied-configuration";
  const auto annotation = [&] {
    return json::StringAt(live_, {"metadata", "annotations", kAnnotation});
  };
  Update(
      By("kubectl-client-side-apply"),
      Deployment(R"("annotations":{"kubectl.kubernetes.io/last-applied-configuration":"old"}})"));
  ASSERT_TRUE(TryApply(By("ann"), Deployment(R"("labels":{"a":"1"}})")));
  EXPECT_EQ(annotation(), "old");
  ASSERT_TRUE(TryApply(By("kubectl"), Deployment(R"("labels":{"b":"1"}})")));
  EXPECT_EQ(Tree(annotation()), Deployment(R"("labels":{"b":"1"}})"));
}

TEST_F(Ownership, IsResetByEmptyManagedFields) {
  ASSERT_TRUE(TryApply(By("ann"), Deployment(R"("labels":{"a":"1"}})")));
  json::value reset = live_;
  reset.at("metadata").as_object()["managedFields"] = json::array{json::object()};
  Update(By("bob"), reset);
  EXPECT_EQ(live_.at("metadata").as_object().if_contains("managedFields"), nullptr);
}

TEST_F(Ownership, CanBeSetByTheClient) {
  Update(By("old"), Deployment(R"("labels":{"a":"1"}})"));
  json::value renamed = live_;
  json::value& entry = renamed.at("metadata").at("managedFields").at(0);
  entry.as_object()["manager"] = "new";
  entry.as_object()["operation"] = "Apply";
  Update(By("old"), renamed);
  EXPECT_EQ(OwnedBy("old/update"), "");
  EXPECT_FALSE(OwnedBy("new/apply").empty());
}

TEST_F(Ownership, IgnoresMalformedManagedFieldsOfAClient) {
  ASSERT_TRUE(TryApply(By("ann"), Deployment(R"("labels":{"a":"1"}})")));
  json::value broken = live_;
  broken.at("metadata").at("managedFields").at(0).as_object()["fieldsV1"] = Tree(R"({"z:":{}})");
  Update(By("bob"), broken);
  EXPECT_FALSE(OwnedBy("ann/apply").empty());
}

TEST_F(Ownership, OfManyUpdatersIsMerged) {
  json::value object = Deployment(R"("labels":{}})");
  for (int i = 0; i < 14; ++i) {
    object.at("metadata").at("labels").as_object()["l" + std::to_string(i)] = "1";
    Update(By("tool" + std::to_string(i), i), object);
    object = live_;
  }
  const auto managed = ReadManagedFields(live_);
  ASSERT_TRUE(managed);
  EXPECT_EQ(managed->size(), 10u);
  EXPECT_THAT(OwnedBy("ancient-changes/update"), HasSubstr("f:l0"));
  EXPECT_THAT(OwnedBy("ancient-changes/update"), HasSubstr("f:l4"));
  EXPECT_THAT(OwnedBy("tool13/update"), HasSubstr("f:l13"));
}

TEST_F(Ownership, RejectsInvalidRequests) {
  EXPECT_FALSE(TryApply(By(""), Deployment(R"("uid":""})")));
  EXPECT_EQ(error_.code, 422);
  EXPECT_FALSE(TryApply(By("ann"), Tree(R"({"apiVersion":"v1","kind":"Deployment"})")));
  EXPECT_THAT(error_.message, HasSubstr("expected: apps/v1"));
  EXPECT_FALSE(TryApply(By("ann"), Deployment(R"("managedFields":[]})")));
  EXPECT_EQ(error_.message, "metadata.managedFields must be nil");
  EXPECT_FALSE(TryApply(By("ann"), Deployment(R"("uid":""},"spec":{"replcas":1})")));
  EXPECT_THAT(error_.message, HasSubstr(".spec.replcas: field not declared in schema"));
  EXPECT_FALSE(TryApply(By("ann"), Deployment(R"("finalizers":["a","a"]})")));
  EXPECT_THAT(error_.message, HasSubstr("duplicate entries for key [=\"a\"]"));
  EXPECT_FALSE(
      TryApply(By("ann"), Deployment(R"("uid":""},"spec":{"template":{"spec":{"containers":[
      {"image":"x"}]}}})")));
  EXPECT_THAT(error_.message, HasSubstr("must be an object with name"));
  EXPECT_FALSE(TryApply(By("ann"), Deployment(R"("uid":""},"spec":[])")));
  EXPECT_FALSE(TryApply(By("ann"), Tree("[]")));
}

TEST(FieldPaths, PrintInJsonPathNotation) {
  EXPECT_EQ(
      ToString(FieldPath{"f:spec", R"(k:{"name":"a","port":80})", "f:args", "v:\"x\"", "i:3"}),
      R"(.spec[name="a",port=80].args[="x"][3])");
}

TEST(FieldSets, ParseAndPrintFieldsV1) {
  const auto fields = Tree(R"({"f:a":{".":{},"f:b":{}},"f:c":{"k:{\"z\":1,\"a\":2}":{}}})");
  const auto set = ParseFieldSet(fields);
  ASSERT_TRUE(set);
  EXPECT_EQ(PrintFieldSet(*set),
            Tree(R"({"f:a":{".":{},"f:b":{}},"f:c":{"k:{\"a\":2,\"z\":1}":{}}})"));
  EXPECT_FALSE(ParseFieldSet(Tree(R"({"a":{}})")));
  EXPECT_FALSE(ParseFieldSet(Tree(R"({"k:[]":{}})")));
  EXPECT_FALSE(ParseFieldSet(Tree(R"({"f:a":1})")));
}

}  // namespace
}  // namespace berth::apiserver
