#include "ctl/workload_life.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::ctl {
namespace {

using ::testing::HasSubstr;

base::Time At(int64_t seconds) { return base::Time::FromSeconds(1'000'000 + seconds); }

api::Workload OfJob(const std::string& name, int64_t created,
                    std::vector<api::Condition> conditions = {}) {
  api::Workload workload;
  workload.metadata.name = name;
  workload.metadata.creation_timestamp = At(created);
  workload.metadata.owner_references = {
      {.api_version = "batch/v1", .kind = "Job", .name = "train"}};
  workload.spec.queue_name = "main";
  workload.status.conditions = std::move(conditions);
  return workload;
}

api::Event Event(int64_t at, const std::string& reason, const std::string& message, int count = 0) {
  api::Event event;
  event.reason = reason;
  event.message = message;
  event.count = count;
  event.event_time = At(at);
  return event;
}

TEST(WorkloadLife, JoinsConditionsAndEventsInTheOrderOfTime) {
  const api::Workload workload = OfJob("w", 0,
                                       {{.type = "Admitted",
                                         .status = "True",
                                         .last_transition_time = At(60),
                                         .reason = "Admitted",
                                         .message = "admitted again"}});
  const std::vector<api::Event> events{Event(61, "Admitted", "admitted again"),
                                       Event(30, "Preempted", "for team-b", 2),
                                       Event(5, "Admitted", "admitted by team-a")};
  EXPECT_EQ(LifeTable(LifeOf(workload, events)).ToText(),
            "TIME                   STEP       STATUS   REASON      MESSAGE\n"
            "1970-01-12T13:46:40Z   Created                         in LocalQueue main\n"
            "1970-01-12T13:46:45Z   Event               Admitted    admitted by team-a\n"
            "1970-01-12T13:47:10Z   Event               Preempted   for team-b (2 times)\n"
            "1970-01-12T13:47:40Z   Admitted   True     Admitted    admitted again\n");
}

TEST(WorkloadLife, PrintsJson) {
  const api::Workload workload = OfJob("w", 0);
  EXPECT_THAT(LifeJson(workload, LifeOf(workload, {})),
              HasSubstr(R"("steps":[{"time":"1970-01-12T13:46:40.000000Z","step":"Created",)"));
}

TEST(WorkloadOfName, IsTheNewestOfTheJob) {
  const std::vector<api::Workload> all{OfJob("old", 0), OfJob("new", 9), OfJob("train", 5)};
  EXPECT_EQ((*FindWorkload(all, "Job", "train"))->metadata.name, "new");
  EXPECT_EQ((*FindWorkload(all, "", "train"))->metadata.name, "train") << "its own name first";
  EXPECT_EQ((*FindWorkload(all, "", "old"))->metadata.name, "old");
  EXPECT_FALSE(FindWorkload(all, "RayJob", "train").has_value());
}

}  // namespace
}  // namespace berth::ctl
