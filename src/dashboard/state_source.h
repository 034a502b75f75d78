#pragma once

#include <cstdint>
#include <functional>

#include "store/executor.h"
#include "store/store.h"
#include "workload/state/cluster_state.h"

namespace berth::dashboard {

// The controllers whose state is shown. All references must outlive the dashboard, and the
// controllers' thread must run as long.
struct StateSource {
  store::Executor& controllers;
  // The two below are called on the controllers' thread.
  std::function<workload::ClusterState&()> cluster;
  std::function<uint64_t()> revision;  // another number whenever the state may have changed
  store::Store& store;                 // for plans and estimates
};

}  // namespace berth::dashboard
