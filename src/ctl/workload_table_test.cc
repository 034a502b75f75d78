#include "ctl/workload_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/kueue/well_known.h"

namespace berth::ctl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr base::Time kNow = base::Time::FromSeconds(1'000'000);

base::Time Ago(int64_t seconds) { return base::Time::FromSeconds(1'000'000 - seconds); }

api::Condition True(std::string_view type, base::Time since) {
  return {.type = std::string(type), .status = "True", .last_transition_time = since};
}

// A Workload of a Job, created an hour ago.
api::Workload OfJob(const std::string& name, std::vector<api::Condition> conditions = {}) {
  api::Workload workload;
  workload.metadata.name = name;
  workload.metadata.namespace_ = "team-a";
  workload.metadata.creation_timestamp = Ago(3600);
  workload.metadata.owner_references = {
      {.api_version = "batch/v1", .kind = "Job", .name = "train", .uid = "u1"}};
  workload.spec.queue_name = "main";
  workload.status.conditions = std::move(conditions);
  return workload;
}

WorkloadFacts Facts() {
  WorkloadFacts facts;
  facts.cluster_queues[{"team-a", "main"}] = "cq";
  facts.positions[{"team-a", "waits"}] = 4;
  facts.owner_kinds.emplace(std::pair("batch/v1", "Job"), *FindKnownKind("job"));
  return facts;
}

std::string TableOf(const api::Workload& workload, bool has_namespace = false) {
  return WorkloadTable({&workload, 1}, Facts(), has_namespace, kNow).ToText();
}

TEST(WorkloadTable, ShowsThePlaceOfWhatWaits) {
  EXPECT_EQ(TableOf(OfJob("waits")),
            "NAME    JOB TYPE    JOB NAME   LOCALQUEUE   CLUSTERQUEUE   STATUS    "
            "POSITION IN QUEUE   EXEC TIME   AGE\n"
            "waits   job.batch   train      main         cq             PENDING   "
            "4                               60m\n");
}

TEST(WorkloadTable, ShowsTheTimeOfWhatRuns) {
  const std::vector<api::Condition> admitted{True(api::condition::kQuotaReserved, Ago(600)),
                                             True(api::condition::kAdmitted, Ago(600))};
  EXPECT_THAT(TableOf(OfJob("runs", admitted)),
              HasSubstr("ADMITTED                       10m         60m\n"));
  std::vector<api::Condition> finished = admitted;
  finished.push_back(True(api::condition::kFinished, Ago(500)));
  EXPECT_THAT(TableOf(OfJob("done", finished)),
              HasSubstr("FINISHED                       100s        60m\n"));
  EXPECT_THAT(TableOf(OfJob("holds", {True(api::condition::kQuotaReserved, Ago(9))})),
              HasSubstr("QUOTARESERVED"));
}

TEST(WorkloadTable, NamesTheNamespaceIfThereAreSeveral) {
  EXPECT_THAT(TableOf(OfJob("waits"), true), HasSubstr("NAMESPACE   NAME"));
}

TEST(WorkloadFilter, SelectsByQueueStateAndOwner) {
  const WorkloadFacts facts = Facts();
  const api::Workload waits = OfJob("waits");
  EXPECT_TRUE(WorkloadFilter{}.Passes(waits, facts));
  EXPECT_TRUE(WorkloadFilter{.cluster_queue = "cq"}.Passes(waits, facts));
  EXPECT_FALSE(WorkloadFilter{.cluster_queue = "other"}.Passes(waits, facts));
  EXPECT_FALSE(WorkloadFilter{.local_queue = "other"}.Passes(waits, facts));
  EXPECT_FALSE(WorkloadFilter{.statuses = {WorkloadStatus::kAdmitted}}.Passes(waits, facts));
  EXPECT_TRUE(WorkloadFilter{.owner_uid = "u1"}.Passes(waits, facts));
  EXPECT_FALSE(WorkloadFilter{.owner_uid = "u2"}.Passes(waits, facts));
}

TEST(WorkloadStatus, IsReadFromItsFlag) {
  const std::vector<std::string> two{"Pending", "quotareserved"};
  EXPECT_THAT(*ReadStatuses(two),
              ElementsAre(WorkloadStatus::kPending, WorkloadStatus::kQuotaReserved));
  const std::vector<std::string> all{"all", "pending"};
  EXPECT_THAT(*ReadStatuses(all), IsEmpty());
  const std::vector<std::string> wrong{"admited"};
  EXPECT_THAT(base::ToString(ReadStatuses(wrong).error()), HasSubstr("\"admitted\""));
}

}  // namespace
}  // namespace berth::ctl
