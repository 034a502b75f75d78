#include "objects/stored_object.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/batch/job.h"
#include "api/core/namespace.h"
#include "api/kueue/cluster_queue.h"
#include "api/kueue/workload.h"

namespace berth::objects {
namespace {

using ::testing::ElementsAre;

template <class T>
api::Object Named(std::string namespace_name, std::string name) {
  api::Object object(T::KindInfo());
  object.metadata()->namespace_ = std::move(namespace_name);
  object.metadata()->name = std::move(name);
  return object;
}

TEST(StoredObject, HasItsDefaults) {
  const api::Object job = AsStored(Named<api::Job>("team", "train"));
  EXPECT_EQ(job.As<api::Job>()->spec.parallelism, 1);
  EXPECT_EQ(job.As<api::Job>()->spec.completions, 1);
}

TEST(StoredObject, IsInTheDefaultNamespaceUnlessItNamesOne) {
  EXPECT_EQ(AsStored(Named<api::Workload>("", "w")).metadata()->namespace_, "default");
  EXPECT_EQ(AsStored(Named<api::Workload>("team", "w")).metadata()->namespace_, "team");
}

TEST(StoredObject, OfAClusterHasNoNamespace) {
  EXPECT_EQ(AsStored(Named<api::ClusterQueue>("team", "q")).metadata()->namespace_, "");
}

TEST(StoredObject, LeavesTheManifestAlone) {
  const api::Object manifest = Named<api::Workload>("", "w");
  AsStored(manifest);
  EXPECT_EQ(manifest.metadata()->namespace_, "");
}

TEST(Uids, AreMadeOfTheNameWhereThereIsNone) {
  api::ObjectMeta metadata;
  metadata.namespace_ = "team";
  metadata.name = "w";
  EnsureUid("Workload", metadata);
  EXPECT_EQ(metadata.uid, "team-w");
  metadata.name = "other";
  EnsureUid("Workload", metadata);
  EXPECT_EQ(metadata.uid, "team-w");
}

TEST(Uids, OfCopiesAreMadeUnique) {
  const auto separated = [](std::vector<std::pair<std::string, std::string>> names_and_uids) {
    std::vector<api::ObjectMeta> all;
    for (const auto& [name, uid] : names_and_uids) {
      api::ObjectMeta& metadata = all.emplace_back();
      metadata.namespace_ = "team";
      metadata.name = name;
      metadata.uid = uid;
    }
    std::vector<api::ObjectMeta*> pointers;
    for (api::ObjectMeta& metadata : all) pointers.push_back(&metadata);
    SeparateUids(pointers);
    std::vector<std::string> uids;
    for (const api::ObjectMeta& metadata : all) uids.push_back(metadata.uid);
    return uids;
  };
  EXPECT_THAT(separated({{"a", "1"}, {"b", "1"}, {"c", "2"}}),
              ElementsAre("1 team/a", "1 team/b", "2"));
  EXPECT_THAT(separated({{"a", "1"}, {"a", "1"}}), ElementsAre("1", "1"));  // two versions
  EXPECT_THAT(separated({{"a", ""}, {"b", ""}}), ElementsAre("", ""));
}

}  // namespace
}  // namespace berth::objects
