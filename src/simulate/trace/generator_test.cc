#include "simulate/trace/generator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/kueue/cluster_queue.h"
#include "simulate/testing/small_world.h"

namespace berth::simulate {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::string_view kTwoQueues = R"(
cohorts:
- className: cohort
  count: 1
  queuesSets:
  - className: cq
    count: 2
    nominalQuota: 20
    borrowingLimit: 100
    reclaimWithinCohort: Any
    withinClusterQueue: LowerPriority
    workloadsSets:
    - count: 3
      creationIntervalMs: 100
      workloads:
      - {className: small, runtimeMs: 200, priority: 50, request: 1}
      - {className: large, runtimeMs: 500, priority: 100, request: "5"}
)";

std::string FirstProblem(std::string_view text) {
  Input input;
  const schema::Problems problems = AddGenerated(text, "g.yaml", input);
  if (problems.empty()) return "";
  EXPECT_THAT(input.objects, IsEmpty());
  EXPECT_THAT(input.jobs, IsEmpty());
  return schema::ToString(problems.front());
}

TEST(Generators, MakeQueuesAndJobs) {
  Input input;
  ASSERT_THAT(AddGenerated(kTwoQueues, "g.yaml", input), IsEmpty());
  EXPECT_THAT(input.jobs, SizeIs(12));
  EXPECT_THAT(input.kinds, SizeIs(4));
  EXPECT_EQ(input.jobs[1].arrival, testing::At(0) + base::Duration::Milliseconds(200));
  EXPECT_EQ(input.jobs[1].run_time, base::Duration::Milliseconds(500));
  EXPECT_EQ(input.kinds[1].workload.spec.priority, 100);
  const auto* queue = input.objects[1].As<api::ClusterQueue>();
  ASSERT_NE(queue, nullptr);
  EXPECT_EQ(queue->metadata.name, "cq-0-0-cohort-0");
  EXPECT_EQ(queue->spec.cohort_name, "cohort-0");
}

TEST(Generators, MakeWorldsThatPlayToTheirEnd) {
  Input input;
  ASSERT_THAT(AddGenerated(kTwoQueues, "g.yaml", input), IsEmpty());
  SortJobs(input);
  const Result result = Play(input, {});
  for (const JobOutcome& job : result.jobs) EXPECT_EQ(job.state, JobState::kFinished);
}

TEST(Generators, SayWhereSomethingIsWrong) {
  EXPECT_THAT(FirstProblem("cohorts: []\n"), HasSubstr("cohorts"));
  EXPECT_THAT(FirstProblem("a: 1\n---\nb: 2\n"), HasSubstr("one document, this has 2"));
  std::string text(kTwoQueues);
  const auto with = [&](std::string_view from, std::string_view to) {
    std::string changed(kTwoQueues);
    changed.replace(changed.find(from), from.size(), to);
    return FirstProblem(changed);
  };
  EXPECT_THAT(with("count: 3", "cuont: 3"), AllOf(HasSubstr("g.yaml:13"), HasSubstr("cuont")));
  EXPECT_THAT(with("request: 1", "request: 1e18"),
              AllOf(HasSubstr("request"), HasSubstr("must be at most")));
  EXPECT_THAT(with("request: 1", "request: -1"), HasSubstr("must not be negative"));
  EXPECT_THAT(with("Any", "Sometimes"), HasSubstr("reclaimWithinCohort"));
  EXPECT_THAT(with("count: 3", "count: 2000000000"), HasSubstr("more than 20000000 jobs"));
}

}  // namespace
}  // namespace berth::simulate
