#include "query/overview.h"

#include <algorithm>

#include "query/number.h"
#include "query/quota_totals.h"
#include "workload/convert/convert_workload.h"
#include "workload/status_changes.h"

namespace berth::query {
namespace {

// The workloads that come first in an order by time, at most kMostRows.
class FirstByTime {
 public:
  // `time`: negated if the latest come first.
  void Add(int64_t time, const api::Workload& workload) {
    if (all_.size() == Overview::kMostRows && time >= all_.back().time) return;
    const Entry entry{time, &workload};
    all_.insert(std::ranges::upper_bound(all_, entry.time, {}, &Entry::time), entry);
    if (all_.size() > Overview::kMostRows) all_.pop_back();
  }

  std::vector<WorkloadRow> Rows(RowMaker& maker) const {
    std::vector<WorkloadRow> rows;
    for (const Entry& entry : all_) rows.push_back(maker.RowOf(*entry.workload));
    return rows;
  }

 private:
  struct Entry {
    int64_t time;
    const api::Workload* workload;
  };
  std::vector<Entry> all_;
};

class OverviewMaker {
 public:
  OverviewMaker(const workload::ClusterState& cluster, const Viewer& viewer, base::Time now)
      : cluster_(cluster), viewer_(viewer) {
    overview_.time = now;
  }

  Overview Make() && {
    CountObjects();
    cluster_.ForEachWorkload([this](const api::Workload& w) {
      if (viewer_.workloads.Contains(w.metadata.namespace_)) Visit(w);
    });
    if (viewer_.sees_cluster_queues) overview_.resources = TotalsOf(cluster_);
    RowMaker rows(cluster_);
    overview_.longest_pending = longest_.Rows(rows);
    overview_.recently_admitted = latest_.Rows(rows);
    return std::move(overview_);
  }

 private:
  void CountObjects() {
    const engine::QuotaForest& forest = cluster_.engine().state().forest;
    for (size_t i = 0; viewer_.sees_cohorts && i < forest.node_count(); ++i) {
      const auto& node = forest.node(engine::NodeId(static_cast<uint32_t>(i)));
      const bool is_used = node.exists || !node.child_cohorts.empty() || !node.child_queues.empty();
      if (!node.is_queue && is_used) ++overview_.cohorts;
    }
    if (viewer_.sees_cluster_queues)
      cluster_.ForEachClusterQueue([this](const auto&, auto) { ++overview_.cluster_queues; });
    if (viewer_.sees_flavors) cluster_.ForEachFlavor([this](const auto&) { ++overview_.flavors; });
    cluster_.ForEachLocalQueue([this](const api::LocalQueue& queue) {
      if (viewer_.local_queues.Contains(queue.metadata.namespace_)) ++overview_.local_queues;
    });
  }

  void Visit(const api::Workload& w) {
    switch (StatusOf(w)) {
      case Status::kFinished:
        ++overview_.finished;
        return;
      case Status::kPending:
        return VisitPending(w);
      case Status::kAdmitted:
        ++overview_.workloads.admitted;
        [[fallthrough]];
      case Status::kQuotaReserved:
      case Status::kEvicted:
        ++overview_.workloads.reserving;
        if (const auto since = StatusSince(w)) latest_.Add(-since->micros, w);
        return;
      case Status::kInactive:
        return;
    }
  }

  void VisitPending(const api::Workload& w) {
    ++overview_.workloads.pending;
    ++overview_.pending_by_reason[ReasonOf(w)];
    longest_.Add(workload::QueuedSince(w).micros, w);
    const engine::WorkloadId id = cluster_.engine().FindWorkload(w.metadata.uid);
    if (!id.is_none() && !cluster_.engine().IsReserved(id) && !cluster_.engine().IsActive(id))
      ++overview_.workloads.inadmissible;
  }

  const workload::ClusterState& cluster_;
  const Viewer& viewer_;
  Overview overview_;
  FirstByTime longest_;
  FirstByTime latest_;
};

void WriteCounts(const Overview& overview, schema::JsonWriter& w) {
  w.Key("counts").BeginObject();
  w.Member("cohorts", overview.cohorts).Member("clusterQueues", overview.cluster_queues);
  w.Member("localQueues", overview.local_queues).Member("flavors", overview.flavors);
  WriteMembers(overview.workloads, w);
  w.Member("finished", overview.finished).EndObject();
}

}  // namespace

Overview MakeOverview(const workload::ClusterState& cluster, const Viewer& viewer, base::Time now) {
  return OverviewMaker(cluster, viewer, now).Make();
}

std::string ToJson(const Overview& overview, std::string_view revision) {
  schema::JsonWriter w;
  w.BeginObject().Member("revision", revision);
  w.Member("time", base::FormatTime(overview.time));
  WriteCounts(overview, w);
  WriteTotals("resources", overview.resources, w);
  w.Key("pendingByReason").BeginArray();
  for (const auto& [reason, count] : overview.pending_by_reason)
    w.BeginObject().Member("reason", reason).Member("count", count).EndObject();
  w.EndArray();
  WriteRows("longestPending", overview.longest_pending, w);
  WriteRows("recentlyAdmitted", overview.recently_admitted, w);
  w.EndObject();
  return w.Take();
}

}  // namespace berth::query
