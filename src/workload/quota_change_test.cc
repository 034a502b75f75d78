#include "workload/quota_change.h"

#include <gtest/gtest.h>

#include "quantity/quantity.h"

namespace berth::workload {
namespace {

quantity::Quantity Cpu(std::string_view text) { return *quantity::Quantity::Parse(text); }

api::ResourceQuota QuotaOf(std::string_view nominal) {
  return {.name = "cpu", .nominal_quota = Cpu(nominal), .borrowing_limit = Cpu("2")};
}

api::ClusterQueueSpec SpecWith(std::vector<api::ResourceQuota> quotas) {
  return {.resource_groups = {{.covered_resources = {"cpu"},
                               .flavors = {{.name = "standard", .resources = std::move(quotas)}}}}};
}

bool IsRaise(const api::ClusterQueueSpec& after) {
  return OnlyRaisesQuota(SpecWith({QuotaOf("4")}), after);
}

TEST(RaisedQuota, IsLargerInAnyNumberOfPlaces) {
  EXPECT_TRUE(IsRaise(SpecWith({QuotaOf("4001m")})));
  api::ResourceQuota unlimited = QuotaOf("5");
  unlimited.borrowing_limit.reset();
  EXPECT_TRUE(IsRaise(SpecWith({unlimited})));
}

TEST(RaisedQuota, IsAnotherQuota) { EXPECT_FALSE(IsRaise(SpecWith({QuotaOf("4")}))); }

TEST(RaisedQuota, IsNotSmallerAnywhere) {
  EXPECT_FALSE(IsRaise(SpecWith({QuotaOf("3999m")})));
  api::ResourceQuota limited = QuotaOf("9");
  limited.borrowing_limit = Cpu("1");
  EXPECT_FALSE(IsRaise(SpecWith({limited})));
  limited = QuotaOf("9");
  limited.lending_limit = Cpu("9");
  EXPECT_FALSE(IsRaise(SpecWith({limited}))) << "there was no limit";
}

TEST(RaisedQuota, IsAllThatChanged) {
  api::ClusterQueueSpec stopped = SpecWith({QuotaOf("9")});
  stopped.stop_policy = "Hold";
  EXPECT_FALSE(IsRaise(stopped));
  EXPECT_FALSE(IsRaise(SpecWith({QuotaOf("9"), QuotaOf("9")})));
  api::ResourceQuota other = QuotaOf("9");
  other.name = "memory";
  EXPECT_FALSE(IsRaise(SpecWith({other})));
}

}  // namespace
}  // namespace berth::workload
