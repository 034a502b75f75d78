#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "control/fact.h"
#include "observe/metric_options.h"
#include "observe/sample.h"
#include "workload/engine_feed.h"

namespace berth::observe {

// What a replica is at the moment: the label replica_role.
enum class Role : uint8_t { kStandalone, kFollower, kLeader };

// What kueue_build_info says.
struct BuildInfo {
  std::string version;
  std::string commit;
  std::string compiler;
};

// Keeps counters and histograms between scrapes, and writes the text that is scraped.
class Metrics {
 public:
  Metrics(MetricOptions options, Role role, const BuildInfo& build);
  ~Metrics();

  // From any thread.
  void SetRole(Role role) { role_ = role; }

  // The two below are for the thread of the controllers.
  void Observe(const control::Fact& fact, const workload::EngineFeed& feed);
  std::vector<Sample> Gauges(const workload::EngineFeed& feed) const;

  // All metrics in the text format of Prometheus, by name. From any thread.
  std::string Text(const std::vector<Sample>& gauges) const;

 private:
  struct Series;

  void Add(const Sample& sample);
  void Forget(const control::QueueGone& gone);

  const MetricOptions options_;
  std::atomic<Role> role_;
  std::unique_ptr<Series> series_;
};

// Of that text.
inline constexpr std::string_view kTextFormat = "text/plain; version=0.0.4; charset=utf-8";

}  // namespace berth::observe
