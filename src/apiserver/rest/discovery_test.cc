#include "apiserver/rest/discovery.h"

#include <gmock/gmock.h>

namespace berth::apiserver {
namespace {

constexpr std::string_view kDefinition = R"({
  "spec": {
    "group": "example.test",
    "scope": "Namespaced",
    "names": {"plural": "things", "kind": "Thing", "shortNames": ["th"], "categories": ["all"]},
    "versions": [
      {"name": "v1alpha1", "served": true, "schema": {"openAPIV3Schema": {"type": "object"}}},
      {"name": "v1", "served": true, "subresources": {"status": {}, "scale": {}},
       "schema": {"openAPIV3Schema": {"type": "object", "description": "A thing.",
                  "properties": {"spec": {"type": "object"}}}},
       "additionalPrinterColumns": [{"name": "Size", "type": "integer", "jsonPath": ".spec.size"}]},
      {"name": "v0", "served": false}
    ]
  }
})";

Catalog WithThings() {
  std::vector<ServedKind> kinds = BuiltInKinds();
  for (ServedKind& kind : KindsOf(*json::Parse(kDefinition))) kinds.push_back(std::move(kind));
  return Catalog(std::move(kinds));
}

json::value Parse(const std::string& text) { return *json::Parse(text); }

const json::value* FindBy(const json::value& list, std::string_view key, std::string_view value) {
  for (const json::value& item : list.as_array()) {
    if (json::StringAt(item, {key}) == value) return &item;
  }
  return nullptr;
}

TEST(CustomKinds, AreServedInTheirVersionsStableFirst) {
  const std::vector<ServedKind> kinds = KindsOf(*json::Parse(kDefinition));
  ASSERT_EQ(kinds.size(), 2u);
  EXPECT_EQ(kinds[0].resource.version, "v1");
  EXPECT_EQ(kinds[0].singular, "thing");
  EXPECT_EQ(kinds[0].list_kind, "ThingList");
  EXPECT_TRUE(kinds[0].has_status && kinds[0].has_scale);
  EXPECT_EQ(kinds[0].columns.at(0).json_path, ".spec.size");
  EXPECT_EQ(kinds[1].resource.version, "v1alpha1");
  EXPECT_FALSE(kinds[1].has_status);
}

TEST(CustomKinds, OfInvalidDefinitionsAreNotServed) {
  EXPECT_TRUE(KindsOf(*json::Parse("{}")).empty());
  EXPECT_TRUE(KindsOf(*json::Parse(R"({"spec":{"versions":[{"served":true}]}})")).empty());
  EXPECT_TRUE(KindsOf(*json::Parse(R"({"spec":7})")).empty());
}

TEST(Discovery, ListsGroupsWithTheirPreferredVersion) {
  const json::value groups = Parse(GroupsDocument(WithThings()));
  const json::value* group = FindBy(groups.at("groups"), "name", "example.test");
  ASSERT_NE(group, nullptr);
  EXPECT_EQ(json::StringAt(*group, {"preferredVersion", "groupVersion"}), "example.test/v1");
  EXPECT_EQ(group->at("versions").as_array().size(), 2u);
  EXPECT_EQ(FindBy(groups.at("groups"), "name", ""), nullptr);
}

TEST(Discovery, ListsResourcesAndTheirSubresources) {
  const Catalog catalog = WithThings();
  const json::value document = Parse(*ResourcesDocument(catalog, "example.test", "v1"));
  EXPECT_EQ(json::StringAt(document, {"groupVersion"}), "example.test/v1");
  const json::value& resources = document.at("resources");
  const json::value* things = FindBy(resources, "name", "things");
  ASSERT_NE(things, nullptr);
  EXPECT_EQ(things->at("shortNames").at(0).as_string(), "th");
  EXPECT_NE(FindBy(resources, "name", "things/status"), nullptr);
  const json::value* scale = FindBy(resources, "name", "things/scale");
  ASSERT_NE(scale, nullptr);
  EXPECT_EQ(json::StringAt(*scale, {"group"}), "autoscaling");
  EXPECT_EQ(ResourcesDocument(catalog, "example.test", "v0"), std::nullopt);
  EXPECT_EQ(GroupDocument(catalog, "missing.test"), std::nullopt);
}

TEST(Discovery, HasOneDocumentForAllGroups) {
  const Catalog catalog = WithThings();
  const json::value others = Parse(AggregatedDocument(catalog, false, "v2"));
  EXPECT_EQ(json::StringAt(others, {"apiVersion"}), "apidiscovery.k8s.io/v2");
  const json::value& last = others.at("items").as_array().back();
  EXPECT_EQ(json::StringAt(last, {"metadata", "name"}), "example.test");
  const json::value& thing = last.at("versions").at(0).at("resources").at(0);
  EXPECT_EQ(json::StringAt(thing, {"responseKind", "kind"}), "Thing");
  EXPECT_EQ(json::StringAt(thing, {"scope"}), "Namespaced");
  EXPECT_EQ(thing.at("subresources").as_array().size(), 2u);
  const json::value core = Parse(AggregatedDocument(catalog, true, "v2"));
  EXPECT_EQ(core.at("items").as_array().size(), 1u);
}

TEST(Discovery, ListsEveryBuiltInKind) {
  const Catalog catalog(BuiltInKinds());
  for (const ServedKind& kind : catalog.kinds()) {
    const auto document = ResourcesDocument(catalog, kind.resource.group, kind.resource.version);
    ASSERT_TRUE(document) << kind.resource.kind;
    EXPECT_NE(FindBy(Parse(*document).at("resources"), "name", kind.resource.plural), nullptr);
  }
}

}  // namespace
}  // namespace berth::apiserver
