// A process that keeps a journal is killed. What it appended until a second before is there, and
// nothing is damaged.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "http/testing/directory.h"
#include "journal/reader.h"
#include "journal/writer.h"
#include "store/system_time.h"

namespace berth::journal {
namespace {

constexpr int kKills = 5;

// Appends the time, again and again, until it is killed.
[[noreturn]] void KeepJournal(const std::filesystem::path& folder) {
  WriterOptions options{.directory = folder};
  options.header = {.start = store::SystemTime(), .version = "v1", .configuration = "{}"};
  const auto writer = Writer::Open(std::move(options));
  if (!writer) _exit(1);
  while (true) {
    (*writer)->Append(Sync{store::SystemTime()});
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

// The moment of the kill.
base::Time KillAfter(std::chrono::milliseconds time, const std::filesystem::path& folder) {
  const pid_t child = fork();
  if (child == 0) KeepJournal(folder);
  std::this_thread::sleep_for(time);
  const base::Time moment = store::SystemTime();
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status)) << "it could not keep a journal";
  return moment;
}

TEST(KilledProcess, LosesTheLastSecondOfItsJournalAtMost) {
  const http::testing::Directory folder;
  for (int i = 0; i < kKills; ++i) {
    const base::Time killed = KillAfter(std::chrono::milliseconds(1200 + 170 * i), folder.path());
    auto reader = Reader::OpenLatest(folder.path(), 0);
    ASSERT_TRUE(reader.has_value());
    std::optional<base::Time> last;
    while (const auto record = reader->Next())
      if (const auto* sync = std::get_if<Sync>(&*record)) last = sync->now;
    ASSERT_TRUE(last.has_value());
    EXPECT_GE(*last, killed - base::Duration::Seconds(1));
    EXPECT_THAT(reader->damages(), ::testing::IsEmpty());
  }
}

}  // namespace
}  // namespace berth::journal
