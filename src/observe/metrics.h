#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "control/report/controller_event.h"
#include "observe/metric_options.h"
#include "observe/sample.h"
#include "workload/state/cluster_state.h"

namespace berth::observe {

// The current role of a replica: the label replica_role.
enum class Role : uint8_t { kStandalone, kFollower, kLeader };

// The labels of kueue_build_info.
struct BuildInfo {
  std::string version;
  std::string commit;
  std::string compiler;
};

// Keeps counters and histograms between scrapes and renders the exposition text.
class Metrics {
 public:
  Metrics(MetricOptions options, Role role, const BuildInfo& build);
  ~Metrics();

  // Thread-safe.
  void SetRole(Role role) { role_ = role; }

  // Call the next two on the controllers' thread.
  void Observe(const control::ControllerEvent& event, const workload::ClusterState& cluster);
  // Also removes the counters of cohorts that no longer exist: no watch event reports the end of a
  // cohort without a Cohort object.
  std::vector<Sample> Gauges(const workload::ClusterState& cluster);

  // All metrics in the Prometheus text format, sorted by name. Thread-safe.
  std::string Text(const std::vector<Sample>& gauges) const;

 private:
  struct Series;

  void Add(const Sample& sample);
  void RemoveQueue(const control::QueueGone& gone);
  void RemoveCohortsExcept(const std::vector<std::string_view>& cohorts);

  const MetricOptions options_;
  std::atomic<Role> role_;
  std::unique_ptr<Series> series_;
};

// Content-Type of Text().
inline constexpr std::string_view kTextFormat = "text/plain; version=0.0.4; charset=utf-8";

}  // namespace berth::observe
