#include "ctl/deletion.h"

#include <gtest/gtest.h>

namespace berth::ctl {
namespace {

WorkloadDeletion::Target Job(const std::string& name) {
  return {.resource = FindKnownKind("job")->resource, .name = {.namespace_ = "ns", .name = name}};
}

TEST(Deletion, AsksBeforeJobsAreDeleted) {
  const std::vector<WorkloadDeletion> deletions{{.workload = {"ns", "wl1"}, .jobs = {Job("j1")}},
                                                {.workload = {"ns", "wl2"}, .jobs = {}}};
  EXPECT_EQ(ConfirmationOf(deletions),
            "This operation will also delete:\n"
            "  - jobs.batch/j1 associated with the ns/wl1 workload\n"
            "Do you want to proceed (y/n)? ");
}

TEST(Deletion, AsksNothingWithoutJobs) {
  const std::vector<WorkloadDeletion> deletions{{.workload = {"ns", "wl2"}, .jobs = {}}};
  EXPECT_EQ(ConfirmationOf(deletions), "");
}

TEST(Deletion, SaysWhatADryRunWouldDelete) {
  EXPECT_EQ(DeletedLine("jobs.batch/j1", DryRun::kNone), "jobs.batch/j1 deleted\n");
  EXPECT_EQ(DeletedLine("jobs.batch/j1", DryRun::kServer),
            "jobs.batch/j1 deleted (server dry run)\n");
}

}  // namespace
}  // namespace berth::ctl
