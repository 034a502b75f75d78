// Scenarios with outcomes recorded from Kueue, from shared/conformance.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/random.h"
#include "scenario/scenario_check.h"
#include "scenario/scenario_run.h"

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

// Deliberate differences, each a rule of docs/differences.md, and the files that they change.
struct DeliberateDifference {
  std::string_view rule;
  std::string_view suite;
  std::vector<int> files;  // by number
};

const std::vector<DeliberateDifference>& DeliberateDifferences() {
  static const std::vector<DeliberateDifference> kAll = {
      {"Podsets behind one without declared resources are admitted too", "random/hier", {30}},
      {"The pod limit of a node and all podsets together count before admission",
       "random/tas2",
       {10720, 10985, 11097, 11131, 11553, 11836, 11874, 11891, 11963, 11965,
        12199, 12229, 12379, 12683, 12933, 13215, 13560, 13764, 13800, 13972,
        14078, 20288, 20364, 20534, 20726, 20914, 21113, 21159, 21162}},
      {"Flavors with the same nodes see each other's pods within a cycle",
       "random/tas2",
       {10796, 12555, 13552, 13721, 20268, 20785, 21200}},
      {"The pods of a replaced workload slice count once", "random/tas2", {12004, 13225}},
      {"Every pod of an incomplete slice has a place",
       "random/tas2",
       {12722, 12910, 12926, 13041, 13193, 13578, 13658, 13785, 20155, 20611, 20615, 20672, 20958,
        21228}},
  };
  return kAll;
}

bool IsDifferentOnPurpose(const std::string& suite, const fs::path& file) {
  return std::ranges::any_of(DeliberateDifferences(), [&](const DeliberateDifference& rule) {
    return rule.suite == suite &&
           std::ranges::find(rule.files, std::stoi(file.stem())) != rule.files.end();
  });
}

class Conformance : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!fs::is_directory(Folder())) GTEST_SKIP() << "shared/conformance not found";
  }
};

TEST_P(Conformance, DecidesAsKueueDoes) {
  for (const fs::path& file : FilesOf(GetParam())) {
    SCOPED_TRACE(file.native());
    const ScenarioReport report = CheckScenario(Text(file), file.native());
    for (const schema::Problem& problem : report.problems) ADD_FAILURE() << ToString(problem);
    if (IsDifferentOnPurpose(GetParam(), file)) {
      EXPECT_THAT(report.differences, testing::Not(testing::IsEmpty()));
    } else {
      EXPECT_THAT(report.differences, testing::IsEmpty());
    }
  }
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

std::string TestName(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::ranges::replace_if(name, [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
}

// Concurrent admission is not covered.
INSTANTIATE_TEST_SUITE_P(Suites, Conformance,
                         testing::Values("tables/afs", "tables/assign", "tables/assign-hier",
                                         "tables/fairsharing", "tables/preemption",
                                         "tables/preemption-fair", "tables/preemption-hier",
                                         "tables/recompute", "tables/schedule", "tables/tas",
                                         "tables/tas-cohorts", "tables/tas-preemption",
                                         "random/afs", "random/fair", "random/hier", "random/plain",
                                         "random/tas", "random/tas2"),
                         TestName);

}  // namespace
}  // namespace berth::scenario
