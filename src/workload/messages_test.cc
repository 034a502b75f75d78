// Every text that the transitions of a Workload write into its conditions and checks, with an
// example. Scripts match these shapes.

#include <gtest/gtest.h>

#include "api/kueue/well_known.h"
#include "api/meta/conditions.h"
#include "workload/status_changes.h"

namespace berth::workload {
namespace {

constexpr base::Time kAtNoon = base::Time::FromSeconds(43'200);

std::string ConditionText(const api::Workload& workload, std::string_view type) {
  const api::Condition* condition = api::FindCondition(workload.status.conditions, type);
  return condition == nullptr ? "" : condition->message;
}

std::string AdmittedText(api::Workload workload) {
  SyncAdmitted(workload, kAtNoon);
  return ConditionText(workload, api::condition::kAdmitted);
}

// With quota, and a check in this state.
api::Workload Reserved(std::string_view check, std::string_view delayed_topology = "") {
  api::Workload workload;
  workload.status.admission_checks = {{.name = "budget", .state = std::string(check)}};
  api::Admission admission{.cluster_queue = "q", .pod_set_assignments = {{.name = "main"}}};
  if (!delayed_topology.empty())
    admission.pod_set_assignments[0].delayed_topology_request = delayed_topology;
  MarkReserved(workload, std::move(admission), kAtNoon);
  return workload;
}

TEST(Messages, OfAdmission) {
  EXPECT_EQ(ConditionText(Reserved("Ready"), api::condition::kQuotaReserved),
            "Quota reserved in ClusterQueue q");
  EXPECT_EQ(AdmittedText(Reserved("Ready")), "Workload admitted");
  EXPECT_EQ(AdmittedText(Reserved("Pending")), "AdmissionChecks not ready");
  EXPECT_EQ(AdmittedText(Reserved("Ready", api::kDelayedTopologyPending)),
            "Topology assignments pending");
  api::Workload waiting;
  MarkUnreserved(waiting, api::reason::kPendingEvaluation, "", kAtNoon);
  EXPECT_EQ(AdmittedText(waiting), "Quota not reserved");
}

TEST(Messages, OfEvictionsThatAreOver) {
  api::Workload workload = Reserved("Retry");
  MarkEvicted(workload, {.reason = "AdmissionCheck", .cause = "", .message = "No funds"}, kAtNoon);
  EXPECT_EQ(workload.status.admission_checks.at(0).message,
            "Reset to Pending after eviction; previous state Retry");
  MarkStopped(workload, kAtNoon);
  MarkReserved(workload, {.cluster_queue = "q"}, kAtNoon);
  EXPECT_EQ(ConditionText(workload, api::condition::kEvicted), "Previously: No funds");
}

}  // namespace
}  // namespace berth::workload
