#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "embedded/testing/live_cluster.h"

namespace berth::embedded::testing {

// Fails the test and ends it: what follows an unexpected result relies on the expected one.
[[noreturn]] inline void EndTest(const std::string& message) {
  ADD_FAILURE() << message;
  throw ::testing::AssertionException(::testing::TestPartResult(
      ::testing::TestPartResult::kFatalFailure, nullptr, -1, message.c_str()));
}

// A cluster whose unexpected results end the test. A test has one at a time.
inline LiveCluster StartCluster(std::string_view configuration = "",
                                std::optional<embedded::SimulationSettings> nodes = {},
                                store::Taps taps = {}) {
  return LiveCluster(configuration, EndTest, nodes, std::move(taps));
}

}  // namespace berth::embedded::testing
