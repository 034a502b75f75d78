#include "control/reconcile/slices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/kueue/well_known.h"
#include "control/reconcile/elastic_pods.h"
#include "workload/status_changes.h"

namespace berth::control {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr base::Time kNow = base::Time::FromSeconds(1'000'000);

// The n-th slice of a job.
api::Workload Slice(int n, std::string_view replaces = "") {
  api::Workload slice;
  slice.metadata.namespace_ = "team";
  slice.metadata.name = "slice-" + std::to_string(n);
  slice.metadata.uid = slice.metadata.name;
  slice.metadata.creation_timestamp = kNow + base::Duration::Seconds(n);
  if (!replaces.empty())
    slice.metadata.annotations.Set(api::kWorkloadSliceReplacementForAnnotation,
                                   "team/" + std::string(replaces));
  slice.spec.pod_sets.push_back({.name = "main", .count = n});
  return slice;
}

api::Workload Reserved(api::Workload slice) {
  workload::SetCondition(slice, api::condition::kQuotaReserved, true, "QuotaReserved", "", kNow);
  return slice;
}

std::vector<jobs::JobPodSet> PodSets(int count, std::string_view name = "main") {
  return {{.pod_set = {.name = std::string(name), .count = count}}};
}

std::vector<std::string> Ended(const SliceChoice& choice) {
  std::vector<std::string> ended;
  for (const SliceChoice::Ended& end : choice.ended)
    ended.push_back(end.slice->metadata.name + ": " + std::string(end.reason));
  return ended;
}

TEST(Slices, ASliceThatWaitsToTakeOverSpeaksForTheJob) {
  const api::Workload first = Reserved(Slice(1));
  const api::Workload second = Slice(2, "slice-1");
  const SliceChoice choice = ChooseSlices({&second, &first});
  EXPECT_EQ(choice.current, &second);
  EXPECT_EQ(choice.holder, &first);
  EXPECT_THAT(Ended(choice), IsEmpty());
}

TEST(Slices, OfTwoWithQuotaTheOneThatWasReplacedEnds) {
  const api::Workload first = Reserved(Slice(1));
  const api::Workload second = Reserved(Slice(2, "slice-1"));
  const SliceChoice choice = ChooseSlices({&first, &second});
  EXPECT_EQ(choice.holder, &second);
  EXPECT_EQ(choice.current, &second);
  EXPECT_THAT(Ended(choice), ElementsAre("slice-1: WorkloadSliceReplaced"));
}

api::Workload Evicted(api::Workload slice) {
  workload::SetCondition(slice, api::condition::kEvicted, true, "Preempted", "", kNow);
  return slice;
}

TEST(Slices, AnEvictedSliceStopsItsJobAndIsReplacedOnceItsQuotaIsFree) {
  const api::Workload evicted = Evicted(Reserved(Slice(1)));
  const api::Workload second = Slice(2, "slice-1");
  const SliceChoice before = ChooseSlices({&evicted, &second});
  EXPECT_EQ(before.current, &evicted);
  EXPECT_THAT(Ended(before), IsEmpty());
  const api::Workload stopped = Evicted(Slice(1));
  const SliceChoice after = ChooseSlices({&stopped, &second});
  EXPECT_EQ(after.current, &second);
  EXPECT_THAT(Ended(after), ElementsAre("slice-1: WorkloadSliceReplaced"));
}

TEST(Slices, OfTheSameSecondTheOneThatReplacesTheOtherStays) {
  const api::Workload first = Slice(1);
  api::Workload second = Slice(2, "slice-1");
  second.metadata.creation_timestamp = first.metadata.creation_timestamp;
  second.metadata.uid = "a";  // sorts first
  EXPECT_EQ(ChooseSlices({&first, &second}).current, &second);
}

TEST(Slices, NoneWaitsBehindASliceThatIsDeactivated) {
  api::Workload first = Evicted(Reserved(Slice(1)));
  first.spec.active = false;
  const api::Workload second = Slice(2, "slice-1");
  const SliceChoice choice = ChooseSlices({&first, &second});
  EXPECT_EQ(choice.current, &first);
  EXPECT_THAT(Ended(choice), ElementsAre("slice-2: OutOfSync"));
}

TEST(Slices, OfThoseThatWaitTheYoungestStays) {
  const api::Workload first = Slice(1);
  const api::Workload second = Slice(2, "slice-1");
  const SliceChoice choice = ChooseSlices({&first, &second});
  EXPECT_EQ(choice.current, &second);
  EXPECT_EQ(choice.holder, nullptr);
  EXPECT_THAT(Ended(choice), ElementsAre("slice-1: WorkloadSliceReplaced"));
}

TEST(Slices, OnlyAJobThatGrowsBeyondItsQuotaNeedsAnother) {
  EXPECT_EQ(FitOf(Slice(2), PodSets(2)), SliceFit::kSame);
  EXPECT_EQ(FitOf(Slice(2), PodSets(3)), SliceFit::kResize);
  EXPECT_EQ(FitOf(Reserved(Slice(2)), PodSets(1)), SliceFit::kResize);
  EXPECT_EQ(FitOf(Reserved(Slice(2)), PodSets(3)), SliceFit::kReplace);
  EXPECT_EQ(FitOf(Reserved(Slice(2)), PodSets(2, "other")), SliceFit::kForeign);
}

TEST(ElasticPodsTest, NoMorePodsGoThanTheSliceHasQuotaFor) {
  const std::vector<ElasticPod> pods = {{.name = "c", .pod_set = "main", .is_gated = true},
                                        {.name = "b", .pod_set = "main", .is_gated = true},
                                        {.name = "a", .pod_set = "main", .is_gated = false},
                                        {.name = "d", .pod_set = "other", .is_gated = true}};
  EXPECT_THAT(PodsToUngate(pods, Slice(1)), IsEmpty());
  EXPECT_THAT(PodsToUngate(pods, Slice(2)), ElementsAre("b"));
  EXPECT_THAT(PodsToUngate(pods, Slice(9)), ElementsAre("b", "c"));
}

}  // namespace
}  // namespace berth::control
