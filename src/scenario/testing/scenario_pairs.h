#pragma once

// Metamorphic tests: pairs of scenarios with different inputs that must have the same outcome. Made
// of the random scenarios recorded from Kueue, whose recorded outcomes are not used.
//
//   ScenarioPair MakePair(const Scenario& original) {
//     ScenarioPair pair(original);
//     for (api::Workload* workload : All<api::Workload>(pair.b)) …;
//     return pair;
//   }
//   TEST(…) { EXPECT_GT(CompareInRandomScenarios(MakePairsOfOneScenario), 0u); }

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "scenario/scenario.h"
#include "scenario/scenario_compare.h"
#include "scenario/scenario_run.h"

namespace berth::scenario::testing {

inline Scenario Copy(const Scenario& scenario) {
  Scenario copy{.name = scenario.name,
                .about = scenario.about,
                .configuration = scenario.configuration,
                .gates = scenario.gates,
                .now = scenario.now,
                .steps = {},
                .warnings = {}};
  for (const Step& step : scenario.steps) {
    Step& to = copy.steps.emplace_back();
    to.at = step.at;
    for (const api::Object& object : step.apply) to.apply.push_back(object.Clone());
    to.jobs = step.jobs;
    to.remove = step.remove;
    to.finish = step.finish;
    to.cycles = step.cycles;
    to.want = step.want;
  }
  return copy;
}

// The objects of a kind in the first step.
template <class T>
std::vector<T*> All(Scenario& scenario) {
  std::vector<T*> objects;
  for (api::Object& object : scenario.steps.front().apply) {
    if (T* typed = object.As<T>()) objects.push_back(typed);
  }
  return objects;
}

// Removes the objects of a kind that match.
template <class T, class Answer>
void RemoveIf(Scenario& scenario, Answer answer) {
  std::erase_if(scenario.steps.front().apply, [&](const api::Object& object) {
    const T* typed = object.As<T>();
    return typed != nullptr && answer(*typed);
  });
}

// Two scenarios that must have the same outcome.
struct ScenarioPair {
  explicit ScenarioPair(const Scenario& original) : a(Copy(original)), b(Copy(original)) {}

  Scenario a, b;
  std::string about;  // names the pair in messages
  // Transform the outcomes before they are compared, such as names that differ.
  std::function<void(Outcome&)> in_a, in_b;
  bool compares_reasons = false;
};

inline std::vector<Outcome> OutcomesOf(const Scenario& scenario,
                                       const std::function<void(Outcome&)>& change,
                                       bool has_reasons) {
  std::vector<Outcome> outcomes = Play(scenario);
  for (Outcome& outcome : outcomes) {
    if (!has_reasons) outcome.reasons = {};
    outcome.configuration_errors.reset();  // may differ within a pair
    outcome.configuration_warnings.reset();
    if (change) change(outcome);
  }
  return outcomes;
}

inline void ExpectSameOutcome(const ScenarioPair& pair) {
  const std::vector<Outcome> a = OutcomesOf(pair.a, pair.in_a, pair.compares_reasons);
  const std::vector<Outcome> b = OutcomesOf(pair.b, pair.in_b, pair.compares_reasons);
  if (a == b) return;
  ADD_FAILURE() << pair.about << " end differently";
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    for (const std::string& line : Differences(a[i], b[i])) ADD_FAILURE() << line;
  }
}

inline std::filesystem::path RandomScenarioFolder() {
  const char* shared = std::getenv("BERTH_SHARED_DIR");
  const std::filesystem::path folder =
      shared != nullptr ? std::filesystem::path(shared)
                        : std::filesystem::path(BERTH_SOURCE_DIR) / ".." / "shared";
  return folder / "conformance" / "random";
}

using Suites = std::vector<std::string>;
inline const Suites kQuotaSuites = {"afs", "fair", "hier", "plain"};
inline const Suites kTopologySuites = {"tas", "tas2"};

// One in twelve; with BERTH_ALL_SCENARIOS, all.
inline std::vector<std::filesystem::path> RandomScenarioFiles(const Suites& suites) {
  const size_t step = std::getenv("BERTH_ALL_SCENARIOS") != nullptr ? 1 : 12;
  std::vector<std::filesystem::path> files, some;
  for (const std::string& suite : suites) {
    const std::filesystem::path folder = RandomScenarioFolder() / suite;
    if (!std::filesystem::is_directory(folder)) continue;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      files.push_back(entry.path());
  }
  std::ranges::sort(files);
  for (size_t i = 0; i < files.size(); i += step) some.push_back(files[i]);
  return some;
}

// Calls `visit` with every random scenario. Stops at the first failure, which names the file.
inline void ForEachRandomScenario(const std::function<void(const Scenario&)>& visit,
                                  const Suites& suites) {
  for (const std::filesystem::path& file : RandomScenarioFiles(suites)) {
    SCOPED_TRACE(file.native());
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    const ScenarioResult scenario = ReadScenario(text.str(), file.native());
    ASSERT_TRUE(scenario.has_value());
    visit(*scenario);
    if (::testing::Test::HasFailure()) return;
  }
}

// Expects the same outcome within every pair. Returns the number of pairs.
inline size_t CompareInRandomScenarios(
    const std::function<std::vector<ScenarioPair>(const Scenario&)>& make_pairs,
    const Suites& suites = kQuotaSuites) {
  size_t count = 0;
  ForEachRandomScenario(
      [&](const Scenario& scenario) {
        for (const ScenarioPair& pair : make_pairs(scenario)) {
          ExpectSameOutcome(pair);
          ++count;
        }
      },
      suites);
  return count;
}

// Skipped without random scenarios.
class MetamorphicTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (RandomScenarioFiles(kQuotaSuites).empty())
      GTEST_SKIP() << "shared/conformance/random not found";
  }
};

}  // namespace berth::scenario::testing
