#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "schema/decode.h"
#include "schema/problem.h"

// For tests of rules: objects as JSON, problems as short text.
namespace berth::api::testing {

// "spec.x: Invalid" for each problem, in order.
inline std::vector<std::string> FaultsOf(const schema::Problems& problems) {
  constexpr std::string_view kPrefix = "FieldValue";
  std::vector<std::string> faults;
  for (const schema::Problem& problem : problems) {
    std::string_view cause = schema::CauseOf(problem.type);
    if (cause.starts_with(kPrefix)) cause.remove_prefix(kPrefix.size());
    faults.push_back(problem.field + ": " + std::string(cause));
  }
  return faults;
}

// Every problem has a remedy: a hint, or a message with "must".
inline bool SaysWhatToWrite(const schema::Problem& problem) {
  return !problem.hint.empty() || problem.message.find("must") != std::string::npos;
}

// Decodes a test object. Single quotes replace double quotes.
template <class T>
T Read(std::string text) {
  for (char& c : text) {
    if (c == '\'') c = '"';
  }
  auto object = schema::Decode<T>(text);
  EXPECT_TRUE(object) << schema::ToString(object.error().front()) << "\n" << text;
  return object ? *std::move(object) : T();
}

// A rule, an object that violates or satisfies it, and the expected problems.
struct Case {
  const char* rule;
  const char* object;
  std::vector<std::string> faults;

  friend void PrintTo(const Case& test, std::ostream* out) { *out << test.rule; }
};

}  // namespace berth::api::testing
