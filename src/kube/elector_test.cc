#include "kube/elector.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "apiserver/testing/api_server.h"
#include "kube/client.h"
#include "kube/find_access.h"
#include "store/testing/eventually.h"
#include "store/testing/typed_client.h"

namespace berth::kube {
namespace {

using store::testing::Eventually;

class ElectorTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(server_.error(), "");
    auto client = Client::Make(*FindAccess(server_.kubeconfig().string()));
    ASSERT_TRUE(client);
    client_ = std::move(*client);
  }

  // Periods so long that polling plays no part: only the watch does.
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

  std::string Holder() const {
    const json::value lease = store::testing::TypedClient(*client_).Get<api::Lease>("lease");
    return std::string(json::StringAt(lease, {"spec", "holderIdentity"}));
  }

  apiserver::testing::ApiServer server_;
  std::unique_ptr<Client> client_;
};

TEST_F(ElectorTest, HandsOverBeforeTheLeaseExpires) {
  std::atomic<bool> was_told = false;
  const auto first = Join("first", {.on_leading = [&] { was_told = true; }});
  ASSERT_TRUE(Eventually([&] { return first->IsLeading(); }));
  EXPECT_TRUE(Eventually([&] { return was_told.load(); }));
  const auto second = Join("second");
  // Time for the second one to read the lease.
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_FALSE(second->IsLeading());
  first->HandOver();
  EXPECT_FALSE(first->IsLeading());
  EXPECT_TRUE(Eventually([&] { return second->IsLeading(); }));
}

TEST_F(ElectorTest, KeepsTheLeaseUnlessItHandsOver) {
  {
    const auto first = Join("first");
    ASSERT_TRUE(Eventually([&] { return first->IsLeading(); }));
  }
  const auto second = Join("second");
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_FALSE(second->IsLeading());
  EXPECT_EQ(Holder(), "first");
}

TEST(Identity, IsUnique) { EXPECT_NE(NewIdentity(), NewIdentity()); }

}  // namespace
}  // namespace berth::kube
