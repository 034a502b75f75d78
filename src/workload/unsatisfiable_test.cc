#include "workload/unsatisfiable.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::workload {
namespace {

using quantity::Amount;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A queue for gpu in flavors "a" (nominal 8, 8 to borrow) and "b" (nominal 4), and a group for
// memory in flavor "m" (unknown quota).
class UnsatisfiableTest : public ::testing::Test {
 protected:
  UnsatisfiableTest() {
    queue_.resource_groups.resize(2);
    queue_.resource_groups[0].covered_resources = {"gpu"};
    queue_.resource_groups[0].flavors.resize(2);
    queue_.resource_groups[0].flavors[0].name = "a";
    queue_.resource_groups[0].flavors[1].name = "b";
    queue_.resource_groups[1].covered_resources = {"memory"};
    queue_.resource_groups[1].flavors.resize(1);
    queue_.resource_groups[1].flavors[0].name = "m";
    lookup_.find_bound = [](std::string_view flavor, std::string_view) {
      using Bound = PotentialQuota::Bound;
      if (flavor == "a") return std::optional(Bound{.nominal = Amount(8), .most = Amount(16)});
      if (flavor == "b") return std::optional(Bound{.nominal = Amount(4), .most = Amount(4)});
      return std::optional<Bound>();
    };
    lookup_.find_flavor = [this](std::string_view flavor) -> const api::ResourceFlavor* {
      return flavor == "a" ? &flavor_ : nullptr;
    };
  }

  std::vector<std::string> Texts(std::string_view resource, int64_t amount) const {
    PodSetTotals totals{.name = "main", .count = 1};
    totals.requests.Set(resource, amount);
    std::vector<std::string> texts;
    for (const auto& request : FindUnsatisfiable(totals, {}, queue_, lookup_))
      texts.push_back(ToString(request, "requests", "team-a", lookup_.cannot_borrow));
    return texts;
  }

  api::ClusterQueueSpec queue_;
  api::ResourceFlavor flavor_;
  QuotaLookup lookup_;
};

TEST_F(UnsatisfiableTest, OneFlavorThatFitsWithBorrowingIsEnough) {
  EXPECT_THAT(Texts("gpu", 16), IsEmpty());
}

TEST_F(UnsatisfiableTest, NamesTheMostOfEachFlavor) {
  EXPECT_THAT(Texts("gpu", 100),
              ElementsAre("requests 100 gpu, but ClusterQueue team-a can offer at most 16 gpu "
                          "(nominal 8 + borrowing 8) in flavor a; at most 4 gpu (nominal) in "
                          "flavor b"));
}

TEST_F(UnsatisfiableTest, CountsOnlyNominalQuotaWhereBorrowingIsForbidden) {
  lookup_.cannot_borrow = true;
  EXPECT_THAT(Texts("gpu", 8), IsEmpty());
  EXPECT_THAT(Texts("gpu", 9), ::testing::SizeIs(1));
}

TEST_F(UnsatisfiableTest, NamesFlavorsThatThePodsDoNotTolerate) {
  flavor_.spec.node_taints = {{.key = "spot", .value = "true", .effect = "NoSchedule"}};
  EXPECT_THAT(Texts("gpu", 10),
              ElementsAre("requests 10 gpu, but ClusterQueue team-a can offer nothing in flavor a "
                          "(taint spot not tolerated); at most 4 gpu (nominal) in flavor b"));
}

TEST_F(UnsatisfiableTest, UnknownQuotaCountsAsEnough) {
  EXPECT_THAT(Texts("memory", 1'000'000), IsEmpty());
}

TEST_F(UnsatisfiableTest, NamesResourcesThatNoGroupCovers) {
  EXPECT_THAT(Texts("example.com/x", 2),
              ElementsAre("requests 2 example.com/x, but no resource group of ClusterQueue team-a "
                          "covers it"));
  EXPECT_THAT(Texts("example.com/x", 0), IsEmpty());
}

}  // namespace
}  // namespace berth::workload
