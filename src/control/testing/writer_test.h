#pragma once

#include <gtest/gtest.h>

#include "control/testing/manual_store.h"
#include "control/write/event_recorder.h"
#include "control/write/workload_writer.h"
#include "workload/state/cluster_state.h"

namespace berth::control::testing {

// A fixture for writers of jobs and pods: a store whose answers the test gives, and a writer of
// Workloads without observers.
class WriterTest : public ::testing::Test {
 protected:
  ManualStore store_;
  ManualExecutor executor_;
  workload::ClusterState cluster_{api::Configuration(), api::FeatureGates()};
  EventRecorder events_{store_, executor_, "one"};
  WorkloadWriter workloads_{store_,
                            executor_,
                            cluster_,
                            events_,
                            {.on_state_changed =
                                 [this](std::string_view, const api::Workload* workload) {
                                   if (workload != nullptr) cluster_.Apply(*workload);
                                 },
                             .on_failure = [](std::string_view, const store::Failure&) {}}};
};

}  // namespace berth::control::testing
