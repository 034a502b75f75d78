#include "api/meta/manifest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/kueue/cluster_queue.h"
#include "api/kueue/local_queue.h"

namespace berth::api {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// "kind name" of each manifest.
std::vector<std::string> Names(const std::vector<Manifest>& manifests) {
  std::vector<std::string> names;
  for (const Manifest& m : manifests) names.push_back(m.kind + " " + m.metadata().name);
  return names;
}

// All problems as text.
std::vector<std::string> Problems(const std::vector<Manifest>& manifests) {
  std::vector<std::string> texts;
  for (const Manifest& m : manifests) {
    for (const schema::Problem& p : m.problems) texts.push_back(schema::ToString(p));
  }
  return texts;
}

std::vector<Manifest> Read(std::string_view text, bool is_strict = true) {
  return ReadManifests(text, {.file = "a.yaml", .is_strict = is_strict});
}

TEST(ReadManifests, ReadsEveryDocumentOfAYamlStream) {
  const auto manifests = Read(R"(
apiVersion: v1
kind: Namespace
metadata: {name: a}
---
# nothing here
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: q, namespace: a}
spec: {clusterQueue: cq}
)");
  EXPECT_THAT(Names(manifests), ElementsAre("Namespace a", "LocalQueue q"));
  EXPECT_THAT(Problems(manifests), IsEmpty());
  const LocalQueue* queue = manifests[1].object->As<LocalQueue>();
  ASSERT_NE(queue, nullptr);
  EXPECT_EQ(queue->spec.cluster_queue, "cq");
  EXPECT_EQ(manifests[1].object->As<ClusterQueue>(), nullptr);
}

TEST(ReadManifests, ReadsJsonObjectsAfterEachOther) {
  const auto manifests = Read(R"(
{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"a"}}
{"apiVersion":"v1","kind":"Namespace",
 "metadata":{"name":"b","nmae":"x"}})");
  EXPECT_THAT(Names(manifests), ElementsAre("Namespace a", "Namespace b"));
  EXPECT_THAT(Problems(manifests),
              ElementsAre("a.yaml:4:25: metadata.nmae: unknown field (did you mean \"name\"?)"));
}

TEST(ReadManifests, ReadsJsonThatIsCutIntoDocumentsAsYaml) {
  const auto manifests = Read(R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"a"}}
---
{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"b"}})");
  EXPECT_THAT(Names(manifests), ElementsAre("Namespace a", "Namespace b"));
}

TEST(ReadManifests, ReadsNothingFromTextWithoutContent) {
  EXPECT_THAT(Read(""), IsEmpty());
  EXPECT_THAT(Read(" \n\t"), IsEmpty());
  EXPECT_THAT(Read("# only a comment\n---\n"), IsEmpty());
  EXPECT_THAT(Read("null"), IsEmpty());
}

TEST(ReadManifests, ReplacesListsByTheirItems) {
  const auto manifests = Read(R"(
apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Namespace
  metadata: {name: a}
- apiVersion: v1
  kind: List
  items:
  - apiVersion: v1
    kind: Namespace
    metadata:
      name: b
      nmae: x
)");
  EXPECT_THAT(Names(manifests), ElementsAre("Namespace a", "Namespace b"));
  EXPECT_THAT(Problems(manifests),
              ElementsAre("a.yaml:15:7: metadata.nmae: unknown field (did you mean \"name\"?)"));
}

TEST(ReadManifests, InfersTheKindOfItemsInATypedList) {
  const auto manifests = Read(R"({
  "apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "LocalQueueList", "metadata": {},
  "items": [
    {"metadata": {"name": "q"}, "spec": {"clusterQueue": "cq"}},
    {"metadata": {"name": "r"}, "spec": {"clusterQueue": 5}}
  ]})");
  EXPECT_THAT(Names(manifests), ElementsAre("LocalQueue q", "LocalQueue r"));
  EXPECT_THAT(Problems(manifests),
              ElementsAre(HasSubstr("a.yaml:5:58: spec.clusterQueue: expected a string, found 5")));
  EXPECT_TRUE(manifests[0].object);
  EXPECT_FALSE(manifests[1].object);
}

TEST(ReadManifests, ConvertsPreviousVersions) {
  const auto manifests = Read(R"(
apiVersion: kueue.x-k8s.io/v1beta1
kind: ClusterQueue
metadata: {name: cq}
spec: {cohort: c}
)");
  EXPECT_THAT(Problems(manifests), IsEmpty());
  EXPECT_EQ(manifests[0].object->As<ClusterQueue>()->spec.cohort_name, "c");
  EXPECT_EQ(manifests[0].api_version, "kueue.x-k8s.io/v1beta1");
}

TEST(ReadManifests, KeepsUnknownKinds) {
  const auto manifests = Read(R"(
apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata: {name: j, namespace: ns, labels: {a: b}}
spec: {replicatedJobs: []}
)");
  ASSERT_THAT(manifests, SizeIs(1));
  EXPECT_THAT(Problems(manifests), IsEmpty());
  EXPECT_EQ(manifests[0].known, nullptr);
  EXPECT_FALSE(manifests[0].object);
  EXPECT_EQ(manifests[0].metadata().namespace_, "ns");
  EXPECT_EQ(*manifests[0].metadata().labels.Find("a"), "b");
  EXPECT_THAT(manifests[0].source.json, HasSubstr("replicatedJobs"));
}

TEST(ReadManifests, ReportsUnknownFieldsOnlyIfStrict) {
  constexpr std::string_view kText = R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: cq}
spec:
  cohort: c
)";
  EXPECT_THAT(Problems(Read(kText)), ElementsAre(HasSubstr("a.yaml:6:3: spec.cohort")));
  EXPECT_THAT(Problems(Read(kText, false)), IsEmpty());
}

TEST(ReadManifests, ReportsDocumentsThatAreNotObjects) {
  EXPECT_THAT(Problems(Read("[1, 2]")), ElementsAre(HasSubstr("a.yaml:1:1: expected an object")));
  EXPECT_THAT(Problems(Read("- a\n- b\n")), ElementsAre(HasSubstr("found a list")));
  EXPECT_THAT(Problems(Read("hello there")), ElementsAre(HasSubstr("the text \"hello there\"")));
  EXPECT_THAT(Problems(Read("a: b")), ElementsAre(HasSubstr("apiVersion: this field is required"),
                                                  HasSubstr("kind: this field is required")));
  EXPECT_THAT(Problems(Read("kind: LocalQueue")),
              ElementsAre(HasSubstr("write apiVersion: kueue.x-k8s.io/v1beta2")));
  EXPECT_THAT(Problems(Read("apiVersion: v1\nkind: 5")),
              ElementsAre(HasSubstr("a.yaml:2:7: kind: expected a string, found 5")));
}

TEST(ReadManifests, ReportsItemsThatAreNotObjects) {
  EXPECT_THAT(Problems(Read("apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n")),
              ElementsAre(HasSubstr("a.yaml:4:3: items[0].kind: this field is required")));
  EXPECT_THAT(Problems(Read("apiVersion: v1\nkind: List\n")),
              ElementsAre(HasSubstr("items: a list has its objects under items")));
}

TEST(ReadManifests, ReadsDocumentsBeforeASyntaxError) {
  const auto manifests = Read(R"(
apiVersion: v1
kind: Namespace
metadata: {name: a}
---
apiVersion: v1
kind: "Namespace
)");
  ASSERT_THAT(manifests, SizeIs(2));
  EXPECT_TRUE(manifests[0].object);
  EXPECT_EQ(manifests[1].problems[0].type, schema::ProblemType::kSyntax);
}

TEST(ReadManifests, SurvivesTruncatedJson) {
  constexpr std::string_view kWhole =
      R"({"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"Namespace",)"
      R"("metadata":{"name":"a","labels":{"x":"y"}}}]})";
  EXPECT_THAT(Problems(Read(kWhole)), IsEmpty());
  for (size_t size = 1; size < kWhole.size(); ++size) {
    EXPECT_THAT(Problems(Read(kWhole.substr(0, size))), SizeIs(1)) << kWhole.substr(0, size);
  }
}

TEST(ReadManifests, BoundsListsInLists) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += R"({"apiVersion":"v1","kind":"List","items":[)";
  EXPECT_THAT(Problems(Read(text)), SizeIs(1));
}

TEST(ReadManifests, KeepsTheNameOfABrokenObject) {
  const auto manifests = Read(R"(
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: cq}
spec: {resourceGroups: 3}
)");
  ASSERT_THAT(manifests, SizeIs(1));
  EXPECT_FALSE(manifests[0].object);
  EXPECT_EQ(manifests[0].known, &ClusterQueue::KindInfo());
  EXPECT_EQ(manifests[0].metadata().name, "cq");
}

}  // namespace
}  // namespace berth::api
