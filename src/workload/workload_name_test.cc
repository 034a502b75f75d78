#include "workload/workload_name.h"

#include <gtest/gtest.h>

#include <string>

#include "base/sha1.h"

namespace berth::workload {
namespace {

const Owner kJob{.group = "batch", .kind = "Job", .name = "sample", .uid = "u1"};

TEST(WorkloadName, IsKindNameAndDigitsOfTheOwner) {
  const std::string digits = base::Sha1Hex("Job\nbatch\nsample\nu1").substr(0, 5);
  EXPECT_EQ(WorkloadName(kJob, kMaxWorkloadName), "job-sample-" + digits);
}

TEST(WorkloadName, HasOtherDigitsForAnotherGeneration) {
  const std::string digits = base::Sha1Hex("Job\nbatch\nsample\nu1\n2").substr(0, 5);
  EXPECT_EQ(WorkloadName(kJob, kMaxWorkloadName, "2"), "job-sample-" + digits);
}

TEST(WorkloadName, IsCutBeforeTheDigits) {
  const std::string long_name(300, 'n');
  const Owner owner{.group = "batch", .kind = "Job", .name = long_name, .uid = "u1"};
  const std::string digits = base::Sha1Hex("Job\nbatch\n" + long_name + "\nu1").substr(0, 5);
  EXPECT_EQ(WorkloadName(owner, kMaxWorkloadName),
            "job-" + std::string(253 - 6 - 4, 'n') + "-" + digits);
  EXPECT_EQ(WorkloadName(owner, kMaxShortWorkloadName),
            "job-" + std::string(63 - 6 - 4, 'n') + "-" + digits);
}

TEST(VariantName, ReplacesTheDigitsOfTheParent) {
  const std::string digits = base::Sha1Hex("Job\nbatch\njob-sample-abcde\nu1\nspot").substr(0, 5);
  EXPECT_EQ(VariantWorkloadName("job-sample-abcde", kJob, "spot", kMaxWorkloadName),
            "job-sample-variant-spot-" + digits);
}

TEST(VariantName, OfAParentWithoutDigitsKeepsAllOfIt) {
  EXPECT_TRUE(VariantWorkloadName("sample", kJob, "spot", kMaxWorkloadName)
                  .starts_with("sample-variant-spot-"));
}

TEST(LeaderWorkerSetName, IsThatOfTheGroup) {
  EXPECT_EQ(LeaderWorkerSetWorkloadName("serve", "u1", "3", kMaxWorkloadName),
            WorkloadName({.group = "leaderworkerset.x-k8s.io",
                          .kind = "LeaderWorkerSet",
                          .name = "serve-3",
                          .uid = "u1"},
                         kMaxWorkloadName));
}

}  // namespace
}  // namespace berth::workload
