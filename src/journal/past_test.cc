// Questions about the past, on journals in real files.

#include "journal/past.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/config/configuration.h"
#include "http/testing/directory.h"
#include "journal/writer.h"
#include "schema/encode.h"
#include "store/system_time.h"

namespace berth::journal {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

base::Time At(int64_t seconds) { return base::Time::FromSeconds(1'800'000'000 + seconds); }

Record Object(const std::string& kind, const std::string& name, const std::string& rest,
              const std::string& namespace_name = "") {
  return Upsert{.api_version = "kueue.x-k8s.io/v1beta2",
                .kind = kind,
                .namespace_ = namespace_name,
                .name = name,
                .parts = {R"({"metadata":{"name":")" + name + R"(","namespace":")" +
                          namespace_name + R"("})" + rest + "}"}};
}

// A pending Workload in a namespace with the LocalQueue "main".
Record Pending(const std::string& space, const std::string& name) {
  return Upsert{.api_version = "kueue.x-k8s.io/v1beta2",
                .kind = "Workload",
                .namespace_ = space,
                .name = name,
                .parts = {R"({"name":")" + name + R"(","namespace":")" + space + R"(","uid":")" +
                              name + R"(","creationTimestamp":"2027-01-15T08:00:00Z"})",
                          R"({"queueName":"main","podSets":[{"name":"main","count":1,"template":)"
                          R"({"spec":{"containers":[{"name":"c","resources":{"requests":)"
                          R"({"cpu":"1"}}}]}}}]})",
                          "{}"}};
}

void Write(const http::testing::Directory& folder, const std::vector<Record>& records) {
  api::Configuration configuration;
  api::ApplyConfigurationDefaults(configuration);
  WriterOptions options{.directory = folder.path(),
                        .most_age = base::Duration::Seconds(int64_t{20} * 365 * 86'400)};
  options.header = {
      .start = At(0), .version = "v1", .configuration = schema::Encode(configuration), .gates = ""};
  const auto writer = Writer::Open(std::move(options));
  ASSERT_TRUE(writer.has_value());
  for (const Record& record : records) (*writer)->Append(record);
}

// Two teams wait in one ClusterQueue; the second one from second 10 on.
std::vector<Record> TwoTeams() {
  return {
      Object("ResourceFlavor", "spot", R"(,"spec":{})"),
      Object("ClusterQueue", "shared",
             R"(,"spec":{"namespaceSelector":{},"resourceGroups":[{"coveredResources":["cpu"],)"
             R"("flavors":[{"name":"spot","resources":[{"name":"cpu","nominalQuota":"0"}]}]}]})"),
      Object("LocalQueue", "main", R"(,"spec":{"clusterQueue":"shared"})", "red"),
      Object("LocalQueue", "main", R"(,"spec":{"clusterQueue":"shared"})", "blue"),
      Pending("red", "first"),
      Sync{At(1)},
      Pending("blue", "second"),
      Sync{At(10)}};
}

TEST(PastQueue, IsThatOfTheMoment) {
  const http::testing::Directory folder;
  Write(folder, TwoTeams());
  const auto waiting = [&](int64_t seconds) {
    Reader reader = *Reader::OpenAt(folder.path(), At(seconds));
    return QueueAt(reader, "shared", At(seconds)).moment->waiters.size();
  };
  EXPECT_EQ(waiting(9), 1u);
  EXPECT_EQ(waiting(10), 2u);
  Reader early = *Reader::OpenAt(folder.path(), At(-5));
  EXPECT_FALSE(QueueAt(early, "shared", At(-5)).has_state);
  Reader other = *Reader::OpenAt(folder.path(), At(9));
  EXPECT_FALSE(QueueAt(other, "none", At(9)).moment.has_value());
}

TEST(PastQueue, CountsWhatMayNotBeNamed) {
  const http::testing::Directory folder;
  Write(folder, TwoTeams());
  Reader reader = *Reader::Open(folder.path());
  const PastQueue past = QueueAt(reader, "shared", At(10));
  EXPECT_THAT(ToJson(*past.moment, At(10),
                     [](std::string_view workload) { return workload.starts_with("red/"); }),
              AllOf(HasSubstr("red/first"), Not(HasSubstr("blue")), HasSubstr(R"("hidden":1)")));
}

TEST(PastLife, IsThatOfOneWorkload) {
  const http::testing::Directory folder;
  Write(folder, TwoTeams());
  Reader reader = *Reader::OpenLatest(folder.path(), 1 << 20);
  const std::vector<LifeEvent> life = LifeOf(reader, "blue/second");
  ASSERT_EQ(life.size(), 1u);
  EXPECT_EQ(life[0].workload + " " + life[0].what, "blue/second Created");
}

// Each start begins a segment; the files tell when they were written last.
TEST(PartOfAJournal, HoldsTheLatestSegmentsOnly) {
  const http::testing::Directory folder;
  for (int i = 0; i < 3; ++i) Write(folder, TwoTeams());
  const uint64_t bytes = ListSegments(folder.path())->front().bytes;
  EXPECT_EQ(Reader::OpenLatest(folder.path(), 0)->bytes(), bytes);
  EXPECT_EQ(Reader::OpenLatest(folder.path(), 2 * bytes)->bytes(), 2 * bytes);
  EXPECT_EQ(Reader::OpenLatest(folder.path(), 9 * bytes)->bytes(), 3 * bytes);
  const base::Time later = store::SystemTime() + base::Duration::Seconds(60);
  EXPECT_EQ(Reader::OpenAt(folder.path(), later)->bytes(), bytes) << "the last one";
}

}  // namespace
}  // namespace berth::journal
