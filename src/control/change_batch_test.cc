#include "control/change_batch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/kueue/resource_flavor.h"

namespace berth::control {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

base::Time At(int64_t milliseconds) {
  return base::Time::FromSeconds(1'000'000) + base::Duration::Milliseconds(milliseconds);
}

store::Object Flavor(std::string name, std::string version) {
  return {.namespace_ = "", .name = std::move(name), .uid = "u", .resource_version = version};
}

class ChangeBatchTest : public ::testing::Test {
 protected:
  bool Update(std::string name, std::string version, base::Time now) {
    const store::Object before = Flavor(name, "old"), after = Flavor(name, version);
    return batch_.Hold(kind_, {.before = &before, .after = &after}, now);
  }

  const schema::Kind& kind_ = api::ResourceFlavor::KindInfo();
  ChangeBatch batch_;
};

TEST_F(ChangeBatchTest, TheFirstUpdateTakesEffectAtOnceAndTheRestTogether) {
  EXPECT_FALSE(Update("a", "1", At(0)));
  EXPECT_TRUE(Update("a", "2", At(10)));
  EXPECT_TRUE(Update("b", "3", At(20)));
  EXPECT_TRUE(Update("a", "4", At(30)));
  EXPECT_THAT(batch_.TakeDue(At(999)), IsEmpty());
  EXPECT_THAT(batch_.TakeDue(At(1000)), SizeIs(2));
  EXPECT_TRUE(batch_.empty());
}

TEST_F(ChangeBatchTest, ABatchStartsTheNextInterval) {
  EXPECT_FALSE(Update("a", "1", At(0)));
  EXPECT_TRUE(Update("a", "2", At(10)));
  batch_.TakeDue(At(1000));
  EXPECT_TRUE(Update("a", "3", At(1500)));
  EXPECT_THAT(batch_.TakeDue(At(2000)), SizeIs(1));
  EXPECT_FALSE(Update("a", "4", At(3000)));
}

TEST_F(ChangeBatchTest, CreationsAndDeletionsAreNotHeld) {
  EXPECT_FALSE(Update("a", "1", At(0)));
  EXPECT_TRUE(Update("a", "2", At(10)));
  const store::Object a = Flavor("a", "2"), b = Flavor("b", "3");
  EXPECT_FALSE(batch_.Hold(kind_, {.before = nullptr, .after = &b}, At(20)));
  EXPECT_FALSE(batch_.Hold(kind_, {.before = &a, .after = nullptr}, At(30)));
  EXPECT_TRUE(batch_.empty());
}

}  // namespace
}  // namespace berth::control
