#include "engine/quota/fair_share.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "quantity/resource_amount.h"

namespace berth::engine {
namespace {

using simdjson::dom::element;

std::string OraclePath() {
  const char* shared = std::getenv("BERTH_SHARED_DIR");
  return std::string(shared != nullptr ? shared : BERTH_SOURCE_DIR "/../shared") +
         "/oracle/fair-share.json";
}

std::string Text(element e) { return std::string(std::string_view(e)); }

Amount QuotaOf(std::string_view resource, element text) {
  return quantity::QuotaAmount(resource, *quantity::Quantity::Parse(std::string_view(text)));
}

// "flavor|resource".
FlavorResourceId FlavorResourceOf(QuotaForest& forest, std::string_view key) {
  const size_t bar = key.find('|');
  return forest.FlavorResource(forest.Flavor(key.substr(0, bar)),
                               forest.Resource(key.substr(bar + 1)));
}

std::vector<ResourceGroup> Groups(QuotaForest& forest, element spec) {
  std::vector<ResourceGroup> groups;
  simdjson::dom::array json;
  if (spec["resourceGroups"].get(json)) return groups;
  for (element group_json : json) {
    ResourceGroup group;
    for (element resource : group_json["coveredResources"])
      group.resources.push_back(forest.Resource(std::string_view(resource)));
    for (element flavor_json : group_json["flavors"]) {
      FlavorQuotas flavor{.flavor = forest.Flavor(std::string_view(flavor_json["name"]))};
      for (element quota_json : flavor_json["resources"]) {
        const std::string name = Text(quota_json["name"]);
        Quota quota{.nominal = QuotaOf(name, quota_json["nominalQuota"])};
        element limit;
        if (!quota_json["borrowingLimit"].get(limit)) quota.borrowing_limit = QuotaOf(name, limit);
        if (!quota_json["lendingLimit"].get(limit)) quota.lending_limit = QuotaOf(name, limit);
        flavor.quotas.push_back(quota);
      }
      group.flavors.push_back(flavor);
    }
    groups.push_back(group);
  }
  return groups;
}

double WeightOf(element spec) {
  element weight;
  if (spec["fairSharing"]["weight"].get(weight)) return 1;
  return quantity::Quantity::Parse(std::string_view(weight))->ToDouble();
}

std::string OptionalText(element spec, std::string_view key) {
  element value;
  return spec[key].get(value) ? "" : Text(value);
}

void Build(QuotaForest& forest, element test) {
  std::map<std::string, NodeId> queues;
  for (element cohort : test["cohorts"]) {
    element spec = cohort["spec"];
    forest.SetCohort({.name = Text(cohort["name"]),
                      .parent = OptionalText(spec, "parentName"),
                      .groups = Groups(forest, spec),
                      .fair_weight = WeightOf(spec)});
  }
  for (element queue : test["clusterQueues"]) {
    element spec = queue["spec"];
    const std::string name = Text(queue["name"]);
    queues[name] = forest.SetQueue({.name = name,
                                    .cohort = OptionalText(spec, "cohortName"),
                                    .groups = Groups(forest, spec),
                                    .fair_weight = WeightOf(spec)});
  }
  std::vector<QueueUsage> usage;
  for (auto [queue, columns] : simdjson::dom::object(test["usage"])) {
    for (auto [flavor_resource, amount] : simdjson::dom::object(columns)) {
      const FlavorResourceId id = FlavorResourceOf(forest, flavor_resource);
      usage.push_back(
          {queues.at(std::string(queue)), id,
           Amount(quantity::RequestAmount(forest.ResourceName(forest.ResourceOf(id)),
                                          *quantity::Quantity::Parse(std::string_view(amount))))});
    }
  }
  forest.Rebuild(usage);
}

NodeId NodeOf(const QuotaForest& forest, element share) {
  const std::string_view name = share["name"];
  return std::string_view(share["kind"]) == "Cohort" ? forest.FindCohort(name)
                                                     : forest.FindQueue(name);
}

std::string Describe(QuotaForest& forest, NodeId node) {
  const FairShare share = ShareOf(forest, node);
  std::ostringstream out;
  out << RoundedShare(share) << ' ' << share.unweighted << ' ' << share.is_borrowing << ' '
      << (share.dominant_resource.is_none() ? "" : forest.ResourceName(share.dominant_resource));
  return out.str();
}

std::string Wanted(element share) {
  std::ostringstream out;
  out << std::string_view(share["weightedShare"]) << ' ' << double(share["unweighted"]) << ' '
      << bool(share["borrowing"]) << ' ' << std::string_view(share["resource"]);
  return out.str();
}

// Every case of the oracle: available quota and shares.
TEST(FairShareOracle, AgreesWithKueue) {
  if (!std::filesystem::exists(OraclePath())) GTEST_SKIP() << "shared/oracle not found";
  simdjson::dom::parser parser;
  element root = parser.load(OraclePath());
  int cases = 0;
  for (element test : root["cases"]) {
    SCOPED_TRACE("case " + std::to_string(cases++));
    QuotaForest forest;
    Build(forest, test);
    for (auto [queue, columns] : simdjson::dom::object(test["available"])) {
      for (auto [flavor_resource, want] : simdjson::dom::object(columns)) {
        const NodeId node = forest.FindQueue(queue);
        const ColumnIndex column = forest.ColumnOf(node, FlavorResourceOf(forest, flavor_resource));
        ASSERT_NE(column, kNoColumn);
        const Cell& cell = forest.cell(node, column);
        const auto expect = [&](Amount amount, std::string_view key) {
          EXPECT_EQ(ToString(amount), Text(want[key]))
              << queue << ' ' << flavor_resource << ' ' << key;
        };
        expect(quantity::Max(Amount(0), forest.Available(node, column)), "available");
        expect(cell.potential, "potential");
        expect(cell.subtree_quota, "subtreeQuota");
        expect(cell.usage, "usage");
      }
    }
    for (element share : test["shares"])
      EXPECT_EQ(Describe(forest, NodeOf(forest, share)), Wanted(share)) << Text(share["name"]);
    simdjson::dom::array comparisons;
    if (test["compare"].get(comparisons)) continue;
    for (element c : comparisons) {
      const NodeId a = forest.FindQueue(std::string_view(c["a"]));
      const NodeId b = forest.FindQueue(std::string_view(c["b"]));
      EXPECT_EQ(Compare(ShareOf(forest, a), ShareOf(forest, b)), int(int64_t(c["result"])));
    }
  }
  EXPECT_GT(cases, 100);
}

// --- Rules on a small tree -----------------------------------------------------------------------

// Two queues of 10 cpu each in one cohort.
class TwoQueues : public ::testing::Test {
 protected:
  void SetUp() override { Rebuild(1, 1, 0); }

  void Rebuild(double weight_a, double weight_b, int64_t usage_a) {
    const ResourceGroup cpu{
        .resources = {forest.Resource("cpu")},
        .flavors = {{.flavor = forest.Flavor("f"), .quotas = {{.nominal = Amount(10)}}}}};
    a = forest.SetQueue({.name = "a", .cohort = "co", .groups = {cpu}, .fair_weight = weight_a});
    b = forest.SetQueue({.name = "b", .cohort = "co", .groups = {cpu}, .fair_weight = weight_b});
    const QueueUsage usage{a, forest.FlavorResource(forest.Flavor("f"), forest.Resource("cpu")),
                           Amount(usage_a)};
    forest.Rebuild({&usage, 1});
  }

  QuotaForest forest;
  NodeId a, b;
};

TEST_F(TwoQueues, ShareIsZeroWithinNominal) {
  Rebuild(1, 1, 10);
  EXPECT_FALSE(ShareOf(forest, a).is_borrowing);
  EXPECT_EQ(RoundedShare(ShareOf(forest, a)), 0);
}

TEST_F(TwoQueues, ShareIsBorrowedUsagePerMilleOfTheCohort) {
  Rebuild(1, 1, 15);
  EXPECT_EQ(ShareOf(forest, a).unweighted, 250);
}

TEST_F(TwoQueues, ShareIsDividedByTheWeight) {
  Rebuild(2, 1, 15);
  EXPECT_EQ(RoundedShare(ShareOf(forest, a)), 125);
}

TEST_F(TwoQueues, BorrowingWithWeightZeroIsWorseThanAnyShare) {
  Rebuild(0, 1, 15);
  EXPECT_EQ(RoundedShare(ShareOf(forest, a)), INT64_MAX);
  EXPECT_EQ(Compare(ShareOf(forest, a), FairShare{.unweighted = 1e18}), 1);
}

TEST_F(TwoQueues, WeightZeroWithinNominalHasShareZero) {
  Rebuild(0, 1, 10);
  EXPECT_EQ(Compare(ShareOf(forest, a), ShareOf(forest, b)), 0);
}

}  // namespace
}  // namespace berth::engine
