// Scenarios with outcomes recorded from Kueue, from shared/conformance.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "base/random.h"
#include "scenario/scenario_check.h"
#include "scenario/scenario_run.h"
#include "scenario/testing/placement_audit.h"

namespace berth::scenario {
namespace {

namespace fs = std::filesystem;

fs::path Folder() {
  const char* shared = std::getenv("BERTH_SHARED_DIR");
  return (shared != nullptr ? fs::path(shared) : fs::path(BERTH_SOURCE_DIR) / ".." / "shared") /
         "conformance";
}

std::vector<fs::path> FilesOf(const std::string& suite) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(Folder() / suite))
    files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

std::string Text(const fs::path& file) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

void Shuffle(std::vector<api::Object>& objects, base::Random& random) {
  for (size_t i = objects.size(); i > 1; --i) std::swap(objects[i - 1], objects[random.Below(i)]);
}

// Deliberate differences besides those of placements (docs/differences.md), and the files that they
// change.
struct DeliberateDifference {
  std::string_view rule;
  std::string_view suite;
  std::vector<int> files;  // by number
};

const std::vector<DeliberateDifference>& DeliberateDifferences() {
  static const std::vector<DeliberateDifference> kAll = {
      {"Podsets behind one without declared resources are admitted too", "random/hier", {30}},
  };
  return kAll;
}

bool IsDifferentOnPurpose(const std::string& suite, const fs::path& file) {
  return std::ranges::any_of(DeliberateDifferences(), [&](const DeliberateDifference& rule) {
    return rule.suite == suite &&
           std::ranges::find(rule.files, std::stoi(file.stem())) != rule.files.end();
  });
}

// Placements differ on purpose for three reasons alone: Kueue overfills a node, admits pods that
// get no place, or leaves pods on a failed node. The recording must prove that.
bool IsProvenDifference(const Scenario& scenario) {
  const std::vector<std::string> faults =
      testing::PlacementAudit(scenario).FaultsOf(*scenario.steps[0].want);
  if (!faults.empty()) std::cout << scenario.name << ": in Kueue " << faults[0] << '\n';
  return !faults.empty();
}

class Conformance : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!fs::is_directory(Folder())) GTEST_SKIP() << "shared/conformance not found";
  }
};

// Berth's own outcome is free of faults whether the recording is or not.
TEST_P(Conformance, DecidesAsKueueDoes) {
  const std::vector<fs::path> files = FilesOf(GetParam());
  size_t proven = 0;
  for (const fs::path& file : files) {
    SCOPED_TRACE(file.native());
    const ScenarioResult scenario = ReadScenario(Text(file), file.native());
    ASSERT_TRUE(scenario.has_value());
    const std::vector<Outcome> outcomes = Play(*scenario);
    EXPECT_THAT(testing::PlacementAudit(*scenario).FaultsOf(outcomes[0]), ::testing::IsEmpty());
    const std::vector<std::string> differences = Differences(*scenario, outcomes);
    if (IsDifferentOnPurpose(GetParam(), file)) {
      EXPECT_THAT(differences, ::testing::Not(::testing::IsEmpty()));
    } else if (!differences.empty()) {
      if (IsProvenDifference(*scenario))
        ++proven;
      else
        ADD_FAILURE() << ::testing::PrintToString(differences);
    }
  }
  constexpr size_t kMostPercent = 4;  // 48 of 1,234 files of random/tas2, 1 of 224 of random/tas
  EXPECT_LE(proven * 100, files.size() * kMostPercent) << proven << " of " << files.size();
}

TEST_P(Conformance, DecidesTheSameInWhateverOrderObjectsCome) {
  constexpr size_t kOneIn = 5;
  base::Random random(20240501);
  for (const fs::path& file : FilesOf(GetParam())) {
    if (!random.Chance(kOneIn)) continue;
    SCOPED_TRACE(file.native());
    ScenarioResult scenario = ReadScenario(Text(file), file.native());
    ASSERT_TRUE(scenario.has_value());
    const std::vector<Outcome> outcomes = Play(*scenario);
    for (Step& step : scenario->steps) Shuffle(step.apply, random);
    EXPECT_TRUE(Play(*scenario) == outcomes);
  }
}

std::string TestName(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::ranges::replace_if(name, [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
}

// Concurrent admission is not covered.
INSTANTIATE_TEST_SUITE_P(Suites, Conformance,
                         ::testing::Values("tables/afs", "tables/assign", "tables/assign-hier",
                                           "tables/fairsharing", "tables/preemption",
                                           "tables/preemption-fair", "tables/preemption-hier",
                                           "tables/recompute", "tables/schedule", "tables/tas",
                                           "tables/tas-cohorts", "tables/tas-preemption",
                                           "random/afs", "random/fair", "random/hier",
                                           "random/plain", "random/tas", "random/tas2"),
                         TestName);

}  // namespace
}  // namespace berth::scenario
