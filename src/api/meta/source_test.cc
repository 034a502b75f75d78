#include "api/meta/source.h"

#include <gtest/gtest.h>

#include "api/meta/manifest.h"

namespace berth::api {
namespace {

constexpr std::string_view kYaml = R"(apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata:
  name: cq
  labels:
    a.b/c: d
spec:
  resourceGroups:
  - coveredResources: [cpu, memory]
    flavors:
    - name: one
    - name: two
      resources:
      - name: cpu
        nominalQuota: 5
)";

std::string PlaceOf(std::string_view text, std::string_view field) {
  const std::vector<Manifest> manifests = ReadManifests(text);
  const base::Place place = Locate(manifests.front().source, field);
  return std::to_string(place.line) + ":" + std::to_string(place.column);
}

TEST(Locate, FindsScalarsByTheirValue) {
  EXPECT_EQ(PlaceOf(kYaml, "metadata.name"), "4:9");
  EXPECT_EQ(PlaceOf(kYaml, "spec.resourceGroups[0].flavors[1].name"), "12:13");
  EXPECT_EQ(PlaceOf(kYaml, "spec.resourceGroups[0].coveredResources[1]"), "9:29");
  EXPECT_EQ(PlaceOf(kYaml, "metadata.labels[a.b/c]"), "6:12");
}

TEST(Locate, FindsObjectsAndListsByTheirKey) {
  EXPECT_EQ(PlaceOf(kYaml, "spec"), "7:1");
  EXPECT_EQ(PlaceOf(kYaml, "spec.resourceGroups[0].flavors[1].resources"), "13:7");
}

TEST(Locate, FindsElementsWhereTheyBegin) {
  EXPECT_EQ(PlaceOf(kYaml, "spec.resourceGroups[0].flavors[1]"), "12:7");
}

TEST(Locate, FallsBackToTheNearestAncestor) {
  EXPECT_EQ(PlaceOf(kYaml, "spec.preemption.withinClusterQueue"), "7:1");
  EXPECT_EQ(PlaceOf(kYaml, "spec.resourceGroups[7].flavors"), "8:3");
  EXPECT_EQ(PlaceOf(kYaml, "metadata.labels[x]"), "5:3");
  EXPECT_EQ(PlaceOf(kYaml, "status"), "1:1");
  EXPECT_EQ(PlaceOf(kYaml, ""), "1:1");
}

TEST(Locate, ToleratesMalformedPaths) {
  for (const char* field : {"[", "]", ".", "..", "[]", "spec[", "spec.resourceGroups[-1]",
                            "metadata.labels[a.b/c", "kind.x", "kind[0]"}) {
    EXPECT_NE(PlaceOf(kYaml, field), "0:0") << field;
  }
}

TEST(Locate, FindsFieldsInJson) {
  constexpr std::string_view kJson = R"(
{"apiVersion": "v1", "kind": "List", "items": [
  {"apiVersion": "v1", "kind": "Namespace",
   "metadata": {"name": "a", "labels": {"\u0061": "b"}}}]})";
  EXPECT_EQ(PlaceOf(kJson, "kind"), "3:32");
  EXPECT_EQ(PlaceOf(kJson, "metadata.name"), "4:25");
  EXPECT_EQ(PlaceOf(kJson, "metadata.labels[a]"), "4:51");
}

}  // namespace
}  // namespace berth::api
