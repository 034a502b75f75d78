#include "api/kueue/local_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/testing/faults.h"

namespace berth::api {
namespace {

using ::testing::ElementsAre;
using testing::Faults;
using ::testing::IsEmpty;

constexpr std::string_view kInA = R"({"spec":{"clusterQueue":"a"}})";
constexpr std::string_view kInB = R"({"spec":{"clusterQueue":"b"}})";
constexpr std::string_view kNowhere = R"({"spec":{}})";

TEST(LocalQueueClusterQueue, CannotBeChanged) {
  EXPECT_THAT(Faults<LocalQueue>(kInA, kInA), IsEmpty());
  EXPECT_THAT(Faults<LocalQueue>(kInB, kInA), ElementsAre("spec.clusterQueue: FieldValueInvalid"));
}

TEST(LocalQueueClusterQueue, CanBeSetLater) {
  EXPECT_THAT(Faults<LocalQueue>(kNowhere), IsEmpty());
  EXPECT_THAT(Faults<LocalQueue>(kInA, kNowhere), IsEmpty());
}

TEST(LocalQueueClusterQueue, MustBeADnsSubdomain) {
  EXPECT_THAT(Faults<LocalQueue>(R"({"spec":{"clusterQueue":""}})"),
              ElementsAre("spec.clusterQueue: FieldValueInvalid"));
  EXPECT_THAT(Faults<LocalQueue>(R"({"spec":{"clusterQueue":"a_b"}})"),
              ElementsAre("spec.clusterQueue: FieldValueInvalid"));
}

TEST(LocalQueueStopPolicy, IsNoneUnlessGiven) {
  EXPECT_EQ(testing::Stored<LocalQueue>(kInA).spec.stop_policy, kStopPolicyNone);
  EXPECT_THAT(Faults<LocalQueue>(R"({"spec":{"stopPolicy":"Stop"}})"),
              ElementsAre("spec.stopPolicy: FieldValueNotSupported"));
}

}  // namespace
}  // namespace berth::api
