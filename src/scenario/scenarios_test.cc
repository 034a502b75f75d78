// Every file in scenarios/. The documentation uses them as examples.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "scenario/scenario_check.h"
#include "scenario/scenario_run.h"

namespace berth::scenario {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> ScenarioFiles() {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry :
       fs::recursive_directory_iterator(fs::path(BERTH_SOURCE_DIR) / "scenarios")) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

std::string TestName(const testing::TestParamInfo<fs::path>& info) {
  std::string name = fs::relative(info.param, fs::path(BERTH_SOURCE_DIR) / "scenarios").string();
  std::ranges::replace_if(name, [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
}

std::string Text(const fs::path& file) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

class Scenarios : public testing::TestWithParam<fs::path> {};

TEST_P(Scenarios, EndAsTheySay) {
  const ScenarioReport report = CheckScenario(Text(GetParam()), GetParam().string());
  for (const schema::Problem& problem : report.problems) ADD_FAILURE() << ToString(problem);
  EXPECT_THAT(report.differences, testing::IsEmpty());
}

// A scenario without expectations cannot fail.
TEST_P(Scenarios, SayWhatTheyWant) {
  const ScenarioResult scenario = ReadScenario(Text(GetParam()), GetParam().string());
  ASSERT_TRUE(scenario.has_value());
  EXPECT_TRUE(
      std::ranges::any_of(scenario->steps, [](const Step& s) { return s.want.has_value(); }));
}

TEST_P(Scenarios, EndTheSameInWhateverOrderObjectsCome) {
  ScenarioResult scenario = ReadScenario(Text(GetParam()), GetParam().string());
  ASSERT_TRUE(scenario.has_value());
  const std::vector<Outcome> outcomes = Play(*scenario);
  for (Step& step : scenario->steps) {
    std::ranges::reverse(step.apply);
    std::ranges::reverse(step.jobs);
  }
  EXPECT_TRUE(Play(*scenario) == outcomes);
}

INSTANTIATE_TEST_SUITE_P(All, Scenarios, testing::ValuesIn(ScenarioFiles()), TestName);

}  // namespace
}  // namespace berth::scenario
