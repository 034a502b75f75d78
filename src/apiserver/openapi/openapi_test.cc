#include "apiserver/openapi/openapi.h"

#include <gmock/gmock.h>

#include "apiserver/openapi/schema.h"

namespace berth::apiserver {
namespace {

using ::testing::HasSubstr;

std::shared_ptr<const Catalog> BuiltIn() { return std::make_shared<const Catalog>(BuiltInKinds()); }

json::value Parse(const Document& document) { return *json::Parse(*document.text); }

TEST(OpenApiIndex, ListsADocumentForEveryVersion) {
  OpenApi openapi(BuiltIn(), "1.2.3");
  const json::value index = Parse(openapi.Index());
  for (const auto& path : index.at("paths").as_object()) {
    const Document document = openapi.Version3(json::View(path.key()));
    ASSERT_NE(document.text, nullptr) << path.key();
    EXPECT_THAT(std::string(json::StringAt(path.value(), {"serverRelativeURL"})),
                HasSubstr("?hash=" + document.hash));
  }
  EXPECT_EQ(openapi.Version3("apis/missing/v1").text, nullptr);
}

TEST(OpenApiSchemas, DescribeFields) {
  OpenApi openapi(BuiltIn(), "1.2.3");
  const json::value document = Parse(openapi.Version3("apis/batch/v1"));
  const json::value* job = json::Find(document, {"components", "schemas", "io.k8s.batch.v1.Job"});
  ASSERT_NE(job, nullptr);
  EXPECT_EQ(json::StringAt(job->at("x-kubernetes-group-version-kind").at(0), {"kind"}), "Job");
  for (const std::string_view field : {"apiVersion", "kind", "metadata", "spec", "status"})
    EXPECT_FALSE(json::StringAt(*job, {"properties", field, "description"}).empty()) << field;
  EXPECT_EQ(json::StringAt(*job, {"properties", "metadata", "properties", "labels", "type"}),
            "object");
}

// kubectl apply computes its patches from these extensions.
TEST(OpenApiSchemas, HaveMergeKeysOfLists) {
  OpenApi openapi(BuiltIn(), "1.2.3");
  const json::value document = Parse(openapi.Version3("apis/batch/v1"));
  const json::value* containers = json::Find(
      document, {"components", "schemas", "io.k8s.batch.v1.Job", "properties", "spec", "properties",
                 "template", "properties", "spec", "properties", "containers"});
  ASSERT_NE(containers, nullptr);
  EXPECT_EQ(json::StringAt(*containers, {"x-kubernetes-patch-merge-key"}), "name");
  EXPECT_EQ(json::StringAt(*containers, {"x-kubernetes-patch-strategy"}), "merge");
}

// kubectl checks this before it requests field validation.
TEST(OpenApiPaths, OfferFieldValidation) {
  OpenApi openapi(BuiltIn(), "1.2.3");
  const json::value document = Parse(openapi.Version3("apis/kueue.x-k8s.io/v1beta2"));
  const json::value* patch =
      json::Find(document, {"paths", "/apis/kueue.x-k8s.io/v1beta2/clusterqueues/{name}", "patch"});
  ASSERT_NE(patch, nullptr);
  std::vector<std::string> names;
  for (const json::value& parameter : patch->at("parameters").as_array())
    names.emplace_back(json::StringAt(parameter, {"name"}));
  EXPECT_THAT(names, ::testing::IsSupersetOf({"dryRun", "fieldManager", "fieldValidation"}));
  EXPECT_EQ(json::StringAt(*patch, {"x-kubernetes-group-version-kind", "kind"}), "ClusterQueue");
}

TEST(OpenApiPaths, OfferStrategicPatchesOnlyForBuiltInKinds) {
  OpenApi openapi(BuiltIn(), "1.2.3");
  const auto accepts = [&](std::string_view document, std::string_view path) {
    const json::value parsed = Parse(openapi.Version3(document));
    return json::Find(parsed, {"paths", path, "patch", "requestBody", "content",
                               "application/strategic-merge-patch+json"}) != nullptr;
  };
  EXPECT_TRUE(accepts("api/v1", "/api/v1/namespaces/{namespace}/pods/{name}"));
  EXPECT_FALSE(
      accepts("apis/kueue.x-k8s.io/v1beta2", "/apis/kueue.x-k8s.io/v1beta2/clusterqueues/{name}"));
}

TEST(OpenApiSchemas, OfCustomKindsIncludeTheCommonFields) {
  ServedKind thing;
  thing.resource = {.group = "example.test", .version = "v1", .plural = "things", .kind = "Thing"};
  thing.schema = R"({"type":"object","description":"A thing.","properties":{"metadata":
                    {"type":"object"},"spec":{"type":"object"}}})";
  EXPECT_EQ(SchemaName(thing), "test.example.v1.Thing");
  const json::value schema = *json::Parse(SchemaDocument(thing));
  EXPECT_EQ(json::StringAt(schema, {"description"}), "A thing.");
  EXPECT_NE(json::Find(schema, {"properties", "metadata", "properties", "name"}), nullptr);
  EXPECT_NE(json::Find(schema, {"properties", "spec"}), nullptr);
  EXPECT_NE(json::Find(schema, {"properties", "apiVersion"}), nullptr);
}

TEST(OpenApiVersion2, HasADefinitionForEveryKind) {
  OpenApi openapi(BuiltIn(), "1.2.3");
  const json::value document = Parse(openapi.Version2());
  EXPECT_EQ(document.at("definitions").as_object().size(), BuiltInKinds().size());
  EXPECT_EQ(json::StringAt(document, {"swagger"}), "2.0");
}

}  // namespace
}  // namespace berth::apiserver
