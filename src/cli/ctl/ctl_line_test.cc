#include "cli/ctl/ctl_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

CtlLine Split(std::vector<const char*> arguments) {
  return SplitCtlLine(arguments, {"-n", "--namespace", "-o"},
                      [](std::string_view verb) { return verb == "list"; });
}

TEST(CtlLine, FindsTheCommandBetweenFlags) {
  const CtlLine line = Split({"-n", "list", "list", "-o", "wide", "workload", "-A", "x"});
  EXPECT_EQ(line.verb, "list");
  EXPECT_EQ(line.noun, "workload");
  EXPECT_THAT(line.rest, ElementsAre("-n", "list", "-o", "wide", "-A", "x"));
}

TEST(CtlLine, SplitsShortFlagsAtTheirEqualsSign) {
  EXPECT_THAT(Split({"list", "-n=a", "--namespace=b", "-A=true"}).rest,
              ElementsAre("-n", "a", "--namespace=b", "-A=true"));
}

TEST(CtlLine, TakesTheWordAfterAVerbAloneForAnArgument) {
  const CtlLine line = Split({"explain", "list"});
  EXPECT_EQ(line.verb, "explain");
  EXPECT_EQ(line.noun, "");
  EXPECT_THAT(line.rest, ElementsAre("list"));
  EXPECT_THAT(Split({}).verb, IsEmpty());
}

}  // namespace
}  // namespace berth::cli
