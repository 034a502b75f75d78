#include "api/kueue/topology_assignment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/testing/faults.h"
#include "base/random.h"
#include "schema/encode.h"

namespace berth::api {
namespace {

using ::testing::ElementsAre;
using testing::Faults;
using ::testing::IsEmpty;

std::vector<TopologyDomain> Hosts(std::initializer_list<std::pair<const char*, int32_t>> hosts) {
  std::vector<TopologyDomain> domains;
  for (auto [name, count] : hosts) domains.push_back({.values = {name}, .count = count});
  return domains;
}

const LevelValues& OnlyLevel(const TopologyAssignment& assignment) {
  return assignment.slices.at(0).values_per_level.at(0);
}

TEST(PackedTopology, StoresCommonAffixesOnce) {
  const auto packed = PackTopologyAssignment(
      {"block", "rack"},
      {{.values = {"b1", "rack-1-x"}, .count = 4}, {.values = {"b1", "rack-22-x"}, .count = 2}});
  EXPECT_EQ(schema::Encode(packed),
            R"({"levels":["block","rack"],"slices":[{"domainCount":2,"valuesPerLevel":[)"
            R"({"universal":"b1"},{"individual":{"prefix":"rack-","suffix":"-x",)"
            R"("roots":["1","22"]}}],"podCounts":{"individual":[4,2]}}]})");
}

TEST(PackedTopology, StoresEqualCountsOnce) {
  const auto packed = PackTopologyAssignment({"host"}, Hosts({{"a", 3}, {"b", 3}}));
  EXPECT_EQ(packed.slices.at(0).pod_counts, (DomainPodCounts{.universal = 3}));
}

TEST(PackedTopology, DoesNotLetPrefixAndSuffixOverlap) {
  const auto domains = Hosts({{"ababa", 1}, {"aba", 1}});
  const auto packed = PackTopologyAssignment({"host"}, domains);
  EXPECT_LE(OnlyLevel(packed).individual->prefix.value_or("").size() +
                OnlyLevel(packed).individual->suffix.value_or("").size(),
            3u);
  EXPECT_EQ(UnpackTopologyAssignment(packed), domains);
}

TEST(PackedTopology, IsEmptyWithoutDomains) {
  EXPECT_THAT(PackTopologyAssignment({"host"}, {}).slices, IsEmpty());
}

TEST(PackedTopology, StartsAnotherSliceWhenOneIsFull) {
  std::vector<TopologyDomain> domains(kMaxDomainsPerSlice + 1, {.values = {"h"}, .count = 1});
  for (size_t i = 0; i < domains.size(); ++i) domains[i].values[0] += std::to_string(i);
  const auto packed = PackTopologyAssignment({"host"}, domains);
  ASSERT_EQ(packed.slices.size(), 2u);
  EXPECT_EQ(packed.slices[1].domain_count, 1);
  EXPECT_EQ(UnpackTopologyAssignment(packed), domains);
}

// Hosts of several node pools, as cloud providers name them.
std::vector<TopologyDomain> Pools(std::initializer_list<const char*> pools, int hosts) {
  std::vector<TopologyDomain> domains;
  for (const char* pool : pools)
    for (int i = 0; i < hosts; ++i)
      domains.push_back({.values = {pool + std::to_string(10'000 + i)}, .count = 1});
  return domains;
}

TEST(TopologySlices, BeginWithAnotherPrefixIfThatIsShorter) {
  const auto domains = Pools({"gke-training-a100-pool-", "gke-training-h100-pool-"}, 50);
  const auto packed = PackTopologyAssignment({"host"}, domains, SliceCuts::kByPrefix);
  ASSERT_EQ(packed.slices.size(), 2u);
  EXPECT_EQ(packed.slices[0].values_per_level[0].individual->prefix, "gke-training-a100-pool-100");
  EXPECT_EQ(UnpackTopologyAssignment(packed), domains);
  EXPECT_LT(schema::Encode(packed).size(),
            schema::Encode(PackTopologyAssignment({"host"}, domains)).size());
}

TEST(TopologySlices, AreNotCutForAFewHosts) {
  const auto domains = Pools({"gke-training-a100-pool-", "gke-training-h100-pool-"}, 3);
  EXPECT_EQ(PackTopologyAssignment({"host"}, domains, SliceCuts::kByPrefix),
            PackTopologyAssignment({"host"}, domains));
}

TEST(TopologySlices, AreNeverLongerThanWithoutCuts) {
  base::Random random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<TopologyDomain> domains;
    for (uint64_t i = random.Below(60); i > 0; --i) {
      std::string name(random.Below(20), static_cast<char>('a' + random.Below(3)));
      domains.push_back({.values = {name + std::to_string(random.Below(1000))},
                         .count = static_cast<int32_t>(1 + random.Below(2))});
    }
    const auto packed = PackTopologyAssignment({"host"}, domains, SliceCuts::kByPrefix);
    EXPECT_EQ(UnpackTopologyAssignment(packed), domains);
    EXPECT_LE(schema::Encode(packed).size(),
              schema::Encode(PackTopologyAssignment({"host"}, domains)).size());
  }
}

TEST(UnpackedTopology, RoundTrips) {
  const std::vector<std::vector<TopologyDomain>> cases = {
      Hosts({{"a", 1}}),
      Hosts({{"", 1}, {"a", 2}}),
      Hosts({{"n1", 1}, {"n10", 1}, {"n100", 7}}),
      Hosts({{"same", 1}, {"same", 2}}),
      Hosts({{"aa", 1}, {"aaa", 1}, {"a", 1}}),
      {{.values = {"b", "r1", "h1"}, .count = 1}, {.values = {"b", "r2", "h1"}, .count = 1}},
  };
  for (const auto& domains : cases) {
    const std::vector<std::string> levels(domains.front().values.size(), "l");
    EXPECT_EQ(UnpackTopologyAssignment(PackTopologyAssignment(levels, domains)), domains);
  }
}

TEST(UnpackedTopology, IgnoresAnUnbackedDomainCount) {
  TopologyAssignmentSlice slice{.domain_count = 2'000'000'000,
                                .values_per_level = {{.universal = "h"}},
                                .pod_counts = {.universal = 1}};
  EXPECT_EQ(UnpackTopologyAssignment({.levels = {"host"}, .slices = {slice}}), Hosts({{"h", 1}}));
  slice.domain_count = -1;
  EXPECT_THAT(UnpackTopologyAssignment({.levels = {"host"}, .slices = {slice}}), IsEmpty());
}

TEST(UnpackedTopology, ReadsMissingValuesAsEmpty) {
  const TopologyAssignmentSlice slice{
      .domain_count = 2,
      .values_per_level = {{.individual = IndividualLevelValues{.roots = {"a", "b"}}}, {}},
      .pod_counts = {.individual = std::vector<int32_t>{5}}};
  EXPECT_EQ(UnpackTopologyAssignment({.levels = {"rack", "host"}, .slices = {slice}}),
            (std::vector<TopologyDomain>{{.values = {"a", ""}, .count = 5},
                                         {.values = {"b", ""}, .count = 0}}));
}

std::vector<std::string> SliceFaults(std::string_view slice) {
  return Faults<TopologyAssignment>(R"({"levels":["a"],"slices":[{)" + std::string(slice) + "}]}");
}

TEST(TopologyAssignmentRules, WantAValueForEveryLevel) {
  EXPECT_THAT(SliceFaults(R"("domainCount":1,"podCounts":{"universal":1},)"
                          R"("valuesPerLevel":[{"universal":"x"}])"),
              IsEmpty());
  EXPECT_THAT(SliceFaults(R"("domainCount":1,"podCounts":{"universal":1},)"
                          R"("valuesPerLevel":[{"universal":"x"},{"universal":"y"}])"),
              ElementsAre(": FieldValueInvalid"));
}

TEST(TopologyAssignmentRules, WantUniversalOrIndividual) {
  EXPECT_THAT(SliceFaults(R"("domainCount":1,"podCounts":{},"valuesPerLevel":[{}])"),
              ElementsAre("slices[0].podCounts: FieldValueInvalid",
                          "slices[0].valuesPerLevel[0]: FieldValueInvalid"));
  EXPECT_THAT(SliceFaults(R"("domainCount":1,"podCounts":{"universal":1,"individual":[1]},)"
                          R"("valuesPerLevel":[{"universal":"","individual":{"roots":["x"]}}])"),
              ElementsAre("slices[0].podCounts: FieldValueInvalid",
                          "slices[0].valuesPerLevel[0]: FieldValueInvalid"));
}

TEST(TopologyAssignmentRules, WantAsManyEntriesAsDomains) {
  EXPECT_THAT(SliceFaults(R"("domainCount":2,"podCounts":{"individual":[1]},)"
                          R"("valuesPerLevel":[{"individual":{"roots":["x"]}}])"),
              ElementsAre("slices[0]: FieldValueInvalid", "slices[0]: FieldValueInvalid"));
  EXPECT_THAT(SliceFaults(R"("domainCount":1,"podCounts":{"individual":[0]},)"
                          R"("valuesPerLevel":[{"universal":"x"}])"),
              ElementsAre("slices[0].podCounts.individual[0]: FieldValueInvalid"));
}

}  // namespace
}  // namespace berth::api
