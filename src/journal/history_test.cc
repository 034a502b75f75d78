#include "journal/history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::journal {
namespace {

base::Time At(int64_t seconds) { return base::Time::FromSeconds(1'800'000'000 + seconds); }

std::string Condition(const std::string& type, const std::string& status, const std::string& reason,
                      const std::string& message) {
  return R"({"type":")" + type + R"(","status":")" + status + R"(","reason":")" + reason +
         R"(","message":")" + message + R"(","lastTransitionTime":"2027-01-15T08:00:00Z"})";
}

Record Train(const std::string& conditions, const std::string& admission = "") {
  return Upsert{.api_version = "kueue.x-k8s.io/v1beta2",
                .kind = "Workload",
                .namespace_ = "team",
                .name = "train",
                .parts = {R"({"name":"train","namespace":"team","uid":"1",)"
                          R"("creationTimestamp":"2027-01-15T08:00:00Z"})",
                          R"({"queueName":"main","podSets":[]})",
                          R"({"conditions":[)" + conditions + "]" +
                              (admission.empty() ? "" : R"(,"admission":)" + admission) + "}"}};
}

constexpr const char* kAdmission =
    R"({"clusterQueue":"research","podSetAssignments":[{"name":"main","flavors":{"cpu":"spot"},)"
    R"("resourceUsage":{"cpu":"2"},"count":1}]})";

std::vector<std::string> LinesOf(const std::vector<Record>& records) {
  LifeEvents lives;
  std::vector<std::string> lines;
  for (const Record& record : records)
    for (const LifeEvent& event : lives.Add(record))
      lines.push_back(event.what + (event.detail.empty() ? "" : " " + event.detail));
  return lines;
}

TEST(History, TellsTheLifeOfAWorkload) {
  const std::string pending = Condition("QuotaReserved", "False", "Pending", "no quota");
  const std::string reserved = Condition("QuotaReserved", "True", "QuotaReserved", "");
  const std::string admitted = reserved + "," + Condition("Admitted", "True", "Admitted", "");
  const Cycle cycle{.now = At(5),
                    .decisions = {{.kind = Decision::Kind::kPreempt,
                                   .is_inadmissible = false,
                                   .workload = "team/train",
                                   .reason = "InClusterQueue",
                                   .message = "Preempted to accommodate team/urgent",
                                   .preempting_queue = "research",
                                   .admission = "",
                                   .replaced = {}}}};
  EXPECT_THAT(LinesOf({Train(""), Sync{At(0)}, Train(pending), Sync{At(1)}, Train(pending),
                       Sync{At(2)}, Train(admitted, kAdmission), Sync{At(3)}, cycle,
                       Train(admitted + "," + Condition("Evicted", "True", "Preempted", "urgent"),
                             kAdmission),
                       Train(pending + "," + Condition("Finished", "True", "Succeeded", "done")),
                       Removal{.api_version = "kueue.x-k8s.io/v1beta2",
                               .kind = "Workload",
                               .namespace_ = "team",
                               .name = "train"}}),
              ::testing::ElementsAre(
                  "Created in LocalQueue main", "Pending Pending: no quota",
                  "QuotaReserved in ClusterQueue research, cpu: 2 of spot", "Admitted Admitted",
                  "Preempting for ClusterQueue research (InClusterQueue): Preempted to accommodate "
                  "team/urgent",
                  "Evicted Preempted: urgent", "Pending Pending: no quota",
                  "Finished Succeeded: done", "Deleted"));
}

TEST(History, SaysNothingTwiceAfterARestart) {
  const std::string pending = Condition("QuotaReserved", "False", "Pending", "no quota");
  Header restart;
  restart.start = At(9);
  EXPECT_THAT(LinesOf({Train(pending), Sync{At(0)}, restart, Train(pending), Sync{At(10)}}),
              ::testing::ElementsAre("Pending Pending: no quota"));
}

}  // namespace
}  // namespace berth::journal
