#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "embedded/testing/live_cluster.h"

namespace berth::embedded::testing {

// A cluster whose unexpected results fail the test.
inline LiveCluster StartCluster(std::string_view configuration = "",
                                std::optional<embedded::SimulationSettings> nodes = {}) {
  return LiveCluster(
      configuration, [](const std::string& message) { ADD_FAILURE() << message; }, nodes);
}

}  // namespace berth::embedded::testing
