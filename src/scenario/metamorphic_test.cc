// Metamorphic tests, see testing/scenario_pairs.h.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <string>

#include "api/kueue/cluster_queue.h"
#include "api/kueue/local_queue.h"
#include "api/kueue/workload.h"
#include "scenario/testing/scenario_pairs.h"
#include "workload/convert/convert_workload.h"

namespace berth::scenario {
namespace {

using scenario::testing::All;
using scenario::testing::Copy;
using scenario::testing::MetamorphicTest;
using scenario::testing::RemoveIf;
using scenario::testing::ScenarioPair;

// --- Constraints on admission -------------------------------------------------------------------

// A constraint of a workload, and an equivalent configuration of its queue.
struct Equivalence {
  std::function<void(api::Workload&)> constrain;
  std::function<void(api::ClusterQueue&)> configure;
};

void CannotBorrow(api::Workload& workload) {
  if (!workload.spec.admission_constraints) workload.spec.admission_constraints.emplace();
  workload.spec.admission_constraints->borrowing = api::kConstraintNever;
}

void LimitBorrowingToZero(api::ClusterQueue& queue) {
  for (api::ResourceGroup& group : queue.spec.resource_groups) {
    for (api::FlavorQuotas& flavor : group.flavors) {
      for (api::ResourceQuota& quota : flavor.resources)
        quota.borrowing_limit = quantity::Quantity();
    }
  }
}

void CannotPreempt(api::Workload& workload) {
  if (!workload.spec.admission_constraints) workload.spec.admission_constraints.emplace();
  workload.spec.admission_constraints->preemption = api::kConstraintNever;
}

void NeverPreempt(api::ClusterQueue& queue) {
  queue.spec.preemption = {.reclaim_within_cohort = std::string(api::kPreemptNever),
                           .borrow_within_cohort = {},
                           .within_cluster_queue = std::string(api::kPreemptNever),
                           .extra = {}};
}

const Equivalence kBorrowing{CannotBorrow, LimitBorrowingToZero};
const Equivalence kPreemption{CannotPreempt, NeverPreempt};
const Equivalence kBoth{[](api::Workload& workload) {
                          CannotBorrow(workload);
                          CannotPreempt(workload);
                        },
                        [](api::ClusterQueue& queue) {
                          LimitBorrowingToZero(queue);
                          NeverPreempt(queue);
                        }};

// The ClusterQueue of a workload; "" if there is none.
class QueueNames {
 public:
  explicit QueueNames(Scenario& scenario) {
    for (const api::LocalQueue* queue : All<api::LocalQueue>(scenario))
      by_local_queue_[workload::NamespacedName(queue->metadata)] =
          queue->spec.cluster_queue.value_or("");
  }

  std::string Of(const api::Workload& workload) const {
    const auto it = by_local_queue_.find(workload::NamespacedName(
        workload.metadata.namespace_, workload.spec.queue_name.value_or("")));
    return it == by_local_queue_.end() ? "" : it->second;
  }

 private:
  std::map<std::string, std::string> by_local_queue_;
};

Scenario WithConstraints(const Scenario& original) {
  Scenario scenario = Copy(original);
  scenario.gates.Set(api::Gate::kWorkloadAdmissionConstraints, true);
  return scenario;
}

void Configure(Scenario& scenario, const std::string& queue, const Equivalence& equivalence) {
  for (api::ClusterQueue* object : All<api::ClusterQueue>(scenario)) {
    if (object->metadata.name == queue) equivalence.configure(*object);
  }
}

// For every queue: only its first pending workload, for one cycle. Other queues stay as they are.
std::vector<ScenarioPair> LoneWorkloads(const Scenario& original, const Equivalence& equivalence) {
  Scenario base = WithConstraints(original);
  base.steps.front().cycles = 1;
  const QueueNames names(base);
  std::map<std::string, std::string> first_of_queue;  // uid by queue
  for (const api::Workload* workload : All<api::Workload>(base)) {
    if (!workload::HoldsQuota(*workload))
      first_of_queue.try_emplace(names.Of(*workload), workload->metadata.uid);
  }
  std::vector<ScenarioPair> all;
  for (const auto& [queue, uid] : first_of_queue) {
    Scenario lone = Copy(base);
    RemoveIf<api::Workload>(lone, [&](const api::Workload& workload) {
      return !workload::HoldsQuota(workload) && names.Of(workload) == queue &&
             workload.metadata.uid != uid;
    });
    ScenarioPair& pair = all.emplace_back(lone);
    pair.about = "a lone workload of " + queue + " and a configured queue";
    for (api::Workload* workload : All<api::Workload>(pair.a)) {
      if (workload->metadata.uid == uid) equivalence.constrain(*workload);
    }
    Configure(pair.b, queue, equivalence);
  }
  return all;
}

// For every queue: all its workloads have the constraint, running ones too, so that they keep it
// when they are preempted. For all cycles.
std::vector<ScenarioPair> WholeQueues(const Scenario& original, const Equivalence& equivalence) {
  Scenario base = WithConstraints(original);
  const QueueNames names(base);
  std::set<std::string> queues;
  for (const api::Workload* workload : All<api::Workload>(base)) {
    if (!workload::HoldsQuota(*workload)) queues.insert(names.Of(*workload));
  }
  std::vector<ScenarioPair> all;
  for (const std::string& queue : queues) {
    ScenarioPair& pair = all.emplace_back(base);
    pair.about = "constrained workloads of " + queue + " and a configured queue";
    for (api::Workload* workload : All<api::Workload>(pair.a)) {
      if (names.Of(*workload) == queue) equivalence.constrain(*workload);
    }
    Configure(pair.b, queue, equivalence);
  }
  return all;
}

using AdmissionConstraintsMetamorphicTest = MetamorphicTest;

// The constraint must matter in some scenario, or the test shows nothing.
void ExpectEqual(const Equivalence& equivalence) {
  size_t different = 0;
  const auto make_pairs = [&](const Scenario& original) {
    std::vector<ScenarioPair> all = WholeQueues(original, equivalence);
    const std::vector<Outcome> unconstrained = testing::OutcomesOf(original, {}, false);
    for (const ScenarioPair& pair : all) {
      if (testing::OutcomesOf(pair.a, {}, false) != unconstrained) ++different;
    }
    std::ranges::move(LoneWorkloads(original, equivalence), std::back_inserter(all));
    return all;
  };
  EXPECT_GT(testing::CompareInRandomScenarios(make_pairs), 100u);
  EXPECT_GT(different, 10u);
}

TEST_F(AdmissionConstraintsMetamorphicTest, CannotBorrowEqualsABorrowingLimitOfZero) {
  ExpectEqual(kBorrowing);
}

TEST_F(AdmissionConstraintsMetamorphicTest, CannotPreemptEqualsPoliciesOfNever) {
  ExpectEqual(kPreemption);
}

TEST_F(AdmissionConstraintsMetamorphicTest, BothEqualBoth) { ExpectEqual(kBoth); }

// Constraints have no effect while the gate is off.
TEST_F(AdmissionConstraintsMetamorphicTest, ChangeNothingWhileTheirGateIsOff) {
  const auto constrain_all = [](const Scenario& original) {
    std::vector<ScenarioPair> all;
    ScenarioPair& pair = all.emplace_back(original);
    pair.about = "constraints without their gate, and none";
    pair.compares_reasons = true;
    for (api::Workload* workload : All<api::Workload>(pair.a)) kBoth.constrain(*workload);
    return all;
  };
  EXPECT_GT(testing::CompareInRandomScenarios(constrain_all), 100u);
}

}  // namespace
}  // namespace berth::scenario
