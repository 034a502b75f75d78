#include "apiserver/patch/patch.h"

#include <gtest/gtest.h>

#include "api/apps/deployment.h"
#include "api/batch/job.h"
#include "api/core/pod.h"
#include "api/kueue/cluster_queue.h"

namespace berth::apiserver {
namespace {

json::value Tree(std::string_view text) {
  const auto parsed = json::Parse(text);
  EXPECT_TRUE(parsed) << text;
  return parsed.value_or(json::value());
}

// An object, a patch, and the expected result or fault.
struct Case {
  std::string_view original;
  std::string_view patch;
  std::string_view result = {};
  PatchFault fault = PatchFault::kOther;  // if there is no result
};

template <class Patch>
void CheckCases(std::span<const Case> cases, Patch apply) {
  for (const Case& test : cases) {
    SCOPED_TRACE(std::string(test.original) + " patched with " + std::string(test.patch));
    const PatchResult result = apply(Tree(test.original), Tree(test.patch));
    if (test.result.empty()) {
      ASSERT_FALSE(result) << json::Print(*result);
      EXPECT_EQ(result.error().fault, test.fault) << result.error().message;
      EXPECT_FALSE(result.error().message.empty());
    } else {
      ASSERT_TRUE(result) << result.error().message;
      EXPECT_EQ(*result, Tree(test.result)) << json::Print(*result);
    }
  }
}

void CheckJsonPatch(std::span<const Case> cases) {
  CheckCases(cases, [](json::value original, const json::value& patch) {
    return ApplyJsonPatch(std::move(original), patch);
  });
}

void CheckPodPatch(std::span<const Case> cases) {
  CheckCases(cases, [](json::value original, json::value patch) {
    return ApplyStrategicPatch(std::move(original), std::move(patch), &api::Pod::Description);
  });
}

TEST(JsonPatch, AddsInsertsAndAppends) {
  CheckJsonPatch(std::vector<Case>{
      {R"({})", R"([{"op":"add","path":"/x","value":1}])", R"({"x":1})"},
      {R"({"x":1})", R"([{"op":"add","path":"/x","value":2}])", R"({"x":2})"},
      {R"({"l":[7,9]})", R"([{"op":"add","path":"/l/1","value":8}])", R"({"l":[7,8,9]})"},
      {R"({"l":[7]})", R"([{"op":"add","path":"/l/-","value":8}])", R"({"l":[7,8]})"},
      {R"({"l":[7]})", R"([{"op":"add","path":"/l/1","value":8}])", R"({"l":[7,8]})"},
      {R"({"l":[7]})", R"([{"op":"add","path":"/l/-1","value":8}])", R"({"l":[7,8]})"},
      {R"({"l":[7]})", R"([{"op":"add","path":"/l/2","value":8}])", {}, PatchFault::kIndex},
      {R"({"l":[7]})", R"([{"op":"add","path":"/l/one","value":8}])", {}, PatchFault::kIndex},
      {R"({})", R"([{"op":"add","path":"/a/b","value":8}])", {}, PatchFault::kMissing},
      {R"({})", R"([{"op":"add","path":"","value":{}}])", {}, PatchFault::kMissing},
      {R"({})", R"([{"op":"add","path":"/x"}])", R"({"x":null})"},
  });
}

TEST(JsonPatch, UnescapesPaths) {
  CheckJsonPatch(std::vector<Case>{
      {R"({"a/b":1,"m~n":2,"~1":3})",
       R"([{"op":"remove","path":"/a~1b"},{"op":"remove","path":"/m~0n"},
           {"op":"remove","path":"/~01"}])",
       R"({})"},
      {R"({"":{"":1}})", R"([{"op":"replace","path":"//","value":2}])", R"({"":{"":2}})"},
  });
}

TEST(JsonPatch, RemovesOnlyExistingValues) {
  CheckJsonPatch(std::vector<Case>{
      {R"({"a":1,"b":2})", R"([{"op":"remove","path":"/a"}])", R"({"b":2})"},
      {R"({"l":[1,2,3]})", R"([{"op":"remove","path":"/l/-1"}])", R"({"l":[1,2]})"},
      {R"({"l":[1,2,3]})", R"([{"op":"remove","path":"/l/01"}])", R"({"l":[1,3]})"},
      {R"({})", R"([{"op":"remove","path":"/a"}])", {}, PatchFault::kMissing},
      {R"({"l":[]})", R"([{"op":"remove","path":"/l/0"}])", {}, PatchFault::kIndex},
      {R"({"l":[1]})", R"([{"op":"remove","path":"/l/-"}])", {}, PatchFault::kIndex},
  });
}

TEST(JsonPatch, ReplacesMembersElementsAndTheRoot) {
  CheckJsonPatch(std::vector<Case>{
      {R"({"a":1})", R"([{"op":"replace","path":"/a","value":[2]}])", R"({"a":[2]})"},
      {R"({})", R"([{"op":"replace","path":"/a","value":2}])", R"({"a":2})"},
      {R"({"l":[1]})", R"([{"op":"replace","path":"/l/1","value":2}])", {}, PatchFault::kMissing},
      {R"({"a":1})", R"([{"op":"replace","path":"","value":{"b":2}}])", R"({"b":2})"},
      {R"({"a":1})", R"([{"op":"replace","path":"","value":2}])", {}, PatchFault::kOther},
  });
}

TEST(JsonPatch, MovesAndCopies) {
  CheckJsonPatch(std::vector<Case>{
      {R"({"a":1})", R"([{"op":"move","from":"/a","path":"/b"}])", R"({"b":1})"},
      {R"({"l":[1,2,3]})", R"([{"op":"move","from":"/l/0","path":"/l/2"}])", R"({"l":[2,3,1]})"},
      {R"({"a":{}})", R"([{"op":"move","from":"/a","path":"/a/b"}])", {}, PatchFault::kMissing},
      {R"({"a":{"x":1}})", R"([{"op":"copy","from":"/a","path":"/b"}])",
       R"({"a":{"x":1},"b":{"x":1}})"},
      {R"({})", R"([{"op":"copy","from":"/a","path":"/b"}])", R"({"b":null})"},
      {R"({"a":1})", R"([{"op":"copy","path":"/b"}])", {}, PatchFault::kMissing},
  });
}

TEST(JsonPatch, TestsByValueAndType) {
  CheckJsonPatch(std::vector<Case>{
      {R"({"a":{"x":[1,"2"],"y":null}})",
       R"([{"op":"test","path":"/a","value":{"y":null,"x":[1,"2"]}}])",
       R"({"a":{"x":[1,"2"],"y":null}})"},
      {R"({"a":1})", R"([{"op":"test","path":"/a","value":1.0}])", {}, PatchFault::kTestFailed},
      {R"({"a":1})", R"([{"op":"test","path":"/a","value":"1"}])", {}, PatchFault::kTestFailed},
      {R"({})", R"([{"op":"test","path":"/a","value":null}])", R"({})"},
      {R"({})", R"([{"op":"test","path":"/a","value":0}])", {}, PatchFault::kTestFailed},
      {R"({"a":1})", R"([{"op":"test","path":"","value":{"a":1}}])", R"({"a":1})"},
      {R"({"l":[]})", R"([{"op":"test","path":"/l/0","value":1}])", {}, PatchFault::kIndex},
  });
}

TEST(JsonPatch, ChangesNothingUnlessAllOperationsSucceed) {
  CheckJsonPatch(std::vector<Case>{
      {R"({})",
       R"([{"op":"add","path":"/a","value":1},{"op":"remove","path":"/b"}])",
       {},
       PatchFault::kMissing},
      {R"({})", R"([{"op":"grow","path":"/a"}])", {}, PatchFault::kBadOperation},
      {R"({})", R"([{"path":"/a"}])", {}, PatchFault::kBadOperation},
      {R"({})", R"({"op":"add"})", {}, PatchFault::kBadJson},
      {R"({})", R"([7])", {}, PatchFault::kBadJson},
      {R"(7)", R"([])", {}, PatchFault::kBadJson},
      {R"({"a":1})", R"(null)", R"({"a":1})"},
  });
}

TEST(JsonPatchLimits, BoundTheNumberOfOperations) {
  json::array patch(10'001, Tree(R"({"op":"add","path":"/a","value":1})"));
  const PatchResult result = ApplyJsonPatch(json::object(), patch);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().fault, PatchFault::kTooLarge);
  EXPECT_EQ(result.error().HttpCode(), 413);
}

TEST(JsonPatchLimits, BoundTheSizeOfCopies) {
  json::array patch;
  for (int i = 0; i < 40; ++i) patch.push_back(Tree(R"({"op":"copy","from":"/l","path":"/l/-"})"));
  const PatchResult result = ApplyJsonPatch(Tree(R"({"l":["0123456789"]})"), patch);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().fault, PatchFault::kTooLarge);
}

TEST(JsonPatchLimits, BoundTheDepth) {
  json::array patch;
  for (int i = 0; i < 200; ++i) {
    patch.push_back(Tree(R"({"op":"move","from":"/a","path":"/b/x"})"));
    patch.push_back(Tree(R"({"op":"add","path":"/a","value":{}})"));
    patch.push_back(Tree(R"({"op":"move","from":"/b","path":"/a/x"})"));
    patch.push_back(Tree(R"({"op":"add","path":"/b","value":{}})"));
  }
  const PatchResult result = ApplyJsonPatch(Tree(R"({"a":{},"b":{}})"), patch);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().fault, PatchFault::kTooLarge);
}

TEST(MergePatch, MergesObjectsAndReplacesTheRest) {
  CheckCases(
      std::vector<Case>{
          {R"({"a":1,"b":{"c":2,"d":3}})", R"({"a":"x","b":{"c":null,"e":4}})",
           R"({"a":"x","b":{"d":3,"e":4}})"},
          {R"({"l":[1,2]})", R"({"l":[3]})", R"({"l":[3]})"},
          {R"({"a":[1]})", R"({"a":{"b":1,"c":null}})", R"({"a":{"b":1}})"},
          {R"({"a":{"b":1}})", R"({"a":[null,{"c":null}]})", R"({"a":[null,{"c":null}]})"},
          {R"({})", R"({"a":[null,{"c":null,"d":1}]})", R"({"a":[null,{"d":1}]})"},
          {R"({"a":null})", R"({"b":1})", R"({"a":null,"b":1})"},
          {R"({"a":1})", R"([{"b":null}])", R"([{}])"},
          {R"([1])", R"({"a":{"b":null}})", R"({"a":{}})"},
          {R"({"a":1})", R"(1)", {}, PatchFault::kBadJson},
          {R"({"a":1})", R"(null)", {}, PatchFault::kBadJson},
          {R"(null)", R"({})", {}, PatchFault::kBadJson},
      },
      [](json::value original, const json::value& patch) {
        return ApplyMergePatch(std::move(original), patch);
      });
}

constexpr std::string_view kTwoContainers =
    R"({"spec":{"containers":[{"name":"a","image":"1"},{"name":"b","image":"2"}]}})";

TEST(StrategicPatch, MergesListsByTheirKeyWithNewElementsInFront) {
  CheckPodPatch(std::vector<Case>{
      {kTwoContainers, R"({"spec":{"containers":[{"name":"b","image":"3"}]}})",
       R"({"spec":{"containers":[{"name":"a","image":"1"},{"name":"b","image":"3"}]}})"},
      {kTwoContainers, R"({"spec":{"containers":[{"name":"c"}]}})",
       R"({"spec":{"containers":[{"name":"c"},{"name":"a","image":"1"},
                                 {"name":"b","image":"2"}]}})"},
      {kTwoContainers, R"({"spec":{"containers":[]}})", kTwoContainers},
      {kTwoContainers, R"({"spec":{"containers":[{"image":"3"}]}})", {}, PatchFault::kNoMergeKey},
      {R"({"spec":{"containers":[{"image":"1"}]}})",
       R"({"spec":{"containers":[{"name":"a"}]}})",
       {},
       PatchFault::kNoMergeKey},
  });
}

TEST(StrategicPatch, ReplacesListsWithoutAKey) {
  CheckPodPatch(std::vector<Case>{
      {R"({"spec":{"tolerations":[{"key":"a"},{"key":"b"}]}})",
       R"({"spec":{"tolerations":[{"key":"c"}]}})", R"({"spec":{"tolerations":[{"key":"c"}]}})"},
      {R"({"spec":{"tolerations":[{"key":"a"}]}})", R"({"spec":{"tolerations":[]}})",
       R"({"spec":{"tolerations":[]}})"},
  });
}

TEST(StrategicPatch, KnowsKeysOfCarriedFields) {
  CheckPodPatch(std::vector<Case>{
      {R"({"spec":{"hostAliases":[{"ip":"1","hostnames":["x"]}]}})",
       R"({"spec":{"hostAliases":[{"ip":"2"}]}})",
       R"({"spec":{"hostAliases":[{"ip":"2"},{"ip":"1","hostnames":["x"]}]}})"},
  });
}

TEST(StrategicPatch, FollowsDirectivesInLists) {
  CheckPodPatch(std::vector<Case>{
      {kTwoContainers, R"({"spec":{"containers":[{"$patch":"delete","name":"a"}]}})",
       R"({"spec":{"containers":[{"name":"b","image":"2"}]}})"},
      {kTwoContainers,
       R"({"spec":{"containers":[{"$patch":"replace"},{"name":"z"},
                                 {"$patch":"delete","name":"a"}]}})",
       R"({"spec":{"containers":[{"name":"z"}]}})"},
      {kTwoContainers,
       R"({"spec":{"containers":[{"$patch":"merge","name":"a"}]}})",
       {},
       PatchFault::kDirective},
      {kTwoContainers,
       R"({"spec":{"containers":[{"$patch":"delete"}]}})",
       {},
       PatchFault::kNoMergeKey},
  });
}

TEST(StrategicPatch, FollowsDirectivesInObjects) {
  CheckPodPatch(std::vector<Case>{
      {R"({"metadata":{"labels":{"a":"1","b":"2"}}})",
       R"({"metadata":{"labels":{"$patch":"replace","c":"3"}}})",
       R"({"metadata":{"labels":{"c":"3"}}})"},
      {R"({"metadata":{"labels":{"a":"1"}}})", R"({"metadata":{"labels":{"$patch":"delete"}}})",
       R"({"metadata":{"labels":{}}})"},
      {R"({"metadata":{}})", R"({"metadata":{"labels":{"$patch":"replace","c":"3"}}})",
       R"({"metadata":{}})"},
      {R"({"metadata":{"labels":{}}})",
       R"({"metadata":{"labels":{"$patch":"merge"}}})",
       {},
       PatchFault::kDirective},
  });
}

TEST(StrategicPatch, MergesAndDeletesScalars) {
  CheckPodPatch(std::vector<Case>{
      {R"({"metadata":{"finalizers":["a","b"]}})", R"({"metadata":{"finalizers":["c","b"]}})",
       R"({"metadata":{"finalizers":["c","a","b"]}})"},
      {R"({"metadata":{"finalizers":["a","b","a"]}})",
       R"({"metadata":{"$deleteFromPrimitiveList/finalizers":["a"]}})",
       R"({"metadata":{"finalizers":["b"]}})"},
      {R"({"metadata":{}})", R"({"metadata":{"$deleteFromPrimitiveList/finalizers":["a"]}})",
       R"({"metadata":{}})"},
  });
}

TEST(StrategicPatch, SortsElementsBySetElementOrder) {
  CheckPodPatch(std::vector<Case>{
      {kTwoContainers,
       R"({"spec":{"$setElementOrder/containers":[{"name":"b"},{"name":"c"},{"name":"a"}],
                   "containers":[{"name":"c"}]}})",
       R"({"spec":{"containers":[{"name":"b","image":"2"},{"name":"c"},
                                 {"name":"a","image":"1"}]}})"},
      {R"({"metadata":{"finalizers":["x","a","b"]}})",
       R"({"metadata":{"$setElementOrder/finalizers":["b","a"]}})",
       R"({"metadata":{"finalizers":["x","b","a"]}})"},
      {kTwoContainers,
       R"({"spec":{"$setElementOrder/containers":[{"name":"a"}],"containers":[{"name":"c"}]}})",
       {},
       PatchFault::kOrder},
      {R"({"metadata":{"finalizers":[]}})",
       R"({"metadata":{"$setElementOrder/finalizers":["a"]}})",
       {},
       PatchFault::kOrderOnEmpty},
      {R"({"spec":{"tolerations":[{"key":"a"}]}})",
       R"({"spec":{"$setElementOrder/tolerations":[{"key":"a"}]}})",
       {},
       PatchFault::kUnorderable},
      {R"({"metadata":{"finalizers":["a"]}})",
       R"({"metadata":{"$setElementOrder/$setElementOrder/finalizers":["a"],
                       "$setElementOrder/finalizers":["a"]}})",
       {},
       PatchFault::kOther},
  });
}

TEST(StrategicPatch, RetainsOnlyTheListedKeys) {
  CheckCases(
      std::vector<Case>{
          {R"({"spec":{"strategy":{"type":"RollingUpdate","rollingUpdate":{}}}})",
           R"({"spec":{"strategy":{"$retainKeys":["type"],"type":"Recreate"}}})",
           R"({"spec":{"strategy":{"type":"Recreate"}}})"},
          {R"({"spec":{"strategy":{"type":"RollingUpdate"}}})",
           R"({"spec":{"strategy":{"$retainKeys":["type"],"rollingUpdate":{}}}})",
           {},
           PatchFault::kRetainKeys},
          {R"({"spec":{"strategy":{}}})",
           R"({"spec":{"strategy":{"$retainKeys":"type"}}})",
           {},
           PatchFault::kRetainKeys},
      },
      [](json::value original, json::value patch) {
        return ApplyStrategicPatch(std::move(original), std::move(patch),
                                   &api::Deployment::Description);
      });
}

TEST(StrategicPatch, MergesUndescribedFieldsByObject) {
  CheckPodPatch(std::vector<Case>{
      {R"({"spec":{"later":{"a":1,"l":[{"name":"a"}]}}})",
       R"({"spec":{"later":{"b":2,"l":[{"name":"b"}]}}})",
       R"({"spec":{"later":{"a":1,"b":2,"l":[{"name":"b"}]}}})"},
  });
}

TEST(PatchTypes, AreDeterminedByTheContentType) {
  EXPECT_EQ(PatchTypeOf("application/json-patch+json"), PatchType::kJson);
  EXPECT_EQ(PatchTypeOf("application/merge-patch+json; charset=utf-8"), PatchType::kMerge);
  EXPECT_EQ(PatchTypeOf("application/strategic-merge-patch+json"), PatchType::kStrategic);
  EXPECT_EQ(PatchTypeOf("application/apply-patch+yaml"), PatchType::kApply);
  EXPECT_EQ(PatchTypeOf("application/json"), std::nullopt);
  EXPECT_TRUE(HasStrategicPatch(api::Job::KindInfo()));
  EXPECT_FALSE(HasStrategicPatch(api::ClusterQueue::KindInfo()));
}

}  // namespace
}  // namespace berth::apiserver
