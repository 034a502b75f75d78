#include "kube/elector.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "apiserver/testing/api_server.h"
#include "kube/client.h"
#include "kube/find_access.h"

namespace berth::kube {
namespace {

bool Eventually(const std::function<bool()>& holds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!holds()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

class ElectorTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(server_.error(), "");
    auto client = Client::Make(*FindAccess(server_.kubeconfig().string()));
    ASSERT_TRUE(client);
    client_ = std::move(*client);
  }

  // Periods so long that only what is told counts, not what is looked up now and then.
  std::unique_ptr<Elector> Join(const std::string& identity, Elector::Handlers handlers = {}) {
    return std::make_unique<Elector>(
        *client_,
        ElectionSettings{.identity = identity,
                         .namespace_ = "default",
                         .name = "lease",
                         .lease_duration = base::Duration::Seconds(3600),
                         .renew_deadline = base::Duration::Seconds(3000),
                         .retry_period = base::Duration::Seconds(1000)},
        std::move(handlers));
  }

  apiserver::testing::ApiServer server_;
  std::unique_ptr<Client> client_;
};

TEST_F(ElectorTest, HandsOverWithoutWaitingForTheLeaseToEnd) {
  std::atomic<bool> was_told = false;
  const auto first = Join("first", {.on_leading = [&] { was_told = true; }});
  ASSERT_TRUE(Eventually([&] { return first->IsLeading(); }));
  EXPECT_TRUE(Eventually([&] { return was_told.load(); }));
  const auto second = Join("second");
  // So that it has seen that the lease is taken.
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_FALSE(second->IsLeading());
  first->HandOver();
  EXPECT_FALSE(first->IsLeading());
  EXPECT_TRUE(Eventually([&] { return second->IsLeading(); }));
}

TEST_F(ElectorTest, LeavesTheLeaseWhenItIsKilled) {
  {
    const auto first = Join("first");
    ASSERT_TRUE(Eventually([&] { return first->IsLeading(); }));
  }
  const auto second = Join("second");
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_FALSE(second->IsLeading());
}

TEST(Identity, IsNeverTheSame) { EXPECT_NE(NewIdentity(), NewIdentity()); }

}  // namespace
}  // namespace berth::kube
