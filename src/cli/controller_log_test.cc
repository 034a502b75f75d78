#include "cli/controller_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::cli {
namespace {

TEST(LogLevels, MatchKueue) {
  EXPECT_EQ(ParseLogLevel("panic"), LogLevel::kPanic);
  EXPECT_EQ(ParseLogLevel("error"), LogLevel::kError);
  for (const char* all : {"info", "debug", "0", "5"})
    EXPECT_EQ(ParseLogLevel(all), LogLevel::kInfo);
  for (const char* none : {"", "loud", "-1", "2x"}) EXPECT_EQ(ParseLogLevel(none), std::nullopt);
}

TEST(LogLines, AreTextOrJson) {
  const base::Time time = *base::ParseTime("2026-01-02T03:04:05.000006Z");
  EXPECT_EQ(LogLine(LogLevel::kError, "it broke", time, false),
            "2026-01-02T03:04:05.000006Z it broke");
  EXPECT_EQ(LogLine(LogLevel::kError, "it \"broke\"\n", time, true),
            R"({"level":"error","ts":"2026-01-02T03:04:05.000006Z","logger":"berth",)"
            R"("msg":"it \"broke\"\n"})");
  EXPECT_THAT(LogLine(LogLevel::kInfo, "well", time, true), ::testing::HasSubstr(R"("info")"));
}

}  // namespace
}  // namespace berth::cli
