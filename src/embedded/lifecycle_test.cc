// Replays recordings of Kueue against the embedded cluster.

#include "embedded/testing/lifecycle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>

#include "api/testing/shared_data.h"

namespace berth::embedded {
namespace {

// Folders with the recordings of what Berth has; "" is the folder of all others.
constexpr std::string_view kFolders[] = {"", "pods-and-kinds/", "elastic/", "topology/",
                                         "failure-recovery/"};
// Needs a controller of ProvisioningRequests. topology_test.cc plays its check.
constexpr std::string_view kMissing = "topology/47-tas-provisioning";

std::vector<std::string> Recordings() {
  std::vector<std::string> names;
  std::error_code error;
  for (const std::string_view folder : kFolders)
    for (const auto& entry : std::filesystem::directory_iterator(
             api::testing::SharedPath("lifecycles/" + std::string(folder)), error))
      if (entry.path().extension() == ".json")
        names.push_back(std::string(folder) + entry.path().stem().string());
  std::erase(names, kMissing);
  std::ranges::sort(names);
  return names;
}

// Accepted differences from a recording. docs/differences.md documents them for users.
struct KnownDifference {
  std::string_view recording;
  std::string_view pattern;  // matches the whole line
  std::string_view why;
};
constexpr KnownDifference kKnownDifferences[] = {
    {"08-pods-ready", R"(step 1, .*\.pendingWorkloads: .*)",
     "a workload in back-off is pending, too"},
    {"14-manage-all", R"(.*(Job ns2/n2: |ns2/job-n2-|about Job n2 |about Workload job-n2-).*)",
     "a job with a queue name is managed in every namespace"},
    {"14-manage-all",
     R"(.*(ClusterQueue cq|LocalQueue ns2/lq): \.status\.(admitted|reserving|flavors).*)",
     "so that job counts"},
    {"14-manage-all",
     R"(.*(Job ns1/child2: \.(metadata\.generation|spec\.suspend)|about Job child2 ).*)",
     "children of managed jobs are ignored"},
    {"14-manage-all", ".*unexpected Event Warning QueueNameMissing about Job m1 .*",
     "a job that is held back without a queue name says so"},
    {"16-failures", R"(.*(job-p1-|Job ns1/p1).*(nodeSelector|eneration): .*)",
     "a changed node selector reaches the Workload"},
    {"17-fair-sharing", R"(.*\.fairSharing\.weightedShare: .*)", "shares are never stale"},
    {"17-fair-sharing", R"(.*(ClusterQueue|LocalQueue) .*\.conditions\.Active\..*)",
     "cyclic cohorts are reported"},
    {"17-fair-sharing", R"(.*job-a3-.*(\.QuotaReserved\.reason: |\.resourceRequests: ).*)",
     "and by the workloads below them"},
    {"17-fair-sharing", ".*no Event Warning Suspended about Workload job-a3-.*",
     "admission was not attempted"},
    {"18b-ignore-undeclared", ".*unexpected Event Normal ResourcesNotDeclared about Workload .*",
     "skipped resources are told to the owner of the job"},
    {"21-retention", R"(step 0, .*(job-j1-.* is missing|Deleted about Workload job-j1-.*))",
     "the recording itself is racy there"},
    {"22-prebuilt", R"(.*Workload ns1/pre1: .*eneration: .*)",
     "the recording itself is racy there"},
    {"topology/43-tas-node-failure-evict",
     "step 5, no Event Normal EvictedDueToNodeFailures about .* by tas-resource-flavor-controller",
     "one of two controllers evicts, whichever sees its node first; in the recording both did"},
};

bool IsKnown(const std::string& recording, const std::string& difference) {
  return std::ranges::any_of(kKnownDifferences, [&](const KnownDifference& known) {
    return known.recording == recording &&
           std::regex_match(difference, std::regex(std::string(known.pattern)));
  });
}

constexpr int kMaxTries = 3;

bool IsInconclusive(const testing::PlayedLifecycle& played) {
  return played.was_late && !played.differences.empty();
}

class Lifecycle : public ::testing::TestWithParam<std::string> {};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(Lifecycle);

TEST_P(Lifecycle, MatchesKueue) {
  const auto text = api::testing::ReadShared("lifecycles/" + GetParam() + ".json");
  ASSERT_TRUE(text.has_value());
  const auto recording = json::Parse(*text);
  ASSERT_TRUE(recording.has_value());
  testing::PlayedLifecycle played;
  for (int i = 0; i < kMaxTries && (i == 0 || IsInconclusive(played)); ++i) {
    played = testing::PlayLifecycle(*recording);
    std::erase_if(played.differences,
                  [](const std::string& difference) { return IsKnown(GetParam(), difference); });
  }
  if (IsInconclusive(played))
    GTEST_SKIP() << "too slow for the timing of the recording; differences:\n"
                 << ::testing::PrintToString(played.differences);
  for (const std::string& difference : played.differences) ADD_FAILURE() << difference;
}

INSTANTIATE_TEST_SUITE_P(Recorded, Lifecycle, ::testing::ValuesIn(Recordings()), [](const auto& i) {
  std::string name;
  for (const char c : i.param) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
});

}  // namespace
}  // namespace berth::embedded
