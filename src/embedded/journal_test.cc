// Journals of a whole cluster: what its controllers decided, an engine of its own decides again.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/check.h"
#include "embedded/cluster.h"
#include "embedded/testing/many_jobs.h"
#include "http/testing/directory.h"
#include "journal/reader.h"
#include "journal/replay.h"

namespace berth::embedded {
namespace {

journal::ReplayResult ReplayOf(const std::filesystem::path& path) {
  auto reader = journal::Reader::Open(path);
  CHECK(reader.has_value());
  journal::Replay replay;
  while (const auto record = reader->Next()) replay.Add(*record);
  EXPECT_TRUE(reader->damages().empty()) << reader->damages().front();
  return replay.result();
}

std::string ToString(const journal::Difference& difference) {
  const auto text = [](const std::optional<journal::Decision>& decision) {
    return decision ? decision->workload + " " + Describe(*decision) : "nothing";
  };
  return "cycle " + std::to_string(difference.cycle) + ": " + text(difference.recorded) +
         "\nreplayed: " + text(difference.replayed);
}

void ExpectSame(const journal::ReplayResult& result) {
  EXPECT_EQ(result.differing_cycles, 0u)
      << (result.first ? ToString(*result.first) : std::string());
  EXPECT_EQ(result.problem_count, 0u) << (result.problems.empty() ? "" : result.problems.front());
}

TEST(EmbeddedJournal, ReplaysWithTheSameDecisions) {
  const http::testing::Directory folder;
  {
    Cluster::Options options;
    options.serves_https = false;
    options.journal = {.directory = folder.path() / "journal"};
    api::ApplyConfigurationDefaults(options.configuration);
    options.nodes->run_time = base::Duration::Milliseconds(100);
    auto cluster = Cluster::Start(std::move(options));
    ASSERT_TRUE(cluster.has_value());
    testing::ManyJobs client((*cluster)->store());
    client.MakeQueues(7);
    client.Submit(50);
    client.AwaitFinished(50);
  }
  const journal::ReplayResult result = ReplayOf(folder.path() / "journal");
  ExpectSame(result);
  EXPECT_GE(result.decisions, 50u);
}

}  // namespace
}  // namespace berth::embedded
