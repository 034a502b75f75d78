#include "workload/state/object_handlers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "api/kueue/cohort.h"
#include "api/kueue/topology.h"

namespace berth::workload {
namespace {

using ::testing::ElementsAre;

api::Object CohortNamed(std::string_view name) {
  api::Object object(api::Cohort::KindInfo());
  object.As<api::Cohort>()->metadata.name = name;
  return object;
}

class ObjectHandlersTest : public ::testing::Test {
 protected:
  void AddCohortHandler(const std::string& who) {
    handlers_.Add<api::Cohort>(
        {.on_upsert =
             [this, who](const api::Cohort& cohort, const api::Cohort* before) {
               calls_.push_back(who + ": " + (before == nullptr ? "" : before->metadata.name) +
                                " -> " + cohort.metadata.name);
             },
         .on_delete =
             [this, who](std::string_view, std::string_view name) {
               calls_.push_back(who + ": no " + std::string(name));
             }});
  }

  ObjectHandlers handlers_;
  std::vector<std::string> calls_;
};

TEST_F(ObjectHandlersTest, RunInTheOrderOfRegistration) {
  AddCohortHandler("first");
  AddCohortHandler("second");
  handlers_.OnUpsert(CohortNamed("research"));
  handlers_.OnDelete(api::Cohort::KindInfo(), "", "research");
  EXPECT_THAT(calls_, ElementsAre("first:  -> research", "second:  -> research",
                                  "first: no research", "second: no research"));
}

TEST_F(ObjectHandlersTest, ReceiveThePreviousState) {
  AddCohortHandler("one");
  const api::Object before = CohortNamed("old");
  handlers_.OnUpsert(CohortNamed("new"), &before);
  EXPECT_THAT(calls_, ElementsAre("one: old -> new"));
}

TEST_F(ObjectHandlersTest, IgnoreKindsWithoutHandlers) {
  AddCohortHandler("one");
  handlers_.OnUpsert(api::Object(api::Topology::KindInfo()));
  handlers_.OnDelete(api::Topology::KindInfo(), "", "rack");
  EXPECT_THAT(calls_, ElementsAre());
  EXPECT_THAT(handlers_.Kinds(), ElementsAre(&api::Cohort::KindInfo()));
}

}  // namespace
}  // namespace berth::workload
