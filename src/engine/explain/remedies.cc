#include "engine/explain/remedies.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "engine/constraints.h"
#include "engine/explain/bisection.h"
#include "engine/explain/topology_remedies.h"
#include "engine/explain/topology_search.h"
#include "engine/flavor/undeclared_request.h"
#include "engine/quota/quota_trial.h"

namespace berth::engine {
namespace {

using quantity::Max;

// Limits of the number of trials.
constexpr size_t kMostFinished = 500;  // one at a time
constexpr size_t kMostFinishedTogether = 64;
constexpr size_t kMostLenders = 32;

// A cell of the forest whose quota may be raised, and the largest useful raise.
struct RaiseTarget {
  NodeId node;
  ColumnIndex column = kNoColumn;
  FlavorId flavor;
  ResourceId resource;
  int64_t most = 0;
};

Amount& LimitOf(Quota& quota, RemedyKind kind) {
  switch (kind) {
    case RemedyKind::kBorrowingLimit:
      return quota.borrowing_limit;
    case RemedyKind::kLendingLimit:
      return quota.lending_limit;
    default:
      return quota.nominal;
  }
}

class RemedySearch {
 public:
  RemedySearch(AdmissionTrial& trial, const std::vector<FlavorSearch>& searches,
               const std::vector<TopologySearch>& topologies)
      : trial_(trial),
        state_(trial.state()),
        forest_(state_.forest),
        shape_(Unpacked(state_.shape(state_.workload(trial.workload()).shape))),
        queue_(state_.queue(state_.workload(trial.workload()).cluster_queue)),
        searches_(searches),
        topology_searches_(topologies),
        topologies_(trial, topologies, remedies_) {
    for (NodeId at = queue_.node; !at.is_none(); at = forest_.node(at).parent) path_.push_back(at);
    demand_ = DemandIncludingAhead();
  }

  std::vector<Remedy> Find(WorkloadId blocked_by) {
    if (!blocked_by.is_none()) TryRemovingBlocker(blocked_by);
    TryDroppingConstraints();
    TrySuitingFlavors();
    TryDroppingRequests();
    topologies_.TryOtherRequests();
    TryQuotas();
    TryFewerPods();
    topologies_.TryMoreRoom();
    TryFinishing();
    return std::move(remedies_);
  }

 private:
  // --- Demand ------------------------------------------------------------------------------------

  bool IsRequested(ResourceId resource) const {
    return std::ranges::any_of(
        demand_, [&](const Request& r) { return r.resource == resource && r.amount > 0; });
  }

  // The requests of the workload and all workloads ahead of it.
  std::vector<Request> DemandIncludingAhead() const {
    std::vector<Request> sum;
    AddDemand(state_.shape(state_.workload(trial_.workload()).shape), sum);
    for (const WorkloadId id : trial_.ahead())
      AddDemand(state_.shape(state_.workload(id).shape), sum);
    return sum;
  }

  void AddDemand(const ShapeView& shape, std::vector<Request>& sum) const {
    const auto add = [&](ResourceId resource, int64_t amount) {
      auto it = std::ranges::find(sum, resource, &Request::resource);
      if (it == sum.end()) it = sum.insert(sum.end(), {resource, 0});
      it->amount = quantity::SaturatingAdd(it->amount, amount);
    };
    const ResourceId pods = forest_.Resource("pods");
    for (const PodSetView& pod_set : shape.pod_sets) {
      for (const Request& request : pod_set.requests) add(request.resource, request.amount);
      add(pods, pod_set.count);
    }
  }

  // --- Queue position ----------------------------------------------------------------------------

  void TryRemovingBlocker(WorkloadId blocked_by) {
    if (!trial_.ConsiderAfterOthers(blocked_by).is_admitted) return;
    Remedy remedy{.kind = RemedyKind::kRemoveBlocker};
    remedy.workloads = {blocked_by};
    remedy.workload_count = 1;
    remedies_.push_back(std::move(remedy));
  }

  // --- Constraints -------------------------------------------------------------------------------

  // Each constraint alone; both together only if neither is enough.
  void TryDroppingConstraints() {
    const AdmissionConstraints own = state_.workload(trial_.workload()).constraints;
    bool has_found = false;
    if (own.cannot_preempt) has_found = TryKeepingOnly({.cannot_borrow = own.cannot_borrow}, own);
    if (own.cannot_borrow)
      has_found = TryKeepingOnly({.cannot_preempt = own.cannot_preempt}, own) || has_found;
    if (own.cannot_preempt && own.cannot_borrow && !has_found) TryKeepingOnly({}, own);
  }

  bool TryKeepingOnly(AdmissionConstraints kept, AdmissionConstraints own) {
    const ConstraintTrial other(state_, trial_.workload(), kept);
    if (!trial_.Nominates()) return false;
    Remedy remedy{.kind = RemedyKind::kDropConstraints};
    remedy.constraints = {.cannot_preempt = own.cannot_preempt && !kept.cannot_preempt,
                          .cannot_borrow = own.cannot_borrow && !kept.cannot_borrow};
    remedies_.push_back(std::move(remedy));
    return true;
  }

  // --- Pods --------------------------------------------------------------------------------------

  bool AdmitsAs(const Shape& shape) {
    const ShapeTrial other(state_, trial_.workload(), shape);
    return trial_.Admits();
  }

  void TrySuitingFlavors() {
    for (const Queue::Group& group : queue_.groups) {
      for (const FlavorId flavor : group.flavors) {
        Shape shape = shape_;
        std::optional<Mismatch> why;
        std::vector<uint32_t> by_topology;
        for (uint32_t i = 0; i < shape.pod_sets.size(); ++i) {
          std::erase_if(shape.pod_sets[i].mismatches, [&](const FlavorMismatch& m) {
            if (m.flavor != flavor) return false;
            if (!why) why = m.why;
            if (m.why == Mismatch::kTopology) by_topology.push_back(i);
            return true;
          });
        }
        if (!why || !AdmitsSuiting(flavor, shape, by_topology)) continue;
        Remedy remedy{.kind = RemedyKind::kMatchFlavor};
        remedy.flavor = flavor;
        remedy.mismatch = *why;
        remedies_.push_back(std::move(remedy));
      }
    }
  }

  bool AdmitsSuiting(FlavorId flavor, const Shape& shape,
                     const std::vector<uint32_t>& by_topology) {
    if (by_topology.empty()) return AdmitsAs(shape);
    const ShapeTrial other(state_, trial_.workload(), shape);
    return topologies_.AdmitsSuiting(flavor, by_topology);
  }

  // Requests that the queue does not declare. Declared with enough quota, or excluded, they keep
  // the workload out as little as if they were dropped.
  void TryDroppingRequests() {
    Remedy remedy{.kind = RemedyKind::kDropRequests};
    for (const UndeclaredRequest& request : UndeclaredRequestsOf(state_, trial_.workload())) {
      if (std::ranges::find(remedy.resources, request.resource) == remedy.resources.end())
        remedy.resources.push_back(request.resource);
    }
    if (remedy.resources.empty() || !AdmitsAs(Without(remedy.resources))) return;
    for (const RemedyKind kind :
         {RemedyKind::kDropRequests, RemedyKind::kDeclareRequests, RemedyKind::kExcludeRequests}) {
      remedy.kind = kind;
      remedies_.push_back(remedy);
    }
  }

  Shape Without(const std::vector<ResourceId>& resources) const {
    Shape shape = shape_;
    for (PodSetSpec& pod_set : shape.pod_sets) {
      std::erase_if(pod_set.requests, [&](const Request& request) {
        return std::ranges::find(resources, request.resource) != resources.end();
      });
    }
    return shape;
  }

  static Shape WithCount(const Shape& full, size_t pod_set, int32_t count) {
    Shape shape = full;
    PodSetSpec& changed = shape.pod_sets[pod_set];
    for (Request& request : changed.requests)
      request.amount = AmountFor(request, changed.count, count);
    changed.count = changed.full_count = count;
    changed.min_count.reset();
    return shape;
  }

  // One slice, or one pod where there are none.
  int32_t FewestPods(size_t pod_set) const {
    const WorkloadTopology* topology = state_.workload(trial_.workload()).topology();
    if (topology == nullptr || topology->pod_sets[pod_set].slices.empty()) return 1;
    return std::max(1, topology->pod_sets[pod_set].slices.front().size);
  }

  void TryFewerPods() {
    for (size_t i = 0; i < shape_.pod_sets.size(); ++i) {
      const int32_t count = shape_.pod_sets[i].count, least = FewestPods(i);
      const auto admits = [&](int64_t n) {
        return AdmitsAs(WithCount(shape_, i, static_cast<int32_t>(n)));
      };
      if (count <= least || !admits(least)) continue;
      // The smallest reduction.
      const int64_t off = Smallest(1, count - least, [&](int64_t n) { return admits(count - n); });
      Remedy remedy{.kind = RemedyKind::kFewerPods};
      remedy.pod_set = static_cast<uint32_t>(i);
      remedy.pod_count = static_cast<int32_t>(count - off);
      remedies_.push_back(std::move(remedy));
    }
  }

  // --- Quota -------------------------------------------------------------------------------------

  void TryQuotas() {
    bool has_found = false;
    std::vector<RaiseTarget> everywhere;
    for (const Queue::Group& group : queue_.groups) {
      for (size_t f = 0; f < group.flavors.size(); ++f) {
        const std::vector<RaiseTarget> targets = TargetsIn(group, f, queue_.node);
        everywhere.insert(everywhere.begin(), targets.begin(), targets.end());
        has_found = TryRaising(RemedyKind::kNominalQuota, targets) || has_found;
        TryLimits(group, f);
      }
    }
    // From the last flavor to the first, so that the remaining raises are at the front of the list.
    if (!has_found) TryRaising(RemedyKind::kNominalQuota, everywhere);
  }

  void TryLimits(const Queue::Group& group, size_t flavor) {
    for (const NodeId node : path_) {
      if (forest_.HasParent(node))
        TryRaising(RemedyKind::kBorrowingLimit, TargetsIn(group, flavor, node));
    }
    size_t lenders = 0;
    for (const NodeId node : NodesOfTree(forest_, queue_.node)) {
      if (std::ranges::find(path_, node) != path_.end()) continue;
      const std::vector<RaiseTarget> targets = LendingTargetsIn(group, flavor, node);
      if (!targets.empty() && ++lenders <= kMostLenders)
        TryRaising(RemedyKind::kLendingLimit, targets);
    }
  }

  std::vector<RaiseTarget> TargetsIn(const Queue::Group& group, size_t flavor, NodeId node) const {
    std::vector<RaiseTarget> targets;
    for (size_t r = 0; r < group.resources.size(); ++r) {
      const ColumnIndex column = group.column(flavor, r);
      if (!IsRequested(group.resources[r]) || !forest_.cell(node, column).is_declared) continue;
      const Amount debt = Max(Amount(0), Amount(0) - forest_.Available(queue_.node, column));
      const auto demand = std::ranges::find(demand_, group.resources[r], &Request::resource);
      targets.push_back({.node = node,
                         .column = column,
                         .flavor = group.flavors[flavor],
                         .resource = group.resources[r],
                         .most = quantity::SaturatingAdd(demand->amount, debt.value())});
    }
    return targets;
  }

  // Lending limits that keep quota within the node.
  std::vector<RaiseTarget> LendingTargetsIn(const Queue::Group& group, size_t flavor,
                                            NodeId node) const {
    std::vector<RaiseTarget> targets = TargetsIn(group, flavor, node);
    for (RaiseTarget& target : targets)
      target.most = forest_.cell(node, target.column).local_quota.value();
    std::erase_if(targets, [](const RaiseTarget& t) { return t.most <= 0; });
    return targets;
  }

  bool TryRaising(RemedyKind kind, std::vector<RaiseTarget> targets) {
    std::erase_if(targets, [&](const RaiseTarget& target) {
      Quota quota = QuotaOf(forest_, target.node, target.column);
      return LimitOf(quota, kind).is_unlimited();
    });
    if (targets.empty()) return false;
    // First without the workloads ahead: they may take a larger quota, so more is not always
    // better.
    std::optional<std::vector<int64_t>> raises =
        SmallestRaises(kind, targets, [&] { return trial_.AdmitsAlone(); });
    if (!raises) return false;
    if (!AdmitsWith(kind, targets, *raises, [&] { return trial_.Admits(); }))
      raises = SmallestRaises(kind, targets, [&] { return trial_.Admits(); });
    if (!raises) return false;
    AddRaise(kind, targets, *raises);
    return true;
  }

  bool AdmitsWith(RemedyKind kind, const std::vector<RaiseTarget>& targets,
                  const std::vector<int64_t>& raises, const std::function<bool()>& admits) {
    QuotaTrial quotas(forest_);
    for (size_t i = 0; i < targets.size(); ++i) {
      if (raises[i] == 0) continue;
      Quota quota = QuotaOf(forest_, targets[i].node, targets[i].column);
      LimitOf(quota, kind) += raises[i];
      quotas.Set(targets[i].node, targets[i].column, quota);
    }
    return admits();
  }

  std::optional<std::vector<int64_t>> SmallestRaises(RemedyKind kind,
                                                     const std::vector<RaiseTarget>& targets,
                                                     const std::function<bool()>& admits) {
    std::vector<int64_t> raises;
    for (const RaiseTarget& target : targets) raises.push_back(target.most);
    if (!AdmitsWith(kind, targets, raises, admits)) return std::nullopt;
    // Iterates to a fixed point: lowering one raise may allow lowering another, as pods may have
    // moved to another flavor.
    for (std::vector<int64_t> before; before != raises;) {
      before = raises;
      for (int64_t& raise : raises) {
        const int64_t most = raise;
        raise = Smallest(0, most, [&](int64_t n) {
          raise = n;
          return AdmitsWith(kind, targets, raises, admits);
        });
      }
    }
    return raises;
  }

  void AddRaise(RemedyKind kind, const std::vector<RaiseTarget>& targets,
                const std::vector<int64_t>& raises) {
    Remedy remedy{.kind = kind, .node = targets.front().node};
    for (size_t i = 0; i < targets.size(); ++i) {
      if (raises[i] == 0) continue;
      Quota quota = QuotaOf(forest_, targets[i].node, targets[i].column);
      const Amount now = LimitOf(quota, kind);
      remedy.raises.push_back({targets[i].flavor, targets[i].resource, now, now + raises[i]});
    }
    if (!remedy.raises.empty()) remedies_.push_back(std::move(remedy));
  }

  // --- Other workloads finish --------------------------------------------------------------------

  void TryFinishing() {
    std::vector<WorkloadId> users = UsersOfShortColumns();
    Remedy remedy{.kind = RemedyKind::kOneFinishes};
    for (size_t i = 0; i < std::min(users.size(), kMostFinished); ++i) {
      FinishTrial gone(state_);
      gone.Finish(users[i]);
      if (!trial_.Admits()) continue;
      ++remedy.workload_count;
      if (remedy.workloads.size() < Explanation::kMostListed) remedy.workloads.push_back(users[i]);
    }
    if (remedy.workload_count > 0) {
      remedies_.push_back(std::move(remedy));
    } else {
      std::ranges::reverse(users);
      TryFinishingTogether(users);
    }
  }

  // Removes the largest first until the workload fits, then restores those that were not needed.
  void TryFinishingTogether(const std::vector<WorkloadId>& users) {
    FinishTrial gone(state_);
    bool is_admitted = false;
    for (size_t i = 0; i < std::min(users.size(), kMostFinishedTogether) && !is_admitted; ++i) {
      gone.Finish(users[i]);
      is_admitted = trial_.Admits();
    }
    if (!is_admitted) return;
    for (const WorkloadId id : std::vector<WorkloadId>(gone.finished())) {
      gone.Restore(id);
      if (!trial_.Admits()) gone.Finish(id);
    }
    Remedy remedy{.kind = RemedyKind::kAllFinish};
    remedy.workloads = gone.finished();
    std::ranges::sort(remedy.workloads, {}, [&](WorkloadId id) { return state_.workload(id).uid; });
    remedy.workload_count = remedy.workloads.size();
    remedies_.push_back(std::move(remedy));
  }

  // Users of the short columns in the tree, by ascending usage of the first resource.
  std::vector<WorkloadId> UsersOfShortColumns() const {
    const std::vector<ColumnIndex> columns = ShortColumns();
    std::vector<WorkloadId> users;
    if (columns.empty()) return users;
    const std::string* replaced = state_.workload(trial_.workload()).replaces_uid();
    for (const NodeId node : forest_.TreeOf(queue_.node).queues) {
      for (const WorkloadId id : state_.queue(node).reserved) {
        const Workload& workload = state_.workload(id);
        const bool is_replaced = replaced != nullptr && workload.uid == *replaced;
        if (!is_replaced && UsesAny(state_, workload, columns)) users.push_back(id);
      }
    }
    AddUsersOfNodes(users);
    const FlavorResourceId flavor_resource =
        forest_.TreeOf(queue_.node).flavor_resources[columns.front()];
    std::ranges::sort(users, {}, [&](WorkloadId id) {
      const Workload& workload = state_.workload(id);
      const auto used = std::ranges::find(workload.reservation->usage, flavor_resource,
                                          &FlavorResourceUsage::flavor_resource);
      const int64_t amount = used == workload.reservation->usage.end() ? 0 : used->amount;
      return std::pair<int64_t, std::string_view>(amount, workload.uid);
    });
    return users;
  }

  // Workloads of other trees on the nodes of a topology without room.
  void AddUsersOfNodes(std::vector<WorkloadId>& users) const {
    if (HasRoomInAll(topology_searches_)) return;
    for (const Queue& queue : state_.queues) {
      const bool is_elsewhere =
          !queue.node.is_none() && forest_.node(queue.node).tree != forest_.node(queue_.node).tree;
      for (size_t i = 0; is_elsewhere && i < queue.reserved.size(); ++i)
        if (SharesNodes(state_.workload(queue.reserved[i]))) users.push_back(queue.reserved[i]);
    }
  }

  bool SharesNodes(const Workload& workload) const {
    const ReservedTopology* topology = workload.reservation->topology.get();
    if (topology == nullptr) return false;
    const auto is_among = [&](const PodSetPlacement& placement) {
      const TopologyForest* theirs = state_.topologies->Find(placement.flavor);
      return theirs != nullptr &&
             std::ranges::any_of(topology_searches_, [&](const TopologySearch& search) {
               return search.is_chosen && state_.topologies->Find(search.flavor)->usage().lasting ==
                                              theirs->usage().lasting;
             });
    };
    return std::ranges::any_of(topology->placements, is_among);
  }

  // Columns with missing quota; if there are none, all requested columns.
  std::vector<ColumnIndex> ShortColumns() const {
    std::vector<ColumnIndex> missing, asked;
    for (const FlavorSearch& search : searches_) {
      const Queue::Group& group = queue_.groups[search.group];
      for (size_t f = 0; f < search.flavors.size(); ++f) {
        for (const ResourceFigures& figures : search.flavors[f].resources) {
          const auto r = std::ranges::find(group.resources, figures.resource);
          const ColumnIndex column =
              group.column(f, static_cast<size_t>(r - group.resources.begin()));
          asked.push_back(column);
          if (figures.shortfall > 0) missing.push_back(column);
        }
      }
    }
    return missing.empty() ? asked : missing;
  }

  AdmissionTrial& trial_;
  State& state_;
  QuotaForest& forest_;
  const Shape shape_;  // a modifiable copy
  const Queue& queue_;
  const std::vector<FlavorSearch>& searches_;
  const std::vector<TopologySearch>& topology_searches_;
  std::vector<NodeId> path_;  // from the queue to the root
  std::vector<Request> demand_;
  std::vector<Remedy> remedies_;
  TopologyRemedies topologies_;
};

}  // namespace

std::vector<Remedy> FindRemedies(AdmissionTrial& trial, const std::vector<FlavorSearch>& searches,
                                 const std::vector<TopologySearch>& topologies,
                                 WorkloadId blocked_by) {
  return RemedySearch(trial, searches, topologies).Find(blocked_by);
}

}  // namespace berth::engine
