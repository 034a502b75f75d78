#pragma once

// Everything about one Workload.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/viewer.h"
#include "query/workload_row.h"

namespace berth::query {

struct TimelineEntry {
  base::Time time;
  std::string type;    // of the condition; "Created"; or "AdmissionCheck"
  std::string status;  // of the condition; "" for others
  std::string reason;
  std::string message;
};

struct PodSetFigures {
  std::string name;
  int64_t count = 0;
  std::vector<ResourceFigure> requests;
  std::vector<FlavorOfResource> flavors;
  std::string topology;  // JSON of its topology assignment; "": none
};

struct WorkloadPage {
  WorkloadRow row;
  std::vector<PodSetFigures> pod_sets;
  std::vector<TimelineEntry> timeline;  // oldest first
  std::vector<api::AdmissionCheckState> checks;
  // As `berth explain` prints them. Empty unless the viewer may see ClusterQueues, whose quota they
  // are about. Workloads that the viewer may not see are not named.
  std::string explanation;  // JSON
  std::string explanation_text;
};

// Nullopt if there is none, or none that the viewer may see. The cluster is not changed.
std::optional<WorkloadPage> MakeWorkloadPage(workload::ClusterState& cluster,
                                             std::string_view namespaced_name,
                                             const Viewer& viewer);
std::string ToJson(const WorkloadPage& page, std::string_view revision);

}  // namespace berth::query
