// Journals in real files.

#include "journal/writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <iterator>
#include <ranges>

#include "http/testing/directory.h"
#include "journal/reader.h"

namespace berth::journal {
namespace {

using JournalFolder = http::testing::Directory;

base::Time At(int64_t seconds) { return base::Time::FromSeconds(1'800'000'000 + seconds); }

Upsert Workload(const std::string& name, const std::string& spec, const std::string& status) {
  return {.api_version = "kueue.x-k8s.io/v1beta2",
          .kind = "Workload",
          .namespace_ = "team",
          .name = name,
          .parts = {R"({"name":")" + name + R"("})", spec, status}};
}

Record Reservation(const std::string& workload, int64_t seconds) {
  return Cycle{.now = At(seconds),
               .decisions = {{.kind = Decision::Kind::kReserve,
                              .is_inadmissible = false,
                              .workload = "team/" + workload,
                              .reason = "",
                              .message = "",
                              .preempting_queue = "",
                              .admission = R"({"clusterQueue":"team"})",
                              .replaced = {"team/older"}}}};
}

std::vector<Record> SomeRecords() {
  return {Workload("a", R"({"queueName":"main"})", "{}"),
          Workload("b", R"({"queueName":"main"})", "{}"),
          Sync{At(1)},
          Advance{At(1)},
          Reservation("a", 1),
          Undo{"uid-a"},
          BackOff{.uid = "uid-a", .until = At(9)},
          Workload("a", R"({"queueName":"other"})", R"({"conditions":[]})"),
          Removal{.api_version = "kueue.x-k8s.io/v1beta2",
                  .kind = "Workload",
                  .namespace_ = "team",
                  .name = "b"},
          Reservation("a", 2)};
}

WriterOptions In(const JournalFolder& folder) {
  // The files are as old as they are, the records of another time.
  WriterOptions options{.directory = folder.path(),
                        .most_age = base::Duration::Seconds(int64_t{20} * 365 * 86'400)};
  options.header = {.start = At(0), .version = "v1", .configuration = "{}", .gates = "A=true"};
  return options;
}

void WriteAll(WriterOptions options, const std::vector<Record>& records) {
  const auto writer = Writer::Open(std::move(options));
  ASSERT_TRUE(writer.has_value()) << base::ToString(writer.error());
  for (const Record& record : records) (*writer)->Append(record);
}

// Without headers and ends of snapshots.
std::vector<Record> ReadAll(const std::filesystem::path& path) {
  auto reader = Reader::Open(path);
  if (!reader) return {};
  std::vector<Record> records;
  while (auto record = reader->Next())
    if (!std::holds_alternative<Header>(*record) && !std::holds_alternative<SnapshotEnd>(*record))
      records.push_back(*std::move(record));
  return records;
}

std::string BytesOf(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void WriteBytes(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

TEST(Journal, ReadsWhatWasWritten) {
  const JournalFolder folder;
  WriteAll(In(folder), SomeRecords());
  EXPECT_EQ(ReadAll(folder.path()), SomeRecords());
}

TEST(Journal, FillsInPartsThatDidNotChange) {
  const JournalFolder folder;
  WriteAll(In(folder), {Workload("a", R"({"queueName":"main"})", "{}"),
                        Workload("a", "", R"({"conditions":[]})")});
  EXPECT_EQ(ReadAll(folder.path())[1],
            Record(Workload("a", R"({"queueName":"main"})", R"({"conditions":[]})")));
}

TEST(Journal, IsPrivate) {
  const JournalFolder folder;
  WriteAll(In(folder), SomeRecords());
  struct stat directory{}, segment{};
  ASSERT_EQ(::stat(folder.path().c_str(), &directory), 0);
  ASSERT_EQ(::stat((folder.path() / "journal-000001").c_str(), &segment), 0);
  EXPECT_EQ(directory.st_mode & 0777, 0700u);
  EXPECT_EQ(segment.st_mode & 0777, 0600u);
}

TEST(Journal, BeginsASegmentWithEveryStart) {
  const JournalFolder folder;
  WriteAll(In(folder), SomeRecords());
  WriteAll(In(folder), SomeRecords());
  std::vector<Record> twice = SomeRecords();
  std::ranges::copy(SomeRecords(), std::back_inserter(twice));
  EXPECT_EQ(ReadAll(folder.path()), twice);
}

TEST(Journal, RefusesADirectoryInUse) {
  const JournalFolder folder;
  const auto first = Writer::Open(In(folder));
  const auto second = Writer::Open(In(folder));
  ASSERT_FALSE(second.has_value());
  EXPECT_THAT(second.error().message, ::testing::HasSubstr("in use by another process"));
}

// A file cut anywhere has all records before the cut, and says no word of damage.
TEST(TornJournal, KeepsAllRecordsBeforeTheCut) {
  const JournalFolder folder;
  WriteAll(In(folder), SomeRecords());
  const std::filesystem::path segment = folder.path() / "journal-000001";
  const std::string bytes = BytesOf(segment);
  size_t last = 0;
  for (size_t size = 0; size < bytes.size(); ++size) {
    WriteBytes(segment, std::string_view(bytes).substr(0, size));
    const std::vector<Record> records = ReadAll(folder.path());
    ASSERT_TRUE(std::ranges::equal(
        records, SomeRecords() | std::views::take(static_cast<int64_t>(records.size()))))
        << size;
    ASSERT_GE(records.size(), last);
    last = records.size();
    auto reader = Reader::Open(folder.path());
    while (reader->Next()) continue;
    EXPECT_TRUE(reader->damages().empty()) << size << ": " << reader->damages().front();
  }
  EXPECT_EQ(last, SomeRecords().size() - 1);
}

// No flipped bit goes unnoticed: what is read is right, and less than everything.
TEST(DamagedJournal, ReadsNothingWrong) {
  const JournalFolder folder;
  WriteAll(In(folder), SomeRecords());
  const std::filesystem::path segment = folder.path() / "journal-000001";
  const std::string bytes = BytesOf(segment);
  for (size_t bit = 0; bit < bytes.size() * 8; bit += 9) {
    std::string flipped = bytes;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    WriteBytes(segment, flipped);
    const std::vector<Record> records = ReadAll(folder.path());
    ASSERT_LT(records.size(), SomeRecords().size()) << bit;
    ASSERT_TRUE(std::ranges::equal(
        records, SomeRecords() | std::views::take(static_cast<int64_t>(records.size()))))
        << bit;
  }
}

TEST(BoundedJournal, DropsItsOldestSegments) {
  const JournalFolder folder;
  WriterOptions options = In(folder);
  options.most_bytes = 16'000;
  std::vector<Record> records;
  for (int i = 0; i < 2'000; ++i) {
    records.push_back(Workload("w" + std::to_string(i % 10), R"({"queueName":"main"})",
                               R"({"round":)" + std::to_string(i * 7919) + "}"));
    records.push_back(Sync{At(i)});
  }
  WriteAll(std::move(options), records);
  uint64_t bytes = 0;
  for (const SegmentFile& segment : *ListSegments(folder.path())) bytes += segment.bytes;
  EXPECT_LE(bytes, 16'000u);
  EXPECT_GE(bytes, 8'000u);
  // What remains begins with a snapshot and is complete.
  const std::vector<Record> read = ReadAll(folder.path());
  ASSERT_GT(read.size(), 100u);
  EXPECT_EQ(std::get<Upsert>(read.front()).name, "w0");
  EXPECT_EQ(read.back(), records.back());
}

TEST(BoundedJournal, DropsRecordsThatAreTooOld) {
  const JournalFolder folder;
  WriterOptions options = In(folder);
  options.most_age = base::Duration::Seconds(800);
  std::vector<Record> records;
  for (int i = 0; i < 3'000; ++i) records.emplace_back(Sync{At(i)});
  WriteAll(std::move(options), records);
  const std::vector<Record> read = ReadAll(folder.path());
  EXPECT_GE(std::get<Sync>(read.front()).now, At(2'000));
  EXPECT_EQ(read.back(), records.back());
}

// The limit of the size of files stands for a full disk.
class FullDisk : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before_), 0);
    std::signal(SIGXFSZ, SIG_IGN);
  }
  void TearDown() override {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, SIG_DFL);
  }
  void Fill() const {
    rlimit limit = before_;
    limit.rlim_cur = 4'096;
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  }
  rlimit before_{};
};

TEST_F(FullDisk, StopsTheJournalWithOneLine) {
  const JournalFolder folder;
  std::vector<std::string> log;
  WriterOptions options = In(folder);
  options.log = [&](std::string_view line) { log.emplace_back(line); };
  {
    const auto writer = Writer::Open(std::move(options));
    ASSERT_TRUE(writer.has_value());
    Fill();
    for (int i = 0; i < 5'000; ++i) (*writer)->Append(Sync{At(i)});
    (*writer)->Flush();
    EXPECT_TRUE((*writer)->is_stopped());
    (*writer)->Append(Sync{At(9'999)});
    (*writer)->Flush();
  }
  ASSERT_EQ(log.size(), 1u);
  EXPECT_THAT(log.front(), ::testing::HasSubstr("journal-000001 not written: File too large; "
                                                "decisions go on without it"));
  // What fitted is there.
  const std::vector<Record> read = ReadAll(folder.path());
  ASSERT_GT(read.size(), 100u);
  EXPECT_EQ(read[100], Record(Sync{At(100)}));
}

TEST(SlowDisk, StopsTheJournalWhenTheQueueIsFull) {
  const JournalFolder folder;
  std::vector<std::string> log;
  WriterOptions options = In(folder);
  options.most_queued_bytes = 1'000;
  options.log = [&](std::string_view line) { log.emplace_back(line); };
  const auto writer = Writer::Open(std::move(options));
  ASSERT_TRUE(writer.has_value());
  (*writer)->Append(Workload("a", std::string(2'000, ' '), "{}"));
  (*writer)->Flush();
  EXPECT_TRUE((*writer)->is_stopped());
  EXPECT_THAT(log, ::testing::ElementsAre(::testing::HasSubstr("the disk is too slow")));
}

}  // namespace
}  // namespace berth::journal
