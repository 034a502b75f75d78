#include "apiserver/openapi.h"

#include <gmock/gmock.h>

#include "apiserver/openapi_schema.h"

namespace berth::apiserver {
namespace {

namespace json = store::json;
using ::testing::HasSubstr;

std::shared_ptr<const Catalog> BuiltIn() { return std::make_shared<const Catalog>(BuiltInKinds()); }

json::value Parse(const Document& document) { return *store::ParseJson(*document.text); }

TEST(OpenApiIndex, LeadsToADocumentOfEveryVersion) {
  OpenApi openapi(BuiltIn(), "1.2.3");
  const json::value index = Parse(openapi.Index());
  for (const auto& path : index.at("paths").as_object()) {
    const Document document = openapi.Version3(store::View(path.key()));
    ASSERT_NE(document.text, nullptr) << path.key();
    EXPECT_THAT(std::string(store::JsonStringAt(path.value(), {"serverRelativeURL"})),
                HasSubstr("?hash=" + document.hash));
  }
  EXPECT_EQ(openapi.Version3("apis/nobody/v1").text, nullptr);
}

TEST(OpenApiSchemas, DescribeWhatPeopleAskFor) {
  OpenApi openapi(BuiltIn(), "1.2.3");
  const json::value document = Parse(openapi.Version3("apis/batch/v1"));
  const json::value* job =
      store::FindJson(document, {"components", "schemas", "io.k8s.batch.v1.Job"});
  ASSERT_NE(job, nullptr);
  EXPECT_EQ(store::JsonStringAt(job->at("x-kubernetes-group-version-kind").at(0), {"kind"}), "Job");
  for (const std::string_view field : {"apiVersion", "kind", "metadata", "spec", "status"})
    EXPECT_FALSE(store::JsonStringAt(*job, {"properties", field, "description"}).empty()) << field;
  EXPECT_EQ(store::JsonStringAt(*job, {"properties", "metadata", "properties", "labels", "type"}),
            "object");
}

// kubectl apply works out its patches from these marks.
TEST(OpenApiSchemas, TellHowListsAreMerged) {
  OpenApi openapi(BuiltIn(), "1.2.3");
  const json::value document = Parse(openapi.Version3("apis/batch/v1"));
  const json::value* containers = store::FindJson(
      document, {"components", "schemas", "io.k8s.batch.v1.Job", "properties", "spec", "properties",
                 "template", "properties", "spec", "properties", "containers"});
  ASSERT_NE(containers, nullptr);
  EXPECT_EQ(store::JsonStringAt(*containers, {"x-kubernetes-patch-merge-key"}), "name");
  EXPECT_EQ(store::JsonStringAt(*containers, {"x-kubernetes-patch-strategy"}), "merge");
}

// kubectl looks here before it asks the server to check fields.
TEST(OpenApiPaths, OfferFieldValidation) {
  OpenApi openapi(BuiltIn(), "1.2.3");
  const json::value document = Parse(openapi.Version3("apis/kueue.x-k8s.io/v1beta2"));
  const json::value* patch = store::FindJson(
      document, {"paths", "/apis/kueue.x-k8s.io/v1beta2/clusterqueues/{name}", "patch"});
  ASSERT_NE(patch, nullptr);
  std::vector<std::string> names;
  for (const json::value& parameter : patch->at("parameters").as_array())
    names.emplace_back(store::JsonStringAt(parameter, {"name"}));
  EXPECT_THAT(names, ::testing::IsSupersetOf({"dryRun", "fieldManager", "fieldValidation"}));
  EXPECT_EQ(store::JsonStringAt(*patch, {"x-kubernetes-group-version-kind", "kind"}),
            "ClusterQueue");
}

TEST(OpenApiPaths, OfferStrategicPatchesOnlyWhereTheyWork) {
  OpenApi openapi(BuiltIn(), "1.2.3");
  const auto accepts = [&](std::string_view document, std::string_view path) {
    const json::value parsed = Parse(openapi.Version3(document));
    return store::FindJson(parsed, {"paths", path, "patch", "requestBody", "content",
                                    "application/strategic-merge-patch+json"}) != nullptr;
  };
  EXPECT_TRUE(accepts("api/v1", "/api/v1/namespaces/{namespace}/pods/{name}"));
  EXPECT_FALSE(
      accepts("apis/kueue.x-k8s.io/v1beta2", "/apis/kueue.x-k8s.io/v1beta2/clusterqueues/{name}"));
}

TEST(OpenApiSchemas, OfCustomKindsAreTheirOwnWithWhatAllObjectsHave) {
  ServedKind thing;
  thing.resource = {.group = "example.test", .version = "v1", .plural = "things", .kind = "Thing"};
  thing.schema = R"({"type":"object","description":"A thing.","properties":{"metadata":
                    {"type":"object"},"spec":{"type":"object"}}})";
  EXPECT_EQ(SchemaName(thing), "test.example.v1.Thing");
  const json::value schema = *store::ParseJson(SchemaDocument(thing));
  EXPECT_EQ(store::JsonStringAt(schema, {"description"}), "A thing.");
  EXPECT_NE(store::FindJson(schema, {"properties", "metadata", "properties", "name"}), nullptr);
  EXPECT_NE(store::FindJson(schema, {"properties", "spec"}), nullptr);
  EXPECT_NE(store::FindJson(schema, {"properties", "apiVersion"}), nullptr);
}

TEST(OpenApiVersion2, HasADefinitionForEveryKind) {
  OpenApi openapi(BuiltIn(), "1.2.3");
  const json::value document = Parse(openapi.Version2());
  EXPECT_EQ(document.at("definitions").as_object().size(), BuiltInKinds().size());
  EXPECT_EQ(store::JsonStringAt(document, {"swagger"}), "2.0");
}

}  // namespace
}  // namespace berth::apiserver
