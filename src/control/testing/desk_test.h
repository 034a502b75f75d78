#pragma once

#include <gtest/gtest.h>

#include "control/event_recorder.h"
#include "control/testing/by_hand.h"
#include "control/workload_desk.h"
#include "workload/engine_feed.h"

namespace berth::control::testing {

// What the desks of jobs and pods stand on: a store that answers when the test says so, and a desk
// of Workloads that nobody listens to.
class DeskTest : public ::testing::Test {
 protected:
  StoreByHand store_;
  ExecutorByHand executor_;
  workload::EngineFeed feed_{api::Configuration(), api::FeatureGates()};
  EventRecorder events_{store_, executor_, "one"};
  WorkloadDesk workloads_{store_,
                          executor_,
                          feed_,
                          events_,
                          {.on_known = [](std::string_view, const api::Workload*) {},
                           .on_failure = [](std::string_view, const store::Failure&) {}}};
};

}  // namespace berth::control::testing
