// What must hold of every explanation, tried on the scenarios of this repository and on those that
// Kueue decided.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "api/well_known.h"
#include "explain/account.h"
#include "explain/json.h"
#include "explain/phrases.h"
#include "explain/text.h"
#include "schema/decode.h"
#include "schema/json_index.h"
#include "sim/scenario.h"
#include "workload/engine_feed.h"

namespace berth::explain {
namespace {

namespace fs = std::filesystem;
using engine::Explanation;
using engine::Outcome;
using engine::Turn;
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

// A scenario's objects in an engine, before anything was decided.
std::unique_ptr<workload::EngineFeed> Start(const sim::Scenario& scenario) {
  auto feed = std::make_unique<workload::EngineFeed>(scenario.configuration, scenario.gates);
  for (const api::Object& object : scenario.steps.front().apply) feed->Apply(object);
  feed->Sync(scenario.now);
  return feed;
}

std::vector<WorkloadId> KnownWorkloads(const workload::EngineFeed& feed) {
  std::vector<WorkloadId> ids;
  feed.ForEachWorkload([&](const api::Workload& workload) {
    const WorkloadId id = feed.engine().FindWorkload(workload.metadata.uid);
    if (!id.is_none()) ids.push_back(id);
  });
  return ids;
}

std::string RunCycle(workload::EngineFeed& feed, base::Time now) {
  std::string out;
  for (const engine::Decision& d : feed.engine().RunCycle(now)) {
    out += feed.engine().Uid(d.workload) + ":" + std::to_string(static_cast<int>(d.outcome));
    for (const engine::Victim& v : d.victims) out += " " + feed.engine().Uid(v.workload);
    out += "\n";
  }
  return out;
}

bool IsOnItsWay(const Explanation& e) {
  const bool would_do = e.outcome == Outcome::kAdmitted || e.outcome == Outcome::kPreempting;
  return would_do && e.line.turn != Turn::kBlocked && e.line.turn != Turn::kTooLate;
}

// --- The properties -----------------------------------------------------------------------------

void ExplainingChangesNothing(const sim::Scenario& scenario) {
  const std::unique_ptr<workload::EngineFeed> asked = Start(scenario), left_alone = Start(scenario);
  for (int cycle = 0; cycle < 3; ++cycle) {
    asked->ForEachWorkload([&](const api::Workload& workload) {
      const Account account = MakeAccount(*asked, workload);
      EXPECT_NE(ToText(account), "");
      EXPECT_FALSE(schema::JsonIndex().Build(ToJson(account)).has_value());
    });
    const base::Time now = scenario.now + base::Duration::Seconds(cycle);
    EXPECT_EQ(RunCycle(*asked, now), RunCycle(*left_alone, now));
  }
}

// Of heads that have no rivals in their tree.
void AHeadFaresAsWasSaid(const sim::Scenario& scenario) {
  const std::unique_ptr<workload::EngineFeed> feed = Start(scenario);
  const engine::State& state = feed->engine().state();
  std::map<engine::NodeId, std::vector<WorkloadId>> heads;  // by root
  for (const engine::Queue& queue : state.queues) {
    if (queue.node.is_none() || !queue.spec.is_active || !state.forest.HasTree(queue.node))
      continue;
    const std::vector<WorkloadId> line = feed->engine().ActiveIn(queue.node);
    if (!line.empty()) heads[state.forest.RootOf(queue.node)].push_back(line.front());
  }
  std::map<WorkloadId, Explanation> said;
  for (const auto& [root, rivals] : heads) {
    if (rivals.size() == 1) said[rivals[0]] = feed->engine().Explain(rivals[0]);
  }
  for (const engine::Decision& d : feed->engine().RunCycle(scenario.now)) {
    const auto it = said.find(d.workload);
    if (it == said.end() || d.outcome == Outcome::kInvalid ||
        d.outcome == Outcome::kNamespaceMismatch || d.outcome == Outcome::kClaimMissing ||
        d.outcome == Outcome::kPreemptionGated)
      continue;
    EXPECT_EQ(it->second.outcome, d.outcome) << feed->engine().Uid(d.workload);
    if (d.outcome != Outcome::kAdmitted) {
      EXPECT_EQ(it->second.reason, d.reason);
    }
  }
}

// Done to the configuration itself, not tried.
bool IsAdmittedWith(const sim::Scenario& scenario, WorkloadId id, const engine::Remedy& remedy,
                    int64_t less) {
  const std::unique_ptr<workload::EngineFeed> feed = Start(scenario);
  engine::Engine& engine = feed->engine();
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
  const Explanation e = engine.Explain(id);
  const auto& pod_sets = engine.state().shape(engine.state().workload(id).shape).pod_sets;
  const bool has_all_pods = std::ranges::equal(
      e.offered, pod_sets, [](const auto& a, const auto& b) { return a.count == b.count; });
  return e.outcome == Outcome::kAdmitted && IsOnItsWay(e) && has_all_pods;
}

void RemediesHelp(const sim::Scenario& scenario, size_t& tried) {
  const std::unique_ptr<workload::EngineFeed> feed = Start(scenario);
  for (const WorkloadId id : KnownWorkloads(*feed)) {
    const Explanation e = feed->engine().Explain(id);
    for (const engine::Remedy& remedy : e.remedies) {
      const bool is_raise = !remedy.raises.empty();
      if (is_raise && !feed->engine().state().forest.node(remedy.node).is_queue) continue;
      const bool is_finish = remedy.kind == engine::RemedyKind::kOneFinishes ||
                             remedy.kind == engine::RemedyKind::kAllFinish;
      if (!is_raise && !is_finish) continue;
      ++tried;
      EXPECT_TRUE(IsAdmittedWith(scenario, id, remedy, 0))
          << feed->engine().Uid(id) << " with remedy " << static_cast<int>(remedy.kind);
      if (is_raise && e.line.ahead_count == 0) {
        EXPECT_FALSE(IsAdmittedWith(scenario, id, remedy, 1))
            << feed->engine().Uid(id) << " with less of " << static_cast<int>(remedy.kind);
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

// Done to the object itself, not tried.
void DroppingConstraintsHelps(const sim::Scenario& scenario, size_t& tried) {
  const std::unique_ptr<workload::EngineFeed> feed = Start(scenario);
  for (const WorkloadId id : KnownWorkloads(*feed)) {
    for (const engine::Remedy& remedy : feed->engine().Explain(id).remedies) {
      if (remedy.kind != engine::RemedyKind::kDropConstraints) continue;
      ++tried;
      const std::unique_ptr<workload::EngineFeed> changed = Start(scenario);
      changed->Apply(Without(feed->WorkloadOf(id), remedy.constraints));
      changed->Sync(scenario.now);
      EXPECT_TRUE(IsOnItsWay(changed->engine().Explain(id))) << feed->engine().Uid(id);
    }
  }
}

void Check(const std::vector<fs::path>& files) {
  size_t remedies = 0;
  for (const fs::path& file : files) {
    SCOPED_TRACE(file.string());
    const sim::ScenarioResult scenario = sim::ReadScenario(Text(file), file.string());
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
    const sim::ScenarioResult scenario = sim::ReadScenario(Text(file), file.string());
    ASSERT_TRUE(scenario.has_value());
    DroppingConstraintsHelps(*scenario, remedies);
  }
  EXPECT_GT(remedies, 20u);
}

TEST(Explanations, HoldInWhatKueueDecided) {
  std::vector<fs::path> all = FilesBelow(SharedFolder() / "conformance"), some;
  if (all.empty()) GTEST_SKIP() << "shared/conformance not found";
  // One in twenty, so that the tests stay quick; all of them on request.
  const size_t step = std::getenv("BERTH_ALL_SCENARIOS") != nullptr ? 1 : 20;
  for (size_t i = 0; i < all.size(); i += step) some.push_back(all[i]);
  Check(some);
}

}  // namespace
}  // namespace berth::explain
