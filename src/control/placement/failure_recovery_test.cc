#include "control/placement/failure_recovery.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/core/pod.h"
#include "control/testing/manual_store.h"

namespace berth::control {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// The pod p of node n1, which was deleted at the start of the test.
store::Object StuckPodAt(int version, const std::string& status = R"("phase": "Running")") {
  return *store::Object::FromJson(
      R"({"metadata": {"name": "p", "namespace": "team", "uid": "u", "resourceVersion": ")" +
      std::to_string(version) + R"(",
          "annotations": {"kueue.x-k8s.io/safe-to-forcefully-delete": "true"},
          "deletionTimestamp": "2030-01-01T00:00:00Z", "deletionGracePeriodSeconds": 30},
          "spec": {"nodeName": "n1"}, "status": {)" +
      status + "}}");
}

class FailureRecoveryTest : public ::testing::Test {
 protected:
  void SeePod(int version) {
    const store::Object pod = StuckPodAt(version);
    recovery_.OnPodChange({.after = &pod});
  }
  void Taint(const std::string& taints) {
    const auto node = store::Object::FromJson(
        R"({"metadata": {"name": "n1"}, "spec": {"taints": [)" + taints + "]}}");
    recovery_.OnNodeChange({.after = &*node});
  }
  void PlanAfter(int64_t seconds) {
    executor_.Advance(base::Duration::Seconds(seconds));
    recovery_.Plan(executor_.Now());
  }

  testing::ManualStore store_;
  testing::ManualExecutor executor_;
  EventRecorder events_{store_, executor_, "one"};
  int enqueued_ = 0;
  FailureRecovery recovery_{
      store_,
      executor_,
      events_,
      {.on_enqueued = [this] { ++enqueued_; }, .log = [](std::string_view) {}}};
};

constexpr std::string_view kUnreachable =
    R"({"key": "node.kubernetes.io/unreachable", "effect": "NoExecute"})";

TEST_F(FailureRecoveryTest, FailsAndDeletesAPodAMinuteAfterItsDeletion) {
  Taint(std::string(kUnreachable));
  SeePod(1);
  PlanAfter(0);
  EXPECT_TRUE(store_.calls.empty());
  PlanAfter(60);
  ASSERT_EQ(store_.calls.size(), 1u);
  EXPECT_THAT(std::get<store::Patch>(store_.calls[0]).body,
              AllOf(HasSubstr(R"("phase":"Failed")"), HasSubstr(R"("type":"KueueFailureRecovery")"),
                    HasSubstr(R"("resourceVersion":"1")")));
  store_.Answer(store::Reply{.object = StuckPodAt(2, R"("phase": "Failed", "conditions":
      [{"type": "KueueFailureRecovery", "status": "True"}])")});
  ASSERT_EQ(store_.calls.size(), 2u);
  EXPECT_EQ(std::get<store::Delete>(store_.calls[1]).options.grace_period_seconds, 0);
  store_.Answer(store::Reply{.was_removed = true});
  ASSERT_EQ(store_.calls.size(), 3u);
  EXPECT_THAT(std::get<store::Create>(store_.calls[2]).object,
              AllOf(HasSubstr(R"("reason":"KueueForcefullyDeleted")"),
                    HasSubstr(R"("action":"ForcefulTermination")"), HasSubstr("Warning")));
}

TEST_F(FailureRecoveryTest, DeletesAPodOnceThoughTheWatchLags) {
  Taint(std::string(kUnreachable));
  SeePod(1);
  PlanAfter(60);
  store_.Answer(store::Reply{.object = StuckPodAt(2)});
  store_.Answer(store::Reply{.was_removed = true});
  const size_t calls = store_.calls.size();
  SeePod(3);
  PlanAfter(0);
  EXPECT_EQ(store_.calls.size(), calls);
}

TEST_F(FailureRecoveryTest, RecordsNoEventOfAPodThatIsGoneAlready) {
  Taint(std::string(kUnreachable));
  SeePod(1);
  PlanAfter(60);
  store_.Answer(store::Reply{.object = StuckPodAt(2)});
  store_.Answer(std::unexpected(store::NotFound(store::ResourceOf<api::Pod>(), "p")));
  EXPECT_EQ(store_.calls.size(), 2u);
}

TEST_F(FailureRecoveryTest, WaitsForTheNodeToBecomeUnreachable) {
  SeePod(1);
  PlanAfter(3600);
  EXPECT_TRUE(store_.calls.empty());
  Taint(std::string(kUnreachable));
  PlanAfter(0);
  EXPECT_EQ(store_.calls.size(), 1u);
}

TEST_F(FailureRecoveryTest, LeavesThePodsOfANodeThatIsBack) {
  Taint(std::string(kUnreachable));
  SeePod(1);
  PlanAfter(0);
  Taint("");
  PlanAfter(60);
  EXPECT_TRUE(store_.calls.empty());
}

}  // namespace
}  // namespace berth::control
