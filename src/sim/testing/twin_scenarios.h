#pragma once

// Metamorphic tests: a change of the inputs that must not change what is decided, or that must
// change it just as another change would. Tried on the random scenarios whose outcomes Kueue
// produced; what those outcomes are does not matter here.
//
//   Twins MakeTwins(const Scenario& original) {
//     Twins twins(original);
//     for (api::Workload* workload : All<api::Workload>(twins.b)) …;
//     return twins;
//   }
//   TEST(…) { EXPECT_GT(CompareInRandomScenarios(MakeTwinsOfOneScenario), 0u); }

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

#include "sim/scenario.h"
#include "sim/scenario_compare.h"
#include "sim/scenario_run.h"

namespace berth::sim::testing {

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
    to.remove = step.remove;
    to.finish = step.finish;
    to.cycles = step.cycles;
    to.want = step.want;
  }
  return copy;
}

// The objects of a kind that a scenario begins with.
template <class T>
std::vector<T*> All(Scenario& scenario) {
  std::vector<T*> objects;
  for (api::Object& object : scenario.steps.front().apply) {
    if (T* typed = object.As<T>()) objects.push_back(typed);
  }
  return objects;
}

// Removes the objects of a kind for which the answer is yes.
template <class T, class Answer>
void RemoveIf(Scenario& scenario, Answer answer) {
  std::erase_if(scenario.steps.front().apply, [&](const api::Object& object) {
    const T* typed = object.As<T>();
    return typed != nullptr && answer(*typed);
  });
}

// Two scenarios that must end the same.
struct Twins {
  explicit Twins(const Scenario& original) : a(Copy(original)), b(Copy(original)) {}

  Scenario a, b;
  std::string about;  // which twins of their scenario, for messages
  // What is to be made of both outcomes before they are compared: names, say, that differ.
  std::function<void(Outcome&)> in_a, in_b;
  bool compares_reasons = false;
};

inline std::vector<Outcome> OutcomesOf(const Scenario& scenario,
                                       const std::function<void(Outcome&)>& change,
                                       bool has_reasons) {
  std::vector<Outcome> outcomes = Play(scenario);
  for (Outcome& outcome : outcomes) {
    if (!has_reasons) outcome.reasons = {};
    outcome.configuration_errors.reset();  // twins may differ in what they are warned of
    outcome.configuration_warnings.reset();
    if (change) change(outcome);
  }
  return outcomes;
}

inline void ExpectSameOutcome(const Twins& twins) {
  const std::vector<Outcome> a = OutcomesOf(twins.a, twins.in_a, twins.compares_reasons);
  const std::vector<Outcome> b = OutcomesOf(twins.b, twins.in_b, twins.compares_reasons);
  if (a == b) return;
  ADD_FAILURE() << twins.about << " end differently";
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

// One in twelve, so that the tests stay quick; all of them on request.
inline std::vector<std::filesystem::path> RandomScenarioFiles() {
  const size_t step = std::getenv("BERTH_ALL_SCENARIOS") != nullptr ? 1 : 12;
  std::vector<std::filesystem::path> files, some;
  for (const char* kind : {"afs", "fair", "hier", "plain"}) {
    const std::filesystem::path folder = RandomScenarioFolder() / kind;
    if (!std::filesystem::is_directory(folder)) continue;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      files.push_back(entry.path());
  }
  std::ranges::sort(files);
  for (size_t i = 0; i < files.size(); i += step) some.push_back(files[i]);
  return some;
}

// Calls `visit` with every random scenario. Ends at the first failure, which says which file it
// was.
inline void ForEachRandomScenario(const std::function<void(const Scenario&)>& visit) {
  for (const std::filesystem::path& file : RandomScenarioFiles()) {
    SCOPED_TRACE(file.native());
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    const ScenarioResult scenario = ReadScenario(text.str(), file.native());
    ASSERT_TRUE(scenario.has_value());
    visit(*scenario);
    if (::testing::Test::HasFailure()) return;
  }
}

// Expects the twins of every random scenario to end the same. Returns how many pairs there were.
inline size_t CompareInRandomScenarios(
    const std::function<std::vector<Twins>(const Scenario&)>& make_twins) {
  size_t count = 0;
  ForEachRandomScenario([&](const Scenario& scenario) {
    for (const Twins& twins : make_twins(scenario)) {
      ExpectSameOutcome(twins);
      ++count;
    }
  });
  return count;
}

// Skips where there are no random scenarios.
class MetamorphicTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (RandomScenarioFiles().empty()) GTEST_SKIP() << "shared/conformance/random not found";
  }
};

}  // namespace berth::sim::testing
