#include "control/placement/node_reports.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::control {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const NodeReports::List kNone;
const NodeReports::List kNode1{{.name = "n1", .extra = {}}};

TEST(NodeReports, RememberANodeThatTheSchedulerTookOffTheList) {
  NodeReports reports;
  reports.OnListed(kNode1);
  reports.OnListed(kNone);
  EXPECT_THAT(reports.reported(), ElementsAre("n1"));
  reports.OnPlan({"n1"}, kNone, kNone);
  EXPECT_THAT(reports.reported(), ElementsAre("n1"));
}

TEST(NodeReports, ForgetANodeThatHasRecovered) {
  NodeReports reports;
  reports.OnListed(kNode1);
  reports.OnListed(kNone);
  reports.OnPlan({}, kNone, kNone);
  EXPECT_THAT(reports.reported(), IsEmpty());
}

TEST(NodeReports, DoNotTakeAListForANewFailureWhileARecoveryIsBeingWritten) {
  NodeReports reports;
  reports.OnListed(kNode1);
  reports.OnPlan({}, kNode1, kNone);
  reports.OnListed(kNode1);
  EXPECT_THAT(reports.reported(), IsEmpty()) << "as before the write";
  reports.OnListed(kNone);
  reports.OnListed(kNode1);
  EXPECT_THAT(reports.reported(), ElementsAre("n1")) << "listed again";
}

}  // namespace
}  // namespace berth::control
