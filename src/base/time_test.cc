#include "base/time.h"

#include <limits>
#include <string>

#include "gtest/gtest.h"

namespace berth::base {
namespace {

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
constexpr int64_t kMin = std::numeric_limits<int64_t>::min();

Time T(std::string_view text) {
  const auto time = ParseTime(text);
  EXPECT_TRUE(time.has_value()) << text;
  return time.value_or(Time());
}

Duration D(std::string_view text) {
  const auto duration = ParseDuration(text);
  EXPECT_TRUE(duration.has_value()) << text;
  return duration.value_or(Duration());
}

TEST(TimeParse, ReadsRfc3339WithAnyOffset) {
  EXPECT_EQ(T("1970-01-01T00:00:00Z"), Time{});
  EXPECT_EQ(T("2026-03-01T12:30:45Z"), Time::FromSeconds(1772368245));
  EXPECT_EQ(T("2026-03-01T14:30:45+02:00"), T("2026-03-01T12:30:45Z"));
  EXPECT_EQ(T("2026-02-28T23:15:00-00:45"), T("2026-03-01T00:00:00Z"));
  EXPECT_EQ(T("1969-12-31T23:59:59Z"), Time::FromSeconds(-1));
  EXPECT_EQ(T("0001-01-01T00:00:00Z"), kZeroTime);
}

TEST(TimeParse, KeepsMicrosecondsAndCutsTheRest) {
  EXPECT_EQ(T("1970-01-01T00:00:01.5Z").micros, 1'500'000);
  EXPECT_EQ(T("1970-01-01T00:00:01.123456999Z").micros, 1'123'456);
  EXPECT_EQ(T("1969-12-31T23:59:59.25Z").micros, -750'000);
}

TEST(TimeParse, ValidatesTheCalendar) {
  EXPECT_TRUE(ParseTime("2024-02-29T00:00:00Z"));
  EXPECT_TRUE(ParseTime("2000-02-29T00:00:00Z"));
  for (const char* text : {"2023-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2024-04-31T00:00:00Z",
                           "2024-00-01T00:00:00Z", "2024-13-01T00:00:00Z", "2024-01-00T00:00:00Z",
                           "2024-01-01T24:00:00Z", "2024-01-01T00:60:00Z", "2024-01-01T00:00:60Z"})
    EXPECT_FALSE(ParseTime(text)) << text;
}

TEST(TimeParse, IsAsLenientAsGo) {
  EXPECT_EQ(T("2024-01-01T1:00:00Z"), T("2024-01-01T01:00:00Z"));
  EXPECT_EQ(T("2024-01-01T01:00:00,5Z"), T("2024-01-01T01:00:00.5Z"));
  EXPECT_EQ(T("2024-01-02T01:00:00+24:00"), T("2024-01-01T01:00:00Z"));
  EXPECT_EQ(T("2024-01-01T03:00:00+01:60"), T("2024-01-01T01:00:00Z"));
}

TEST(TimeParse, RejectsOtherForms) {
  for (const char* text : {"20x6-01-02T15:04:05Z", "2026-x1-02T15:04:05Z", "2026-01-02T1x:04:05Z",
                           "2026-01-02T15:04:0xZ", "", "2024-01-01", "2024-01-01T00:00:00",
                           "2024-01-01 00:00:00Z", "2024-01-01t00:00:00z", "2024-01-01T00:00:00.Z",
                           "2024-01-01T00:00:00Z ", "2024-01-01T00:00:00+25:00",
                           "2024-01-01T00:00:00+0100", "24-01-01T00:00:00Z", "2024-1-01T00:00:00Z"})
    EXPECT_FALSE(ParseTime(text)) << text;
}

TEST(TimeFormat, WritesWholeSecondsOrMicroseconds) {
  EXPECT_EQ(FormatTime(T("2026-03-01T12:30:45.999999Z")), "2026-03-01T12:30:45Z");
  EXPECT_EQ(FormatMicroTime(T("2026-03-01T12:30:45.02Z")), "2026-03-01T12:30:45.020000Z");
  EXPECT_EQ(FormatTime(kZeroTime), "0001-01-01T00:00:00Z");
  EXPECT_EQ(FormatTime(Time{-1}), "1969-12-31T23:59:59Z");
  EXPECT_EQ(FormatMicroTime(Time{-1}), "1969-12-31T23:59:59.999999Z");
}

TEST(TimeFormat, HasAsManyDigitsAsTheYearNeeds) {
  EXPECT_EQ(FormatTime(kZeroTime), "0001-01-01T00:00:00Z");
  EXPECT_EQ(FormatTime(Time::FromSeconds(253402300800)), "10000-01-01T00:00:00Z");
  using Limits = std::numeric_limits<int64_t>;
  EXPECT_EQ(FormatMicroTime(Time{Limits::min()}), "-290308-12-21T19:59:05.224192Z");
  EXPECT_EQ(FormatMicroTime(Time{Limits::max()}), "294247-01-10T04:00:54.775807Z");
}

TEST(TimeFormat, ReadsBackEveryDayOfFourCenturies) {
  for (int64_t day = -150'000; day < 150'000; day += 7) {
    const Time time = Time::FromSeconds(day * 86400 + 12345);
    ASSERT_EQ(ParseTime(FormatTime(time)), time) << FormatTime(time);
  }
}

TEST(TimeArithmetic, MovesByDurations) {
  const Time start = T("2026-03-01T00:00:00Z");
  EXPECT_EQ(start + D("36h"), T("2026-03-02T12:00:00Z"));
  EXPECT_EQ(start - D("1ms"), T("2026-02-28T23:59:59.999Z"));
  EXPECT_EQ(T("2026-03-02T12:00:00Z") - start, D("36h"));
  EXPECT_LT(kZeroTime, start);
}

TEST(TimeArithmetic, DifferencesBeyondADurationSaturate) {
  const Time now = T("2026-03-01T00:00:00Z");
  EXPECT_EQ((now - kZeroTime).nanos, kMax);
  EXPECT_EQ((kZeroTime - now).nanos, kMin);
  EXPECT_EQ((Time{kMax} - Time{kMin}).nanos, kMax);
}

TEST(DurationParse, SumsTerms) {
  EXPECT_EQ(D("1h30m").nanos, 5'400'000'000'000);
  EXPECT_EQ(D("1.5s"), Duration::Milliseconds(1500));
  EXPECT_EQ(D("-2us").nanos, -2000);
  EXPECT_EQ(D("+3\u00b5s4\u03bcs5ns").nanos, 7005);
  EXPECT_EQ(D(".5m"), Duration::Seconds(30));
  EXPECT_EQ(D("1.m"), Duration::Seconds(60));
  EXPECT_EQ(D("0"), Duration());
  EXPECT_EQ(D("-0"), Duration());
}

TEST(DurationParse, CutsFractionsWhereGoDoes) {
  EXPECT_EQ(D("0.3ns").nanos, 0);
  EXPECT_EQ(D("1.9999ns").nanos, 1);
  EXPECT_EQ(D("0.3333333333333333333h"), D("20m"));
  EXPECT_EQ(D("00.9999999999999999999999999s"), D("1s"));
}

TEST(DurationParse, ReachesTheLimitsOfInt64) {
  EXPECT_EQ(D("9223372036854775807ns").nanos, kMax);
  EXPECT_EQ(D("-9223372036854775808ns").nanos, kMin);
  EXPECT_FALSE(ParseDuration("9223372036854775808ns"));
  EXPECT_FALSE(ParseDuration("-9223372036854775809ns"));
  EXPECT_FALSE(ParseDuration("2562048h"));
  EXPECT_FALSE(ParseDuration(std::string(100, '9') + "h"));
}

TEST(DurationParse, RejectsTermsWithoutNumberOrUnit) {
  for (const char* text : {"", "-", "1", "s", ".s", "1d", "1h ", "1h 2m", "1e3s", "--1s", "1S"})
    EXPECT_FALSE(ParseDuration(text)) << text;
}

TEST(DurationFormat, PicksTheUnitByMagnitude) {
  EXPECT_EQ(FormatDuration(Duration()), "0s");
  EXPECT_EQ(FormatDuration(D("999ns")), "999ns");
  EXPECT_EQ(FormatDuration(D("1500ns")), "1.5\u00b5s");
  EXPECT_EQ(FormatDuration(D("-2.25ms")), "-2.25ms");
  EXPECT_EQ(FormatDuration(D("61s")), "1m1s");
  EXPECT_EQ(FormatDuration(D("90m")), "1h30m0s");
  EXPECT_EQ(FormatDuration(Duration{kMax}), "2562047h47m16.854775807s");
  EXPECT_EQ(FormatDuration(Duration{kMin}), "-2562047h47m16.854775808s");
}

}  // namespace
}  // namespace berth::base
