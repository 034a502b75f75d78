// Figures, comparisons, conditions and their output.

#include "simulate/report/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "simulate/condition.h"
#include "simulate/report/format.h"
#include "simulate/report/html.h"
#include "simulate/testing/small_world.h"

namespace berth::simulate {
namespace {

using ::testing::AllOf;
using testing::EditAt;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::QueueYaml;
using testing::SmallWorld;

// --- Numbers ------------------------------------------------------------------------------------

TEST(Lengths, AreReadableAtEverySize) {
  EXPECT_EQ(LengthText(0), "0ms");
  EXPECT_EQ(LengthText(0.45), "450ms");
  EXPECT_EQ(LengthText(12.34), "12.3s");
  EXPECT_EQ(LengthText(312), "5m12s");
  EXPECT_EQ(LengthText(3 * 3600 + 240), "3h04m");
  EXPECT_EQ(LengthText(53 * 3600), "2d05h");
  EXPECT_EQ(LengthText(-60), "-1m00s");
}

TEST(Amounts, KeepThreeDigits) {
  EXPECT_EQ(AmountText("cpu", 1.5), "1.5");
  EXPECT_EQ(AmountText("cpu", 1234.4), "1234");
  EXPECT_EQ(AmountText("memory", 64.0 * (1 << 30)), "64Gi");
}

TEST(Percentiles, AreValuesThatOccur) {
  const std::vector<double> values = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  EXPECT_EQ(Percentile(values, 0.5), 5);
  EXPECT_EQ(Percentile(values, 0.9), 9);
  EXPECT_EQ(Percentile(values, 0.99), 10);
  EXPECT_EQ(Percentile({}, 0.5), 0);
}

// --- One world ----------------------------------------------------------------------------------

// Four jobs of 4 cpu, one after the other on 4 cpu, and one in a queue of its own.
class Reports : public ::testing::Test {
 protected:
  Reports() {
    for (int i = 0; i < 4; ++i)
      world_.Add({.queue = "a", .at = 0, .cpu = 4, .seconds = 100, .label = "large"});
    world_.Add(
        {.queue = "b", .at = 0, .cpu = 1, .seconds = 50, .label = "small", .name = "team/s"});
    options_.cycle_time = base::Duration{};
    options_.keeps_samples = true;
    base_ = Play(world_.input(), options_);
    WorldOptions changed = options_;
    changed.edits.push_back(EditAt(0, QueueYaml({.name = "a", .cpu = 8})));
    changed_ = Play(world_.input(), changed);
  }

  Report Of(const Result& result) const {
    return {.input = &input(),
            .result = &result,
            .summary = Summarize(input(), result),
            .warnings = Inspect(input(), options_, result, {})};
  }
  const Input& input() const { return const_cast<SmallWorld&>(world_).input(); }

  SmallWorld world_{QueueYaml({.name = "a", .cpu = 4}) + QueueYaml({.name = "b", .cpu = 4})};
  WorldOptions options_;
  Result base_, changed_;
};

TEST_F(Reports, CountByQueueAndClass) {
  const Summary summary = Of(base_).summary;
  ASSERT_EQ(summary.cluster_queues.size(), 2u);
  EXPECT_EQ(summary.cluster_queues[0].wait.p50, 100);
  EXPECT_EQ(summary.cluster_queues[0].wait.max, 300);
  EXPECT_EQ(summary.cluster_queues[1].wait.max, 0);
  EXPECT_EQ(summary.classes[0].name, "large");
  EXPECT_EQ(summary.local_queues[0].name, "team/a");
  EXPECT_EQ(summary.all.finished, 5u);
  EXPECT_EQ(summary.seconds, 400);
}

TEST_F(Reports, KnowTheLeastTimeThatTheQuotaAllows) {
  // 4 jobs x 4 cpu x 100 s and 50 cpu seconds more, on 8 cpu.
  EXPECT_DOUBLE_EQ(Of(base_).summary.floor_seconds, 1650 / 8.0);
}

TEST_F(Reports, HaveTablesForPeople) {
  const std::string text = ToText(Of(base_));
  EXPECT_THAT(text, AllOf(HasSubstr("5 jobs in 6m40s of virtual time"), HasSubstr("CLUSTERQUEUE"),
                          HasSubstr("LOCALQUEUE"), HasSubstr("CLASS"), HasSubstr("utilisation")));
}

TEST_F(Reports, AreTheSameEveryTime) {
  const Result again = Play(world_.input(), options_);
  EXPECT_EQ(ToText(Of(base_)), ToText(Of(again)));
  EXPECT_EQ(ToJson(Of(base_)), ToJson(Of(again)));
  EXPECT_EQ(ToHtml(Of(base_)), ToHtml(Of(again)));
}

TEST_F(Reports, BecomeMetrics) {
  const std::string text = ToMetrics(Of(base_));
  EXPECT_THAT(text, HasSubstr("# TYPE berth_simulated_wait_seconds gauge\n"));
  EXPECT_THAT(text,
              HasSubstr("berth_simulated_wait_seconds{cluster_queue=\"a\",quantile=\"1\"} 300\n"));
}

TEST_F(Reports, BecomePagesWithPlotsThatNeedNoNetwork) {
  const std::string page = ToHtml(Of(base_));
  EXPECT_THAT(page, AllOf(HasSubstr("<svg"), HasSubstr("class=\"bar\""), HasSubstr("class=\"run\""),
                          HasSubstr(R"({"title":"cpu in flavor )"),
                          HasSubstr(R"("line":{"name":"nominal quota")")));
  EXPECT_THAT(page, ::testing::ContainsRegex(R"("times":\[[0-9.]+(,[0-9.]+)*,400\])"));
  EXPECT_THAT(page, AllOf(Not(HasSubstr(" src=")), Not(HasSubstr("href=\"http")),
                          Not(HasSubstr("url(")), Not(HasSubstr("@import"))));
}

TEST_F(Reports, EscapeNamesInPages) {
  world_.Add({.queue = "b", .at = 1, .cpu = 4, .name = "team/<b>&"});
  const Result result = Play(world_.input(), options_);
  EXPECT_THAT(ToHtml(Of(result)), AllOf(HasSubstr("team/&lt;b&gt;&amp;"), Not(HasSubstr("<b>"))));
}

// --- Two worlds ---------------------------------------------------------------------------------

TEST_F(Reports, SayWhatAChangeDoes) {
  const Report base = Of(base_), changed = Of(changed_);
  const Comparison comparison = Compare(base_, base.summary, changed_, changed.summary);
  EXPECT_EQ(comparison.earlier, 3u);
  EXPECT_EQ(comparison.later, 0u);
  ASSERT_EQ(comparison.most_earlier.size(), 3u);
  EXPECT_EQ(comparison.most_earlier[0].seconds, -200);  // from 300 s to 100 s
  EXPECT_THAT(ToText(comparison, base, changed),
              AllOf(HasSubstr("6m40s → 3m20s"), HasSubstr("3 jobs start earlier")));
  EXPECT_THAT(ToHtml(comparison, base, changed),
              AllOf(HasSubstr("Before the change"), HasSubstr("With the change")));
  EXPECT_THAT(ToJson(comparison, base, changed), HasSubstr("\"earlier\":{\"jobs\":3"));
}

// --- Conditions ---------------------------------------------------------------------------------

class Conditions : public Reports {
 protected:
  // "yes", "no" or the error.
  std::string Judge(std::string_view text, bool has_base = true) {
    const base::Result<Condition> condition = Condition::Parse(text);
    if (!condition) return condition.error().message;
    const Report base = Of(base_), changed = Of(changed_);
    const auto verdict =
        has_base ? condition->Evaluate(changed, &base) : condition->Evaluate(base, nullptr);
    if (!verdict) return verdict.error().message;
    return verdict->holds ? "yes" : "no";
  }
};

TEST_F(Conditions, CompareFigures) {
  EXPECT_EQ(Judge("max(wait, queue=a) == 300", false), "yes");
  EXPECT_EQ(Judge("max(wait, queue=a) > 5m", false), "no");
  EXPECT_EQ(Judge("p50(wait, queue=team/a) >= 1m40s", false), "yes");
  EXPECT_EQ(Judge("p75(wait,class=large)<=200s", false), "yes");
  EXPECT_EQ(Judge("mean(wait, class=large) != 150", false), "no");
  EXPECT_EQ(Judge("utilisation(queue=a, resource=cpu) > 99%", false), "yes");
  EXPECT_EQ(Judge("utilisation(queue=b) < 5 * 10% - (2 + 1) / 100", false), "yes");
  EXPECT_EQ(Judge("finished() + unstarted() == jobs()", false), "yes");
  EXPECT_EQ(Judge("makespan() > 6m", false), "yes");
  EXPECT_EQ(Judge("preemptions(queue=a) > 0", false), "no");
  EXPECT_EQ(Judge("loops() + starved() + infeasible() > 0", false), "no");
  EXPECT_EQ(Judge("throughput() == 45", false), "yes");
}

TEST_F(Conditions, KnowTheWorldBeforeTheChange) {
  EXPECT_EQ(Judge("max(wait, queue=a) < 0.5 * base"), "yes");
  EXPECT_EQ(Judge("1.2 * base < max(wait, queue=a)"), "no");
  EXPECT_EQ(Judge("p90(wait, queue=b) > base"), "no");
  EXPECT_THAT(Judge("makespan() > base", false), HasSubstr("nothing is changed"));
}

TEST_F(Conditions, SayWhatIsWrongWithThem) {
  EXPECT_THAT(Judge("p90(wait, queue=c) > 1"), HasSubstr("no ClusterQueue \"c\""));
  EXPECT_THAT(Judge("p90(wait, class=c) > 1"), HasSubstr("no class \"c\""));
  EXPECT_THAT(Judge("p90(wait, queue=x/c) > 1"), HasSubstr("no LocalQueue with jobs \"x/c\""));
  EXPECT_THAT(Judge("utilisation(resource=gpu) > 1"), HasSubstr("no ClusterQueue has quota"));
  EXPECT_THAT(Judge("p90(queue=a) > 1"), HasSubstr("needs a selector"));
  EXPECT_THAT(Judge("p900(wait) > 1"), HasSubstr("no figure \"p900\""));
  EXPECT_THAT(Judge("makespan(queue=a) > 1"), HasSubstr("has no \"queue\""));
  EXPECT_THAT(Judge("preemptions(queue=) > 1"), HasSubstr("is empty"));
  EXPECT_THAT(Judge("base > base"), HasSubstr("both sides"));
  for (const char* text : {"", "1", "1 >", "> 1", "1 > 2 > 3", "(1 > 2", "p90(wait > 1", "wait > 1",
                           "1 > 2x", "p90(wait,) > 1", "1 ~ 2", "((1) > 1"})
    EXPECT_THAT(Judge(text), HasSubstr("--fail-if: ")) << text;
  EXPECT_THAT(Judge(std::string(1000, '(')), HasSubstr("too many parentheses"));
}

}  // namespace
}  // namespace berth::simulate
