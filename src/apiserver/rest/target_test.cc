#include "apiserver/rest/target.h"

#include <gmock/gmock.h>

namespace berth::apiserver {
namespace {

using ::testing::ElementsAre;
using Kind = RestTarget::Kind;

struct ObjectsCase {
  std::string_view target;
  std::string_view group, version, namespace_, plural, name, subresource;
};

class ObjectTargets : public ::testing::TestWithParam<ObjectsCase> {};

TEST_P(ObjectTargets, AreParsed) {
  const ObjectsCase& want = GetParam();
  const RestTarget got = RestTarget::Parse(want.target);
  EXPECT_EQ(got.kind, Kind::kObjects);
  EXPECT_EQ(got.group, want.group);
  EXPECT_EQ(got.version, want.version);
  EXPECT_EQ(got.namespace_, want.namespace_);
  EXPECT_EQ(got.plural, want.plural);
  EXPECT_EQ(got.name, want.name);
  EXPECT_EQ(got.subresource, want.subresource);
}

INSTANTIATE_TEST_SUITE_P(
    Paths, ObjectTargets,
    ::testing::Values(
        ObjectsCase{"/api/v1/pods", "", "v1", "", "pods", "", ""},
        ObjectsCase{"/api/v1/nodes/n", "", "v1", "", "nodes", "n", ""},
        ObjectsCase{"/api/v1/namespaces", "", "v1", "", "namespaces", "", ""},
        ObjectsCase{"/api/v1/namespaces/a", "", "v1", "", "namespaces", "a", ""},
        ObjectsCase{"/api/v1/namespaces/a/status", "", "v1", "", "namespaces", "a", "status"},
        ObjectsCase{"/api/v1/namespaces/a/pods", "", "v1", "a", "pods", "", ""},
        ObjectsCase{"/api/v1/namespaces/a/pods/p?x=y", "", "v1", "a", "pods", "p", ""},
        ObjectsCase{"/apis/batch/v1/namespaces/a/jobs/j/status", "batch", "v1", "a", "jobs", "j",
                    "status"},
        ObjectsCase{"/apis/batch/v1/jobs/", "batch", "v1", "", "jobs", "", ""},
        ObjectsCase{"/apis/g/v1/things/a%3Ab", "g", "v1", "", "things", "a:b", ""},
        ObjectsCase{"/apis/g/v1/things/100%", "g", "v1", "", "things", "100%", ""}));

TEST(Targets, OfLegacyWatchPathsAreMarked) {
  const RestTarget target = RestTarget::Parse("/api/v1/watch/namespaces/a/pods/p");
  EXPECT_TRUE(target.is_watch_path);
  EXPECT_EQ(target.namespace_, "a");
  EXPECT_EQ(target.plural, "pods");
  EXPECT_EQ(target.name, "p");
}

TEST(Targets, OfDiscoveryAreParsed) {
  EXPECT_EQ(RestTarget::Parse("/api").kind, Kind::kCoreVersions);
  EXPECT_EQ(RestTarget::Parse("/apis/").kind, Kind::kGroups);
  EXPECT_EQ(RestTarget::Parse("/apis/batch").kind, Kind::kGroup);
  EXPECT_EQ(RestTarget::Parse("/apis/batch/v1").kind, Kind::kVersion);
  EXPECT_EQ(RestTarget::Parse("/api/v1").kind, Kind::kVersion);
  EXPECT_EQ(RestTarget::Parse("/healthz").kind, Kind::kOther);
  EXPECT_EQ(RestTarget::Parse("").kind, Kind::kOther);
  EXPECT_EQ(RestTarget::Parse("/api/v1/nodes/n/status/more").kind, Kind::kOther);
}

TEST(Queries, UnescapeValuesAndKeepRepetitions) {
  const http::Query query =
      http::Query::Parse("labelSelector=a%3Db%2Cc&dryRun=All&dryRun=x+y&watch&&bad=%zz");
  EXPECT_EQ(query.Get("labelSelector"), "a=b,c");
  EXPECT_THAT(query.All("dryRun"), ElementsAre("All", "x y"));
  EXPECT_TRUE(query.Has("watch"));
  EXPECT_EQ(query.Get("watch"), "");
  EXPECT_EQ(query.Get("bad"), "%zz");
  EXPECT_FALSE(query.Has("limit"));
}

}  // namespace
}  // namespace berth::apiserver
