// Properties of all explanations, tested on the scenarios of this repository and on those recorded
// from Kueue.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "api/core/node.h"
#include "api/kueue/topology.h"
#include "api/kueue/well_known.h"
#include "explain/json.h"
#include "explain/report.h"
#include "explain/sentences.h"
#include "explain/text.h"
#include "quantity/resource_amount.h"
#include "scenario/scenario.h"
#include "schema/decode.h"
#include "schema/json/index.h"
#include "workload/requests/requests.h"
#include "workload/state/cluster_state.h"

namespace berth::explain {
namespace {

namespace fs = std::filesystem;
using engine::Explanation;
using engine::Outcome;
using engine::PositionStatus;
using engine::WorkloadId;

std::vector<fs::path> FilesBelow(const fs::path& folder) {
  std::vector<fs::path> files;
  if (!fs::is_directory(folder)) return files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    const fs::path extension = entry.path().extension();
    if (extension == ".yaml" || extension == ".json") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

fs::path SharedFolder() {
  const char* set = std::getenv("BERTH_SHARED_DIR");
  return set != nullptr ? fs::path(set) : fs::path(BERTH_SOURCE_DIR) / ".." / "shared";
}

std::string Text(const fs::path& file) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

// Pods are placed in scenarios with a Topology or a Node.
bool HasTopology(const scenario::Scenario& scenario) {
  return std::ranges::any_of(scenario.steps.front().apply, [](const api::Object& object) {
    return object.As<api::Node>() != nullptr || object.As<api::Topology>() != nullptr;
  });
}

// An engine with the objects of a scenario, before the first cycle.
std::unique_ptr<workload::ClusterState> Start(const scenario::Scenario& scenario) {
  auto cluster = std::make_unique<workload::ClusterState>(
      scenario.configuration, scenario.gates,
      workload::ClusterStateOptions{.topology = HasTopology(scenario)});
  for (const api::Object& object : scenario.steps.front().apply) cluster->Apply(object);
  cluster->Sync(scenario.now);
  return cluster;
}

std::vector<WorkloadId> KnownWorkloads(const workload::ClusterState& cluster) {
  std::vector<WorkloadId> ids;
  cluster.ForEachWorkload([&](const api::Workload& workload) {
    const WorkloadId id = cluster.engine().FindWorkload(workload.metadata.uid);
    if (!id.is_none()) ids.push_back(id);
  });
  return ids;
}

std::string RunCycle(workload::ClusterState& cluster, base::Time now) {
  std::string out;
  for (const engine::Decision& d : cluster.engine().RunCycle(now)) {
    out += cluster.engine().Uid(d.workload) + ":" + std::to_string(static_cast<int>(d.outcome));
    for (const engine::PreemptionTarget& v : d.targets)
      out += " " + cluster.engine().Uid(v.workload);
    out += "\n";
  }
  return out;
}

bool IsOnItsWay(const Explanation& e) {
  return e.is_admissible() && e.position.status != PositionStatus::kBlocked &&
         e.position.status != PositionStatus::kQuotaTaken;
}

// --- The properties -----------------------------------------------------------------------------

void ExplainingChangesNothing(const scenario::Scenario& scenario) {
  const std::unique_ptr<workload::ClusterState> asked = Start(scenario),
                                                left_alone = Start(scenario);
  for (int cycle = 0; cycle < 3; ++cycle) {
    asked->ForEachWorkload([&](const api::Workload& workload) {
      const Report report = MakeReport(*asked, workload);
      EXPECT_NE(ToText(report), "");
      EXPECT_FALSE(schema::JsonIndex().Build(ToJson(report)).has_value());
    });
    const base::Time now = scenario.now + base::Duration::Seconds(cycle);
    EXPECT_EQ(RunCycle(*asked, now), RunCycle(*left_alone, now));
  }
}

// Heads without competitors in their tree; without any where nodes are shared by all trees.
void AHeadFaresAsWasSaid(const scenario::Scenario& scenario) {
  const std::unique_ptr<workload::ClusterState> cluster = Start(scenario);
  const engine::State& state = cluster->engine().state();
  std::map<engine::NodeId, std::vector<WorkloadId>> heads;  // by root
  for (const engine::Queue& queue : state.queues) {
    if (queue.node.is_none() || !queue.spec.is_active || !state.forest.HasTree(queue.node))
      continue;
    const std::vector<WorkloadId> line = cluster->engine().ActiveIn(queue.node);
    if (!line.empty()) heads[state.forest.RootOf(queue.node)].push_back(line.front());
  }
  std::map<WorkloadId, Explanation> said;
  const bool shares_nodes = HasTopology(scenario);
  if (shares_nodes && (heads.size() > 1 || !state.second_pass.empty())) return;
  for (const auto& [root, rivals] : heads) {
    if (rivals.size() == 1) said[rivals[0]] = cluster->engine().Explain(rivals[0]);
  }
  for (const engine::Decision& d : cluster->engine().RunCycle(scenario.now)) {
    const auto it = said.find(d.workload);
    if (it == said.end() || d.outcome == Outcome::kInvalid ||
        d.outcome == Outcome::kNamespaceMismatch || d.outcome == Outcome::kClaimMissing ||
        d.outcome == Outcome::kPreemptionGated)
      continue;
    EXPECT_EQ(it->second.outcome, d.outcome) << cluster->engine().Uid(d.workload);
    if (d.outcome != Outcome::kAdmitted) {
      EXPECT_EQ(it->second.reason, d.reason);
    }
  }
}

bool GetsAllPods(const engine::Engine& engine, WorkloadId id) {
  const Explanation e = engine.Explain(id);
  const auto& pod_sets = engine.state().shape(engine.state().workload(id).shape).pod_sets;
  const bool has_all_pods = std::ranges::equal(
      e.offered, pod_sets, [](const auto& a, const auto& b) { return a.count == b.count; });
  return e.outcome == Outcome::kAdmitted && IsOnItsWay(e) && has_all_pods;
}

// Applied to the configuration, not to a trial.
bool IsAdmittedWith(const scenario::Scenario& scenario, WorkloadId id, const engine::Remedy& remedy,
                    int64_t less) {
  const std::unique_ptr<workload::ClusterState> cluster = Start(scenario);
  engine::Engine& engine = cluster->engine();
  if (remedy.kind == engine::RemedyKind::kOneFinishes) {
    engine.Remove(remedy.workloads.front());
  } else if (remedy.kind == engine::RemedyKind::kAllFinish) {
    for (const WorkloadId gone : remedy.workloads) engine.Remove(gone);
  } else {
    engine::ClusterQueueSpec spec = engine.state().queue(remedy.node).spec;
    for (engine::ResourceGroup& group : spec.groups) {
      for (engine::FlavorQuotas& flavor : group.flavors) {
        for (size_t r = 0; r < group.resources.size(); ++r) {
          for (const engine::QuotaRaise& raise : remedy.raises) {
            if (raise.flavor != flavor.flavor || raise.resource != group.resources[r]) continue;
            engine::Quota& quota = flavor.quotas[r];
            (remedy.kind == engine::RemedyKind::kNominalQuota     ? quota.nominal
             : remedy.kind == engine::RemedyKind::kBorrowingLimit ? quota.borrowing_limit
                                                                  : quota.lending_limit) =
                raise.to - less;
          }
        }
      }
    }
    engine.SetClusterQueue(spec);
  }
  return GetsAllPods(engine, id);
}

// --- Topologies ---------------------------------------------------------------------------------

void ChangeRequest(const engine::Remedy& remedy, api::PodSetTopologyRequest& request) {
  const engine::TopologyChange& change = remedy.topology;
  switch (remedy.kind) {
    case engine::RemedyKind::kWiderLevel:
      request.required = change.level;
      return;
    case engine::RemedyKind::kPreferLevel:
      request.preferred = std::exchange(request.required, std::nullopt);
      return;
    case engine::RemedyKind::kWiderSliceLevel:
      if (!request.podset_slice_required_topology_constraints.empty())
        request.podset_slice_required_topology_constraints.front().topology = change.level;
      else
        request.pod_set_slice_required_topology = change.level;
      return;
    case engine::RemedyKind::kSmallerSlices:
      if (!request.podset_slice_required_topology_constraints.empty())
        request.podset_slice_required_topology_constraints.front().size = change.slice_size;
      else
        request.pod_set_slice_size = change.slice_size;
      return;
    default:
      return;
  }
}

std::vector<api::Node> NodesOf(const scenario::Scenario& scenario) {
  std::vector<api::Node> nodes;
  for (const api::Object& object : scenario.steps.front().apply)
    if (const auto* node = object.As<api::Node>()) nodes.push_back(*node);
  return nodes;
}

void Apply(const api::Node& node, workload::ClusterState& cluster) {
  api::Object object(api::Node::KindInfo());
  *object.As<api::Node>() = node;
  cluster.Apply(object);
}

// More of each resource on a node of the domain.
void Free(const engine::FreedRoom& room, engine::FlavorId flavor,
          const scenario::Scenario& scenario, workload::ClusterState& cluster) {
  const engine::Topologies& topologies = *cluster.engine().state().topologies;
  const engine::TopologyForest& forest = *topologies.Find(flavor);
  for (api::Node node : NodesOf(scenario)) {
    const std::vector<engine::FlavorId> flavors = topologies.FlavorsOf(node.metadata.name);
    bool is_there = std::ranges::find(flavors, flavor) != flavors.end();
    for (size_t level = 0; level < room.path.size(); ++level) {
      const std::string* value = node.metadata.labels.Find(forest.levels()[level]);
      is_there = is_there && value != nullptr && *value == room.path[level];
    }
    if (!is_there) continue;
    for (const engine::Request& more : room.amounts) {
      const std::string& name = cluster.engine().ResourceName(more.resource);
      const auto now = workload::ToRequests(node.status.allocatable);
      const int64_t* amount = now.Find(name);
      node.status.allocatable.Set(name, quantity::AmountFormatter().ToQuantity(
                                            name, (amount == nullptr ? 0 : *amount) + more.amount));
    }
    return Apply(node, cluster);
  }
}

void AddNodes(const engine::TopologyChange& change, const scenario::Scenario& scenario,
              workload::ClusterState& cluster) {
  for (api::Node node : NodesOf(scenario)) {
    if (node.metadata.name != change.node_like) continue;
    for (int32_t i = 0; i < change.node_count; ++i) {
      node.metadata.name = "added-" + std::to_string(i);
      node.metadata.labels.Set(std::string(engine::kHostnameLevel), node.metadata.name);
      Apply(node, cluster);
    }
  }
}

// Applied to the objects, not to a trial.
bool IsAdmittedWithTopology(const scenario::Scenario& scenario, WorkloadId id,
                            const engine::Remedy& remedy) {
  const std::unique_ptr<workload::ClusterState> cluster = Start(scenario);
  api::Workload workload = cluster->WorkloadOf(id);
  if (auto& request = workload.spec.pod_sets[remedy.pod_set].topology_request)
    ChangeRequest(remedy, *request);
  cluster->Apply(workload);
  for (const engine::FreedRoom& room : remedy.topology.room)
    Free(room, remedy.flavor, scenario, *cluster);
  AddNodes(remedy.topology, scenario, *cluster);
  cluster->Sync(scenario.now);
  return GetsAllPods(cluster->engine(), id);
}

// --- All remedies -------------------------------------------------------------------------------

void RemediesHelp(const scenario::Scenario& scenario, size_t& tried) {
  const std::unique_ptr<workload::ClusterState> cluster = Start(scenario);
  for (const WorkloadId id : KnownWorkloads(*cluster)) {
    const Explanation e = cluster->engine().Explain(id);
    for (const engine::Remedy& remedy : e.remedies) {
      const bool is_raise = !remedy.raises.empty();
      if (is_raise && !cluster->engine().state().forest.node(remedy.node).is_queue) continue;
      const bool is_finish = remedy.kind == engine::RemedyKind::kOneFinishes ||
                             remedy.kind == engine::RemedyKind::kAllFinish;
      if (remedy.kind >= engine::RemedyKind::kWiderLevel) {
        ++tried;
        EXPECT_TRUE(IsAdmittedWithTopology(scenario, id, remedy))
            << cluster->engine().Uid(id) << " with remedy " << static_cast<int>(remedy.kind);
      }
      if (!is_raise && !is_finish) continue;
      ++tried;
      EXPECT_TRUE(IsAdmittedWith(scenario, id, remedy, 0))
          << cluster->engine().Uid(id) << " with remedy " << static_cast<int>(remedy.kind);
      if (is_raise && e.position.ahead_count == 0) {
        EXPECT_FALSE(IsAdmittedWith(scenario, id, remedy, 1))
            << cluster->engine().Uid(id) << " with less of " << static_cast<int>(remedy.kind);
      }
    }
  }
}

api::Workload Without(const api::Workload& workload, engine::AdmissionConstraints dropped) {
  api::Workload changed = workload;
  std::optional<api::AdmissionConstraints>& field = changed.spec.admission_constraints;
  if (dropped.cannot_preempt) {
    changed.metadata.annotations.Erase(api::kCannotPreemptAnnotation);
    if (field) field->preemption.reset();
  }
  if (dropped.cannot_borrow) {
    changed.metadata.annotations.Erase(api::kCannotBorrowAnnotation);
    if (field) field->borrowing.reset();
  }
  return changed;
}

// Applied to the object, not to a trial.
void DroppingConstraintsHelps(const scenario::Scenario& scenario, size_t& tried) {
  const std::unique_ptr<workload::ClusterState> cluster = Start(scenario);
  for (const WorkloadId id : KnownWorkloads(*cluster)) {
    for (const engine::Remedy& remedy : cluster->engine().Explain(id).remedies) {
      if (remedy.kind != engine::RemedyKind::kDropConstraints) continue;
      ++tried;
      const std::unique_ptr<workload::ClusterState> changed = Start(scenario);
      changed->Apply(Without(cluster->WorkloadOf(id), remedy.constraints));
      changed->Sync(scenario.now);
      EXPECT_TRUE(IsOnItsWay(changed->engine().Explain(id))) << cluster->engine().Uid(id);
    }
  }
}

void Check(const std::vector<fs::path>& files) {
  size_t remedies = 0;
  for (const fs::path& file : files) {
    SCOPED_TRACE(file.string());
    const scenario::ScenarioResult scenario = scenario::ReadScenario(Text(file), file.string());
    if (!scenario) continue;
    ExplainingChangesNothing(*scenario);
    AHeadFaresAsWasSaid(*scenario);
    RemediesHelp(*scenario, remedies);
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(remedies, 0u);
}

TEST(Explanations, HoldInTheScenariosHere) {
  Check(FilesBelow(fs::path(BERTH_SOURCE_DIR) / "scenarios"));
}

TEST(Explanations, OfferToDropConstraintsWhereThatHelps) {
  size_t remedies = 0;
  for (const fs::path& file :
       FilesBelow(fs::path(BERTH_SOURCE_DIR) / "scenarios" / "admission-constraints")) {
    SCOPED_TRACE(file.string());
    const scenario::ScenarioResult scenario = scenario::ReadScenario(Text(file), file.string());
    ASSERT_TRUE(scenario.has_value());
    DroppingConstraintsHelps(*scenario, remedies);
  }
  EXPECT_GT(remedies, 20u);
}

TEST(Explanations, HoldInWhatKueueDecided) {
  std::vector<fs::path> all = FilesBelow(SharedFolder() / "conformance"), some;
  if (all.empty()) GTEST_SKIP() << "shared/conformance not found";
  // One in twenty; with BERTH_ALL_SCENARIOS, all.
  const size_t step = std::getenv("BERTH_ALL_SCENARIOS") != nullptr ? 1 : 20;
  for (size_t i = 0; i < all.size(); i += step) some.push_back(all[i]);
  Check(some);
}

}  // namespace
}  // namespace berth::explain
