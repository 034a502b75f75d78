#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "embedded/testing/live_cluster.h"

namespace berth::embedded::testing {

// A cluster whose surprises fail the test.
inline LiveCluster StartCluster(std::string_view configuration = "",
                                std::optional<control::SimulationSettings> nodes = {}) {
  return LiveCluster(configuration, [](const std::string& what) { ADD_FAILURE() << what; }, nodes);
}

}  // namespace berth::embedded::testing
