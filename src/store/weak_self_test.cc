#include "store/weak_self.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>

namespace berth::store {
namespace {

struct Owner {
  explicit Owner(int& calls) : calls_(calls) {}
  std::function<void(int)> Callback() {
    return self_.Wrap([this](int step) { calls_ += step; });
  }

  int& calls_;
  WeakSelf self_;
};

TEST(WeakSelfTest, RunsCallbacksWhileTheOwnerLives) {
  int calls = 0;
  Owner owner(calls);
  const std::function<void(int)> callback = owner.Callback();
  callback(2);
  callback(3);
  EXPECT_EQ(calls, 5);
}

TEST(WeakSelfTest, DisarmsCallbacksOfADestroyedOwner) {
  int calls = 0;
  auto owner = std::make_unique<Owner>(calls);
  const std::function<void(int)> callback = owner->Callback();
  owner.reset();
  callback(1);
  EXPECT_EQ(calls, 0);
}

}  // namespace
}  // namespace berth::store
