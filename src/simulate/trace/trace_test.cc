// The formats of traces. A bad trace leaves the input unchanged.

#include "simulate/trace/trace.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulate/testing/small_world.h"

namespace berth::simulate {
namespace {

using ::testing::AllOf;
using testing::At;
using ::testing::HasSubstr;
using testing::QueueYaml;
using ::testing::SizeIs;
using testing::SmallWorld;

class Trace : public ::testing::Test {
 protected:
  // The first problem, "" if there is none.
  std::string Read(const std::string& file, std::string_view text, const std::string& queue = "") {
    const size_t jobs = input_.jobs.size(), kinds = input_.kinds.size();
    const schema::Problems problems = AddTrace(text, {.file = file, .queue = queue}, input_);
    if (problems.empty()) return "";
    EXPECT_EQ(input_.jobs.size(), jobs) << "nothing half-done";
    EXPECT_EQ(input_.kinds.size(), kinds);
    return schema::ToString(problems.front());
  }
  std::string Cpu(size_t job) {
    return input_.kinds[input_.jobs[job].kind]
        .workload.spec.pod_sets[0]
        .template_.spec.containers[0]
        .resources.requests.Find("cpu")
        ->ToString();
  }

  SmallWorld world_{QueueYaml({.name = "q", .cpu = 4}) + QueueYaml({.name = "long", .cpu = 4})};
  Input& input_ = world_.input();
};

using CsvTraces = Trace;

TEST_F(CsvTraces, HaveAJobALine) {
  EXPECT_EQ(Read("t.csv",
                 "arrival,queue,cpu,nvidia.com/gpu,count,runTime,priority,class,name\n"
                 "# a comment\n"
                 "0,team/q,500m,,1,90,5,small,\n"
                 "\n"
                 "1h30m,team/long,2,8,4,2h,,large,train\r\n"),
            "");
  ASSERT_THAT(input_.jobs, SizeIs(2));
  EXPECT_EQ(input_.jobs[0].arrival, At(0));
  EXPECT_EQ(input_.jobs[0].run_time, base::Duration::Seconds(90));
  EXPECT_EQ(Cpu(0), "500m");
  EXPECT_EQ(input_.jobs[1].arrival, At(5400));
  EXPECT_EQ(NameOf(input_, 1), "team/train");
  const JobKind& large = input_.kinds[input_.jobs[1].kind];
  EXPECT_EQ(large.label, "large");
  EXPECT_EQ(large.workload.spec.pod_sets[0].count, 4);
}

TEST_F(CsvTraces, MayQuoteCellsAndNameColumnsInOtherWays) {
  EXPECT_EQ(Read("t.csv", "Arrival,run_time,queue,name\n5,\"1\",\"team/q\",\"a \"\"b\"\", c\"\n"),
            "");
  EXPECT_EQ(NameOf(input_, 0), "team/a \"b\", c");
}

TEST_F(CsvTraces, MayLeaveTheQueueToAnOption) {
  EXPECT_EQ(Read("t.csv", "arrival\n0\n", "team/q"), "");
  EXPECT_THAT(input_.jobs, SizeIs(1));
}

TEST_F(CsvTraces, WithTimesBeginAtTheFirst) {
  EXPECT_EQ(
      Read("t.csv", "arrival,queue\n2026-01-02T00:01:00Z,team/q\n2026-01-02T00:00:00Z,team/q\n"),
      "");
  EXPECT_EQ(base::FormatTime(input_.start), "2026-01-02T00:00:00Z");
}

TEST_F(CsvTraces, EqualJobsShareAKind) {
  EXPECT_EQ(Read("t.csv", "arrival,queue,cpu\n0,team/q,1\n1,team/q,1\n2,team/q,2\n"), "");
  EXPECT_EQ(input_.jobs[0].kind, input_.jobs[1].kind);
  EXPECT_NE(input_.jobs[0].kind, input_.jobs[2].kind);
}

TEST_F(CsvTraces, RefuseMissingAndUnknownColumns) {
  EXPECT_THAT(Read("t.csv", "queue,cpu\nteam/q,1\n"),
              AllOf(HasSubstr("t.csv:1: "), HasSubstr("column \"arrival\" is missing")));
  EXPECT_THAT(Read("t.csv", "arrival,cpu\n1,1\n"), HasSubstr("column \"queue\" is missing"));
  EXPECT_THAT(
      Read("t.csv", "arrival,queue,priorty\n1,team/q,1\n"),
      AllOf(HasSubstr("unknown column \"priorty\""), HasSubstr("did you mean \"priority\"?")));
  EXPECT_THAT(Read("t.csv", "arrival,arrival,queue\n1,1,team/q\n"), HasSubstr("is listed twice"));
  EXPECT_THAT(Read("t.csv", ""), HasSubstr("file is empty"));
  EXPECT_THAT(Read("t.csv", "arrival,queue\n"), HasSubstr("trace has no jobs"));
}

TEST_F(CsvTraces, SayOnWhichLineAValueIsWrong) {
  const auto with = [&](const std::string& line) {
    return Read("t.csv", "arrival,queue,cpu,count,runTime,priority\n0,team/q,1,1,1,1\n" + line);
  };
  EXPECT_THAT(with("-5,team/q,1,1,1,1\n"),
              AllOf(HasSubstr("t.csv:3: "), HasSubstr("arrival \"-5\" is negative")));
  EXPECT_THAT(with("1,team/q,1,1,-1s,1\n"), HasSubstr("runTime \"-1s\" is negative"));
  EXPECT_THAT(with("1,team/q,1,0,1,1\n"), HasSubstr("count \"0\" is not a whole number from 1"));
  EXPECT_THAT(with("1,team/qq,1,1,1,1\n"), AllOf(HasSubstr("unknown LocalQueue \"team/qq\""),
                                                 HasSubstr("did you mean \"team/q\"?")));
  EXPECT_THAT(with("1,team/q,1e18,1,1,1\n"), HasSubstr("exceeds the maximum request"));
  EXPECT_THAT(with("1,team/q,1e15,2147483647,1,1\n"), HasSubstr("exceeds the maximum request"));
  EXPECT_THAT(with("1,team/q,-1,1,1,1\n"), HasSubstr("cpu \"-1\" is negative"));
  EXPECT_THAT(with("1,team/q,one,1,1,1\n"), HasSubstr("is not a quantity"));
  EXPECT_THAT(with("nan,team/q,1,1,1,1\n"), HasSubstr("is not a duration"));
  EXPECT_THAT(with("1e300,team/q,1,1,1,1\n"), HasSubstr("more than a hundred years"));
  EXPECT_THAT(with("1,team/q,1,1,1,99999999999\n"), HasSubstr("priority \"99999999999\""));
  EXPECT_THAT(with("1,team/q\n"), HasSubstr("has 2 cells, the header 6"));
  EXPECT_THAT(with("1,\"team/q,1,1,1,1\n"), HasSubstr("quote is not closed"));
  EXPECT_THAT(with("2026-01-02T00:00:00Z,team/q,1,1,1,1\n"), HasSubstr("unlike those before it"));
}

TEST_F(CsvTraces, StopAfterAFewProblems) {
  std::string text = "arrival,queue\n";
  for (int i = 0; i < 1000; ++i) text += "-1,team/q\n";
  EXPECT_THAT(AddCsvTrace(text, {.file = "t.csv"}, input_), SizeIs(20));
}

using JsonTraces = Trace;

TEST_F(JsonTraces, HaveAnObjectALine) {
  EXPECT_EQ(Read("t.jsonl",
                 "{\"arrival\":5.5,\"queue\":\"team/q\",\"requests\":{\"cpu\":2},\"count\":3,"
                 "\"runTime\":\"1m\",\"priority\":7,\"class\":\"c\",\"name\":\"n\"}\n\n"),
            "");
  ASSERT_THAT(input_.jobs, SizeIs(1));
  EXPECT_EQ(input_.jobs[0].arrival, At(5) + base::Duration::Milliseconds(500));
  EXPECT_EQ(input_.jobs[0].run_time, base::Duration::Seconds(60));
  EXPECT_EQ(Cpu(0), "2");
}

TEST_F(JsonTraces, SayOnWhichLineSomethingIsWrong) {
  const auto with = [&](const std::string& line) {
    return Read("t.jsonl", "{\"arrival\":0,\"queue\":\"team/q\"}\n" + line + "\n");
  };
  EXPECT_THAT(with("{"), HasSubstr("t.jsonl:2: "));
  EXPECT_THAT(with("[]"), HasSubstr("t.jsonl:2: "));
  EXPECT_THAT(with(R"({"arrival":1,"queu":"team/q"})"), HasSubstr("queu"));
  EXPECT_THAT(with(R"({"queue":"team/q"})"), HasSubstr("arrival missing"));
  EXPECT_THAT(with(R"({"arrival":1})"), HasSubstr("queue missing"));
  EXPECT_THAT(with(R"({"arrival":[1],"queue":"team/q"})"), HasSubstr("is not a duration"));
  EXPECT_THAT(with(R"({"arrival":1,"queue":"team/q","requests":{"cpu":1e18}})"),
              HasSubstr("exceeds the maximum request"));
}

using SwfTraces = Trace;

// job submit wait run procs cpu mem req_procs req_time req_mem status user group exe queue …
constexpr std::string_view kSwfLine = "1 10 -1 60 4 -1 -1 8 120 2048 1 7 2 -1 3 1 -1 -1\n";

TEST_F(SwfTraces, MakeAPodOfEachProcessor) {
  EXPECT_EQ(Read("t.swf", "; Computer: x\n" + std::string(kSwfLine), "team/q"), "");
  ASSERT_THAT(input_.jobs, SizeIs(1));
  EXPECT_EQ(input_.jobs[0].arrival, At(10));
  EXPECT_EQ(input_.jobs[0].run_time, base::Duration::Seconds(60));
  const api::PodSet& pods = input_.kinds[0].workload.spec.pod_sets[0];
  EXPECT_EQ(pods.count, 8);
  EXPECT_EQ(pods.template_.spec.containers[0].resources.requests.Find("memory")->ToString(), "2Mi");
}

TEST_F(SwfTraces, FindQueuesByTheirNumbers) {
  world_.input().objects.push_back(
      std::move(testing::Objects(QueueYaml({.name = "queue-3", .cpu = 4}))[1]));
  EXPECT_EQ(Read("t.swf", kSwfLine, "team/queue-{queue}"), "");
  EXPECT_THAT(Read("t.swf", kSwfLine, "team/user-{user}"), HasSubstr("\"team/user-7\""));
}

TEST_F(SwfTraces, LeaveOutWhatWasCancelledBeforeItRan) {
  EXPECT_EQ(Read("t.swf", std::string(kSwfLine) + "2 11 5 0 -1 -1 -1 8 120 -1 5 7 2 -1 3 1 -1 -1\n",
                 "team/q"),
            "");
  EXPECT_THAT(input_.jobs, SizeIs(1));
}

TEST_F(SwfTraces, SayOnWhichLineSomethingIsWrong) {
  const auto with = [&](const std::string& line) {
    return Read("t.swf", std::string(kSwfLine) + line, "team/q");
  };
  EXPECT_THAT(with("1 2 3\n"), AllOf(HasSubstr("t.swf:2: "), HasSubstr("has 3 fields")));
  EXPECT_THAT(with("1 -10 -1 60 4 -1 -1 8 120 -1 1 7 2 -1 3 1 -1 -1\n"), HasSubstr("negative"));
  EXPECT_THAT(with("1 x -1 60 4 -1 -1 8 120 -1 1 7 2 -1 3 1 -1 -1\n"),
              HasSubstr("is not a number"));
  EXPECT_THAT(with("1 10 -1 60 -1 -1 -1 -1 120 -1 1 7 2 -1 3 1 -1 -1\n"),
              HasSubstr("neither requested nor allocated processors"));
  EXPECT_THAT(with("1 10 -1 60 4 -1 -1 8 120 1e18 1 7 2 -1 3 1 -1 -1\n"), HasSubstr("memory"));
}

TEST_F(Trace, OfAnotherKindIsRefused) {
  EXPECT_THAT(Read("t.txt", "x"), HasSubstr(".csv, .jsonl, .ndjson or .swf"));
}

}  // namespace
}  // namespace berth::simulate
