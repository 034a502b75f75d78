#include "objects/owner_chain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace berth::objects {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class OwnerChain : public ::testing::Test {
 protected:
  void Add(const std::string& uid, const std::string& owner, bool is_controller = true) {
    api::ObjectMeta& metadata = objects_[uid];
    metadata.uid = uid;
    if (owner.empty()) return;
    api::OwnerReference& reference = metadata.owner_references.emplace_back();
    reference.uid = owner;
    reference.controller = is_controller;
  }

  std::vector<std::string> OwnersOf(const std::string& uid) {
    std::vector<std::string> owners;
    WalkOwners(objects_.at(uid),
               [&](const api::OwnerReference& reference) -> const api::ObjectMeta* {
                 const auto found = objects_.find(reference.uid);
                 if (found == objects_.end()) return nullptr;
                 owners.push_back(found->first);
                 return &found->second;
               });
    return owners;
  }

  std::map<std::string, api::ObjectMeta> objects_;
};

TEST_F(OwnerChain, LeadsFromTheNearestOwnerToTheFurthest) {
  Add("pod", "job");
  Add("job", "set");
  Add("set", "");
  EXPECT_THAT(OwnersOf("pod"), ElementsAre("job", "set"));
  EXPECT_THAT(OwnersOf("set"), IsEmpty());
}

TEST_F(OwnerChain, FollowsControllersOnly) {
  Add("pod", "job", false);
  Add("job", "");
  EXPECT_THAT(OwnersOf("pod"), IsEmpty());
}

TEST_F(OwnerChain, EndsAtAnOwnerThatIsMissing) {
  Add("pod", "job");
  EXPECT_THAT(OwnersOf("pod"), IsEmpty());
}

TEST_F(OwnerChain, OfObjectsThatOwnEachOtherEnds) {
  Add("a", "b");
  Add("b", "a");
  EXPECT_EQ(OwnersOf("a").size(), kMaxOwners);
}

}  // namespace
}  // namespace berth::objects
