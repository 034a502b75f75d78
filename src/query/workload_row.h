#pragma once

// One line about a Workload, as lists show it.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/time.h"
#include "schema/json/writer.h"
#include "workload/state/cluster_state.h"

namespace berth::query {

enum class Status : uint8_t {
  kPending,
  kQuotaReserved,
  kAdmitted,
  kEvicted,  // it is stopping, and holds its quota until then
  kFinished,
  kInactive,  // spec.active is false
};

std::string_view NameOf(Status status);
Status StatusOf(const api::Workload& workload);
// Since when it has this status; nullopt if unknown.
std::optional<base::Time> StatusSince(const api::Workload& workload);
// Why it is not admitted, finished, or was evicted: reason and message of the condition that says
// so. A pending workload without one waits for its first evaluation.
std::string ReasonOf(const api::Workload& workload);

// The ClusterQueue that it is in, or would be; "" if unknown.
std::string ClusterQueueOf(const workload::ClusterState& cluster, const api::Workload& workload);

struct ResourceFigure {
  std::string resource;
  int64_t amount = 0;
};

struct FlavorOfResource {
  std::string resource;
  std::string flavor;
};

struct WorkloadRow {
  std::string namespace_;
  std::string name;
  std::string uid;
  std::string owner_kind;  // "": no owner
  std::string owner_name;
  std::string local_queue;
  std::string cluster_queue;
  int64_t priority = 0;
  std::string priority_class;
  Status status = Status::kPending;
  std::string reason;
  std::string message;
  std::optional<base::Time> created_at;
  std::optional<base::Time> since;
  std::optional<int64_t> position;  // in the order of the ClusterQueue, from 0
  std::optional<int64_t> position_in_local_queue;
  std::vector<ResourceFigure> requests;   // of all pods
  std::vector<FlavorOfResource> flavors;  // by resource
};

// Rows of workloads, each with its place. Valid for one state: places are computed once for each
// ClusterQueue, O(n log n) of its pending workloads.
class RowMaker {
 public:
  explicit RowMaker(const workload::ClusterState& cluster) : cluster_(cluster) {}

  WorkloadRow RowOf(const api::Workload& workload);
  // The same, with places that the caller knows.
  WorkloadRow RowWithoutPlace(const api::Workload& workload) const;

 private:
  struct Place {
    int64_t in_cluster_queue = 0;
    int64_t in_local_queue = 0;
  };
  using Places = std::unordered_map<uint32_t, Place>;  // by WorkloadId

  const Places& PlacesIn(engine::NodeId queue);

  const workload::ClusterState& cluster_;
  std::map<engine::NodeId, Places> places_;
};

// The requests of one pod set, of all its pods: what it holds or asks for. Empty if unknown.
std::vector<ResourceFigure> RequestsOf(const workload::ClusterState& cluster,
                                       const api::Workload& workload, size_t pod_set);

void WriteRequests(const std::vector<ResourceFigure>& requests, schema::JsonWriter& w);
void WriteFlavors(const std::vector<FlavorOfResource>& flavors, schema::JsonWriter& w);
// The members of the row, in the open object.
void WriteMembers(const WorkloadRow& row, schema::JsonWriter& w);
void WriteRows(std::string_view key, const std::vector<WorkloadRow>& rows, schema::JsonWriter& w);

}  // namespace berth::query
