#include "journal/usage_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <map>

#include "base/random.h"

namespace berth::journal {
namespace {

using ::testing::HasSubstr;

base::Time At(int64_t seconds) { return base::Time::FromSeconds(1'800'000'000 + seconds); }

Record Start() {
  Header header;
  header.start = At(0);
  return header;
}

// What a workload may be.
struct Holding {
  std::string queue;  // "": it waits
  int cpus = 0;
  bool is_evicted = false;
};

std::string ConditionText(const std::string& type, bool is_true) {
  return R"({"type":")" + type + R"(","status":")" + (is_true ? "True" : "False") +
         R"(","reason":"Test","message":"","lastTransitionTime":"2027-01-15T08:00:00Z"})";
}

Record WorkloadRecord(const std::string& name, const Holding& run) {
  std::string status = R"({"conditions":[)" + ConditionText("QuotaReserved", !run.queue.empty());
  if (run.is_evicted) status += "," + ConditionText("Evicted", true);
  status += "]";
  if (!run.queue.empty())
    status += R"(,"admission":{"clusterQueue":")" + run.queue +
              R"(","podSetAssignments":[{"name":"main","flavors":{"cpu":"spot"},)"
              R"("resourceUsage":{"cpu":")" +
              std::to_string(run.cpus) + R"("},"count":1}]})";
  return Upsert{.api_version = "kueue.x-k8s.io/v1beta2",
                .kind = "Workload",
                .namespace_ = "team",
                .name = name,
                .parts = {R"({"name":")" + name + R"(","namespace":"team","uid":")" + name +
                              R"(","creationTimestamp":"2027-01-15T08:00:00Z",)"
                              R"("labels":{"berth.dev/user":"ada"}})",
                          R"({"queueName":"main","podSets":[]})", status + "}"}};
}

Record QueueRecord(const std::string& name, int cpus) {
  return Upsert{.api_version = "kueue.x-k8s.io/v1beta2",
                .kind = "ClusterQueue",
                .namespace_ = "",
                .name = name,
                .parts = {R"({"metadata":{"name":")" + name +
                          R"("},"spec":{"cohortName":"all","resourceGroups":[{"coveredResources":)"
                          R"(["cpu"],"flavors":[{"name":"spot","resources":[{"name":"cpu",)"
                          R"("nominalQuota":")" +
                          std::to_string(cpus) + R"("}]}]}]}})"}};
}

const UsageRow& RowOf(const UsageReport& report, const std::string& group) {
  static const UsageRow kNone;
  for (const UsageRow& row : report.usage)
    if (row.group == group) return row;
  ADD_FAILURE() << "no row of " << group;
  return kNone;
}

constexpr base::Int128 kCoreSecond = base::Int128{1000} * 1'000'000;

TEST(UsageReport, CountsFromTheReservationToTheRelease) {
  UsageAccount account({});
  for (const Record& record :
       {Start(), WorkloadRecord("a", {}), Record(Sync{At(0)}), WorkloadRecord("a", {"q", 2}),
        Record(Sync{At(10)}), WorkloadRecord("a", {}), Record(Sync{At(40)}), Record(Sync{At(90)})})
    account.Add(record);
  account.Close();
  const UsageReport report = ReportOn(account, UsageGroup::kUser);
  EXPECT_TRUE(RowOf(report, "ada").admitted == 60 * kCoreSecond);
  EXPECT_TRUE(RowOf(report, "ada").wasted == 0);
  ASSERT_EQ(report.waits.size(), 1u);
  EXPECT_EQ(report.waits.front().p50, base::Duration::Seconds(10));
}

TEST(UsageReport, CallsTheRunOfAnEvictedWorkloadWasted) {
  UsageAccount account({});
  for (const Record& record :
       {Start(), WorkloadRecord("a", {"q", 1}), Record(Sync{At(0)}),
        WorkloadRecord("a", {"q", 1, true}), Record(Sync{At(20)}),
        WorkloadRecord("a", {"", 0, true}), Record(Sync{At(30)}), Record(Sync{At(90)})})
    account.Add(record);
  account.Close();
  EXPECT_TRUE(RowOf(ReportOn(account, UsageGroup::kQueue), "q").wasted == 30 * kCoreSecond);
}

TEST(UsageReport, LendsWhatOthersBorrow) {
  UsageAccount account({});
  for (const Record& record :
       {Start(), QueueRecord("rich", 10), QueueRecord("poor", 1), WorkloadRecord("a", {"poor", 4}),
        Record(Sync{At(0)}), Record(Sync{At(10)})})
    account.Add(record);
  account.Close();
  const UsageReport report = ReportOn(account, UsageGroup::kQueue);
  EXPECT_TRUE(RowOf(report, "poor").borrowed == 30 * kCoreSecond);
  EXPECT_TRUE(RowOf(report, "rich").lent == 30 * kCoreSecond);
}

TEST(UsageSteps, ChangeOnceAMoment) {
  const auto span = [](const std::string& queue, int64_t milli, int64_t begin, int64_t end) {
    UsageSpan made;
    made.cluster_queue = queue;
    made.flavor = "spot";
    made.resource = "cpu";
    made.milli = milli;
    made.begin = At(begin);
    made.end = At(end);
    return made;
  };
  const auto step = [](int64_t at, int64_t milli) {
    return UsageStep{.time = At(at), .flavor = "spot", .resource = "cpu", .milli = milli};
  };
  EXPECT_THAT(StepsOf({span("q", 2000, 0, 10), span("q", 3000, 5, 10), span("q", 1000, 10, 20),
                       span("other", 9000, 0, 99)},
                      "q"),
              ::testing::ElementsAre(step(0, 2000), step(5, 5000), step(10, 1000), step(20, 0)));
}

TEST(UsageReport, RunsOnThroughARestartAndEndsWhatIsGone) {
  UsageAccount account({});
  Header restart;
  restart.start = At(50);
  for (const Record& record :
       {Start(), WorkloadRecord("stays", {"q", 1}), WorkloadRecord("goes", {"q", 1}),
        Record(Sync{At(0)}), Record(restart), WorkloadRecord("stays", {"q", 1}),
        Record(Sync{At(60)}), Record(Sync{At(100)})})
    account.Add(record);
  account.Close();
  EXPECT_TRUE(RowOf(ReportOn(account, UsageGroup::kQueue), "q").admitted == 160 * kCoreSecond);
}

// Random journals, against a count second by second.
class NaiveCount {
 public:
  void Set(const std::string& name, const Holding& run) { waiting_[name] = run; }
  void SetQuota(const std::string& queue, int cpus) { quota_[queue] = cpus; }
  void Sync() {
    for (const auto& [name, run] : waiting_) runs_[name] = run;
    waiting_.clear();
  }
  void PassSecond() {
    std::map<std::string, int64_t> used;
    for (const auto& [name, run] : runs_)
      if (!run.queue.empty()) used[run.queue] += run.cpus;
    int64_t all_borrowed = 0, all_free = 0;
    for (const auto& [queue, cpus] : quota_) {
      all_borrowed += std::max<int64_t>(used[queue] - cpus, 0);
      all_free += std::max<int64_t>(cpus - used[queue], 0);
    }
    for (const auto& [queue, cpus] : quota_) {
      admitted[queue] += used[queue] * kCoreSecond;
      borrowed[queue] += std::max<int64_t>(used[queue] - cpus, 0) * kCoreSecond;
      const int64_t free = 1000 * std::max<int64_t>(cpus - used[queue], 0);
      if (all_free > 0)
        lent[queue] += free * std::min(all_borrowed, all_free) / all_free * 1'000'000;
    }
  }

  std::map<std::string, base::Int128> admitted, borrowed, lent;

 private:
  std::map<std::string, Holding> waiting_, runs_;
  std::map<std::string, int> quota_;
};

class RandomJournal : public ::testing::TestWithParam<int> {};

TEST_P(RandomJournal, SumsLikeANaiveCount) {
  constexpr std::array kQueues = {"north", "south", "west"};
  constexpr int kSeconds = 200, kFrom = 30, kTo = 150;
  base::Random random(static_cast<uint64_t>(GetParam()));
  NaiveCount naive;
  UsageAccount account({.from = At(kFrom), .to = At(kTo)});
  account.Add(Start());
  for (const char* queue : kQueues) {
    const int cpus = static_cast<int>(random.Below(9));
    account.Add(QueueRecord(queue, cpus));
    naive.SetQuota(queue, cpus);
  }
  for (int second = 0; second < kSeconds; ++second) {
    for (uint64_t changes = random.Below(3); changes > 0; --changes) {
      const std::string name = "w" + std::to_string(random.Below(6));
      Holding run;
      if (random.Below(3) > 0)
        run = {.queue = kQueues[random.Below(kQueues.size())],
               .cpus = static_cast<int>(1 + random.Below(5))};
      account.Add(WorkloadRecord(name, run));
      naive.Set(name, run);
    }
    if (random.Below(4) > 0) {
      account.Add(Sync{At(second)});
      naive.Sync();
    }
    if (kFrom <= second && second < kTo) naive.PassSecond();
  }
  account.Add(Sync{At(kSeconds)});
  account.Close();
  const UsageReport report = ReportOn(account, UsageGroup::kQueue);
  for (const char* queue : kQueues) {
    const UsageRow& row = RowOf(report, queue);
    EXPECT_TRUE(row.admitted == naive.admitted[queue]) << queue;
    EXPECT_TRUE(row.borrowed == naive.borrowed[queue]) << queue;
    EXPECT_TRUE(row.lent == naive.lent[queue]) << queue;
  }
}
INSTANTIATE_TEST_SUITE_P(Seeds, RandomJournal, ::testing::Range(1, 51));

TEST(UsageReportText, PrintsExactHours) {
  EXPECT_EQ(HoursText(0), "0.000");
  EXPECT_EQ(HoursText(kCoreSecond * 3600), "1.000");
  EXPECT_EQ(HoursText(kCoreSecond * 5400 - 1), "1.499");
}

TEST(UsageReportText, EscapesWhatFormatsWouldMisread) {
  UsageReport report{.by = UsageGroup::kUser, .from = At(0), .to = At(1), .usage = {}, .waits = {}};
  report.usage.push_back({.group = "=SUM(A1),<b>", .resource = "cpu"});
  EXPECT_THAT(ToCsv(report), HasSubstr("\"'=SUM(A1),<b>\",cpu,0.000"));
  EXPECT_THAT(ToHtml(report), HasSubstr("<td>=SUM(A1),&lt;b&gt;</td>"));
}

}  // namespace
}  // namespace berth::journal
