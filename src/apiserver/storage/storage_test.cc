#include "apiserver/storage/storage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <future>
#include <set>

#include "base/random.h"
#include "http/testing/directory.h"

namespace berth::apiserver {
namespace {

using http::testing::Directory;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

ObjectId Job(std::string name, std::string namespace_ = "default") {
  return {.collection = "jobs.batch", .namespace_ = std::move(namespace_), .name = std::move(name)};
}

// The revision, then the value.
Draft Value(std::string text) { return {.text = ":" + std::move(text), .hole = 0}; }

// Waits for the proposal; its error, "stale", or "".
std::string Write(Storage& storage, Proposal proposal) {
  std::promise<std::string> outcome;
  const bool is_taken = storage.Propose(std::move(proposal), [&](base::Result<Item> item) {
    outcome.set_value(item ? "" : base::ToString(item.error()));
  });
  return is_taken ? outcome.get_future().get() : "stale";
}

std::string Put(Storage& storage, const ObjectId& id, std::string text) {
  return Write(storage,
               {.id = id, .expected = storage.Head(id).revision, .draft = Value(std::move(text))});
}

std::string Remove(Storage& storage, const ObjectId& id) {
  return Write(storage, {.id = id,
                         .expected = storage.Head(id).revision,
                         .draft = Value("gone"),
                         .is_removal = true});
}

std::string Text(const Item& item) { return item ? *item.text : "none"; }

std::vector<std::string> Texts(const std::optional<Range>& range) {
  if (!range) return {"expired"};
  std::vector<std::string> texts;
  for (const RangeItem& item : range->items) texts.push_back(*item.item.text);
  return texts;
}

std::unique_ptr<Storage> InMemory(Storage::Options options = {}) { return *Storage::Open(options); }

std::unique_ptr<Storage> OpenAt(const std::string& data_dir, Storage::Options options = {}) {
  options.data_dir = data_dir;
  auto storage = Storage::Open(options);
  EXPECT_TRUE(storage) << base::ToString(storage.error());
  return std::move(*storage);
}

// A journal that stores nothing and blocks or fails on demand.
class ScriptedJournal final : public Journal {
 public:
  base::Result<Revision> Compacted() override { return 0; }
  base::Result<void> Load(const std::function<void(Row)>&) override { return {}; }
  base::Result<void> Commit(const Batch& batch) override {
    batch_sizes.push_back(batch.rows.size());
    if (on_commit) on_commit();
    if (fails) return base::Fail("the disk is full");
    return {};
  }

  std::function<void()> on_commit;
  bool fails = false;
  std::vector<size_t> batch_sizes;
};

TEST(Storage, AssignsEveryWriteTheNextRevision) {
  const auto storage = InMemory();
  EXPECT_EQ(Put(*storage, Job("a"), "1"), "");
  EXPECT_EQ(Put(*storage, Job("b"), "1"), "");
  EXPECT_EQ(Put(*storage, Job("a"), "2"), "");
  EXPECT_EQ(Text(storage->Get(Job("a"))), "3:2");
  EXPECT_EQ(storage->Get(Job("a")).revision, 3);
  EXPECT_EQ(storage->revision(), 3);
}

TEST(Storage, RejectsAProposalForAnotherRevision) {
  const auto storage = InMemory();
  Put(*storage, Job("a"), "1");
  EXPECT_EQ(Write(*storage, {.id = Job("a"), .expected = 0, .draft = Value("x")}), "stale");
  EXPECT_EQ(Write(*storage, {.id = Job("a"), .expected = 7, .draft = Value("x")}), "stale");
  EXPECT_EQ(Write(*storage, {.id = Job("b"), .expected = 1, .draft = Value("x")}), "stale");
  EXPECT_EQ(Text(storage->Get(Job("a"))), "1:1");
}

TEST(Storage, RejectsAProposalWhoseGuardHasChanged) {
  const auto storage = InMemory();
  const ObjectId team{.collection = "namespaces", .name = "team"};
  Put(*storage, team, "active");
  Proposal proposal{.id = Job("a"), .draft = Value("1"), .guard = team, .guard_expected = 1};
  Put(*storage, team, "terminating");
  EXPECT_EQ(Write(*storage, proposal), "stale");
  proposal.guard_expected = 2;
  EXPECT_EQ(Write(*storage, proposal), "");
}

TEST(Storage, PublishesAWriteOnlyWhenDurable) {
  auto owned = std::make_unique<ScriptedJournal>();
  std::promise<void> may_go;
  owned->on_commit = [go = may_go.get_future().share()] { go.wait(); };
  auto storage = *Storage::Open({}, std::move(owned));
  std::promise<void> done;
  ASSERT_TRUE(storage->Propose({.id = Job("a"), .draft = Value("1")},
                               [&](base::Result<Item>) { done.set_value(); }));
  EXPECT_EQ(Text(storage->Head(Job("a"))), "1:1");
  EXPECT_EQ(Text(storage->Get(Job("a"))), "none");
  EXPECT_EQ(storage->revision(), 0);
  may_go.set_value();
  done.get_future().wait();
  EXPECT_EQ(Text(storage->Get(Job("a"))), "1:1");
}

TEST(Storage, GroupsWritesThatArriveDuringACommit) {
  auto owned = std::make_unique<ScriptedJournal>();
  ScriptedJournal& journal = *owned;
  std::promise<void> may_go;
  journal.on_commit = [go = may_go.get_future().share()] { go.wait(); };
  auto storage = *Storage::Open({}, std::move(owned));
  std::promise<void> last;
  for (int i = 0; i < 10; ++i) {
    storage->Propose({.id = Job("a" + std::to_string(i)), .draft = Value("1")},
                     [&, i](base::Result<Item>) {
                       if (i == 9) last.set_value();
                     });
  }
  may_go.set_value();
  last.get_future().wait();
  EXPECT_LE(journal.batch_sizes.size(), 3u);
}

TEST(Storage, RollsBackAFailedBatchAndContinues) {
  auto owned = std::make_unique<ScriptedJournal>();
  ScriptedJournal& journal = *owned;
  auto storage = *Storage::Open({}, std::move(owned));
  EXPECT_EQ(Put(*storage, Job("a"), "1"), "");
  journal.fails = true;
  EXPECT_THAT(Put(*storage, Job("a"), "2"), HasSubstr("the disk is full"));
  EXPECT_EQ(Text(storage->Head(Job("a"))), "1:1");
  EXPECT_EQ(storage->revision(), 1);
  journal.fails = false;
  EXPECT_EQ(Put(*storage, Job("a"), "3"), "");
  EXPECT_EQ(Text(storage->Get(Job("a"))), "2:3");
}

TEST(StorageRange, IsOrderedByNamespaceThenName) {
  const auto storage = InMemory();
  for (const ObjectId& id : {Job("b", "a"), Job("a", "a-b"), Job("a", "a"), Job("c", "a.b")})
    Put(*storage, id, id.namespace_ + "/" + id.name);
  EXPECT_THAT(Texts(storage->Read({.collection = "jobs.batch"})),
              ElementsAre("3:a/a", "1:a/b", "2:a-b/a", "4:a.b/c"));
  EXPECT_THAT(Texts(storage->Read({.collection = "jobs.batch", .namespace_ = "a"})),
              ElementsAre("3:a/a", "1:a/b"));
  EXPECT_THAT(Texts(storage->Read({.collection = "pods"})), IsEmpty());
}

TEST(StorageRange, ContinuesAtItsFirstRevision) {
  const auto storage = InMemory();
  for (const char* name : {"a", "b", "c", "d"}) Put(*storage, Job(name), name);
  const auto first = storage->Read({.collection = "jobs.batch", .limit = 2});
  EXPECT_THAT(Texts(first), ElementsAre("1:a", "2:b"));
  EXPECT_EQ(first->remaining, 2u);
  Remove(*storage, Job("c"));
  Put(*storage, Job("d"), "changed");
  Put(*storage, Job("d"), "changed again");
  Put(*storage, Job("e"), "new");
  EXPECT_THAT(Texts(storage->Read({.collection = "jobs.batch",
                                   .after = {{"default", "b"}},
                                   .limit = 2,
                                   .at_revision = first->revision})),
              ElementsAre("3:c", "4:d"));
}

TEST(StorageHistory, ExpiresWhenCompacted) {
  const auto storage = InMemory({.max_changes = 2});
  for (const char* text : {"1", "2", "3", "4"}) Put(*storage, Job("a"), text);
  EXPECT_EQ(storage->oldest(), 2);
  EXPECT_FALSE(storage->ChangesAfter(1, 10));
  EXPECT_FALSE(storage->Read({.collection = "jobs.batch", .at_revision = 1}));
  ASSERT_TRUE(storage->ChangesAfter(2, 10));
  EXPECT_EQ(storage->ChangesAfter(2, 10)->changes.size(), 2u);
  EXPECT_EQ(storage->ChangesAfter(2, 1)->changes.size(), 1u);
  EXPECT_THAT(storage->ChangesAfter(4, 10)->changes, IsEmpty());
  EXPECT_THAT(storage->ChangesAfter(2, 10, "pods")->changes, IsEmpty());
  EXPECT_EQ(storage->ChangesAfter(2, 10, "pods")->reached, 4);
}

TEST(StorageHistory, OfACollectionOutlivesWritesToOthers) {
  const auto storage = InMemory({.max_changes = 2});
  const ObjectId pod{.collection = "pods", .namespace_ = "default", .name = "p"};
  Put(*storage, pod, "1");
  Put(*storage, pod, "2");
  for (const char* text : {"3", "4", "5"}) Put(*storage, Job("a"), text);
  EXPECT_FALSE(storage->ChangesAfter(1, 10, "pods"));
  ASSERT_TRUE(storage->ChangesAfter(2, 10, "pods"));
  EXPECT_THAT(storage->ChangesAfter(2, 10, "pods")->changes, IsEmpty());
  EXPECT_EQ(storage->ChangesAfter(2, 10, "pods")->reached, 5);
  EXPECT_EQ(storage->ChangesAfter(3, 1, "jobs.batch")->reached, 4);
  EXPECT_EQ(storage->ChangesAfter(3, 2, "jobs.batch")->reached, 5);
}

TEST(StorageHistory, IsBoundedInBytes) {
  const auto storage = InMemory({.history_bytes = 1000});
  for (int i = 0; i < 100; ++i) Put(*storage, Job("a"), std::string(100, 'x'));
  EXPECT_GT(storage->oldest(), 85);
  EXPECT_LT(storage->oldest(), 100);
}

TEST(StorageHistory, KeepsThePreviousVersionOfAChange) {
  const auto storage = InMemory();
  Put(*storage, Job("a"), "1");
  Put(*storage, Job("a"), "2");
  Remove(*storage, Job("a"));
  const auto changes = storage->ChangesAfter(0, 10)->changes;
  ASSERT_EQ(changes.size(), 3u);
  EXPECT_FALSE(changes[0]->previous);
  EXPECT_EQ(Text(changes[1]->previous), "1:1");
  EXPECT_TRUE(changes[2]->is_removal);
  EXPECT_EQ(*changes[2]->text, "3:gone");
  EXPECT_EQ(Text(changes[2]->previous), "2:2");
}

TEST(StorageListener, IsWokenByWritesUntilItUnlistens) {
  const auto storage = InMemory();
  int calls = 0;
  const auto id = storage->Listen("", [&] { ++calls; });
  Put(*storage, Job("a"), "1");
  storage->Unlisten(id);
  Put(*storage, Job("a"), "2");
  EXPECT_EQ(calls, 1);
}

TEST(StorageListener, OfACollectionIgnoresWritesToOthers) {
  const auto storage = InMemory();
  int calls = 0;
  storage->Listen("pods", [&] { ++calls; });
  Put(*storage, Job("a"), "1");
  EXPECT_EQ(calls, 0);
  Put(*storage, {.collection = "pods", .namespace_ = "default", .name = "p"}, "2");
  EXPECT_EQ(calls, 1);
}

TEST(StorageOnDisk, SurvivesARestart) {
  const Directory dir;
  {
    const auto storage = OpenAt(dir.path().string() + "/new/data");
    Put(*storage, Job("a"), "1");
    Put(*storage, Job("b"), "1");
    Put(*storage, Job("a"), "2");
    Remove(*storage, Job("b"));
  }
  const auto storage = OpenAt(dir.path().string() + "/new/data");
  EXPECT_THAT(Texts(storage->Read({.collection = "jobs.batch"})), ElementsAre("3:2"));
  EXPECT_EQ(storage->revision(), 4);
  ASSERT_TRUE(storage->ChangesAfter(1, 10)) << "a watch goes on over a restart";
  EXPECT_EQ(storage->ChangesAfter(1, 10)->changes.size(), 3u);
  EXPECT_EQ(Text(storage->ChangesAfter(2, 10)->changes[0]->previous), "1:1");
  EXPECT_EQ(Put(*storage, Job("c"), "1"), "");
  EXPECT_EQ(Text(storage->Get(Job("c"))), "5:1");
}

TEST(StorageOnDisk, DeletesCompactedRows) {
  const Directory dir;
  const Storage::Options options{.max_changes = 5};
  {
    const auto storage = OpenAt(dir.path().string(), options);
    Put(*storage, Job("keep"), "1");
    for (int i = 0; i < 50; ++i) Put(*storage, Job("a"), std::to_string(i));
    Remove(*storage, Job("a"));
    for (int i = 0; i < 10; ++i) Put(*storage, Job("b"), std::to_string(i));
    Remove(*storage, Job("b"));
  }
  auto journal = *OpenSqliteJournal(dir.path().string());
  size_t rows = 0;
  ASSERT_TRUE(journal->Load([&](Journal::Row) { ++rows; }));
  EXPECT_LE(rows, 9u);
  journal.reset();
  const auto storage = OpenAt(dir.path().string(), options);
  EXPECT_THAT(Texts(storage->Read({.collection = "jobs.batch"})), ElementsAre("1:1"));
  EXPECT_EQ(storage->revision(), 63);
}

TEST(StorageOnDisk, NeverReusesARevisionAfterCompactingTheLastOne) {
  const Directory dir;
  const Storage::Options options{.max_changes = 0};
  {
    const auto storage = OpenAt(dir.path().string(), options);
    Put(*storage, Job("a"), "1");
    Remove(*storage, Job("a"));
    Put(*storage, Job("b"), "1");
    Remove(*storage, Job("b"));
    Put(*storage, Job("c"), "1");
  }
  const auto storage = OpenAt(dir.path().string(), options);
  EXPECT_EQ(storage->revision(), 5);
}

TEST(StorageOnDisk, IsLockedByOneProcess) {
  const Directory dir;
  const auto storage = OpenAt(dir.path().string());
  const auto second = Storage::Open({.data_dir = dir.path().string()});
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message, HasSubstr("in use by process " + std::to_string(getpid())));
}

TEST(StorageOnDisk, ReportsACorruptFile) {
  const Directory dir;
  {
    Put(*OpenAt(dir.path().string()), Job("a"), std::string(100'000, 'x'));
  }
  {
    std::fstream file(dir.path().string() + "/berth.db",
                      std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(4096);
    file << std::string(60'000, '\xff');
  }
  const auto storage = Storage::Open({.data_dir = dir.path().string()});
  ASSERT_FALSE(storage);
  EXPECT_THAT(base::ToString(storage.error()), HasSubstr("is damaged"));
}

std::string ReadAll(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string ErrorAt(const std::string& data_dir) {
  const auto storage = Storage::Open({.data_dir = data_dir});
  return storage ? "" : base::ToString(storage.error());
}

TEST(StorageOnDisk, ReportsAChangedObject) {
  const Directory dir;
  Put(*OpenAt(dir.path().string()), Job("a"), "before the change");
  std::string bytes = ReadAll(dir / "berth.db");
  bytes.replace(bytes.find("before"), 6, "beyond");
  dir.Write("berth.db", bytes);
  EXPECT_THAT(ErrorAt(dir.path().string()),
              ::testing::AllOf(HasSubstr("is damaged"), HasSubstr("jobs.batch default/a"),
                               HasSubstr("from a copy")));
}

// Every state is either the one that was written or an error.
TEST(StorageOnDisk, NeverServesAFlippedBit) {
  const Directory dir;
  {
    const auto storage = OpenAt(dir.path().string());
    for (int i = 0; i < 200; ++i)
      Put(*storage, Job("job-" + std::to_string(i)), std::string(150, 'x'));
    for (int i = 0; i < 50; ++i) Remove(*storage, Job("job-" + std::to_string(i)));
  }
  const auto all = [&] {
    return Texts(OpenAt(dir.path().string())->Read({.collection = "jobs.batch"}));
  };
  const std::vector<std::string> texts = all();
  const std::string bytes = ReadAll(dir / "berth.db");
  base::Random random(7);
  int reported = 0;
  for (int round = 0; round < 200; ++round) {
    std::string damaged = bytes;
    damaged[random.Below(damaged.size())] ^= static_cast<char>(1 << random.Below(8));
    dir.Write("berth.db", damaged);
    const auto storage = Storage::Open({.data_dir = dir.path().string()});
    if (storage) {
      EXPECT_EQ(Texts((*storage)->Read({.collection = "jobs.batch"})), texts) << "round " << round;
    }
    reported += storage ? 0 : 1;
  }
  EXPECT_GT(reported, 100);
}

TEST(StorageOnDisk, ReportsATruncatedFile) {
  const Directory dir;
  Put(*OpenAt(dir.path().string()), Job("a"), std::string(50'000, 'x'));
  const std::string bytes = ReadAll(dir / "berth.db");
  for (size_t size = 1; size < bytes.size(); size += 1777) {
    dir.Write("berth.db", bytes.substr(0, size));
    EXPECT_THAT(ErrorAt(dir.path().string()), HasSubstr("is damaged")) << size;
  }
}

TEST(StorageOnDisk, ReportsAnEmptyFileInAUsedDirectory) {
  const Directory dir;
  dir.Write("berth.db", "");
  EXPECT_EQ(ErrorAt(dir.path().string()), "") << "the first start may have been interrupted";
  const Directory used;
  used.Write("berth.db", "");
  used.Write("tokens.csv", "0123456789abcdef,anna,1");
  EXPECT_THAT(ErrorAt(used.path().string()),
              ::testing::AllOf(HasSubstr("berth.db is empty"), HasSubstr("from a copy")));
}

TEST(StorageOnDisk, ReportsALogWithoutItsDatabase) {
  const Directory dir;
  dir.Write("berth.db-wal", std::string(5000, 'x'));
  EXPECT_THAT(ErrorAt(dir.path().string()),
              ::testing::AllOf(HasSubstr("berth.db is missing"), HasSubstr("berth.db-wal")));
}

int ModeOf(const std::string& path) {
  struct stat status{};
  return stat(path.c_str(), &status) == 0 ? static_cast<int>(status.st_mode & 0777) : -1;
}

TEST(StorageOnDisk, IsReadableOnlyByItsOwner) {
  const Directory dir;
  std::filesystem::permissions(dir.path(), std::filesystem::perms(0755));
  const mode_t mask = umask(0022);
  {
    const auto storage = OpenAt(dir.path().string());
    Put(*storage, Job("a"), "one");
    EXPECT_EQ(ModeOf(dir / "berth.db"), 0600);
    EXPECT_EQ(ModeOf(dir / "berth.db-wal"), 0600);
  }
  std::filesystem::permissions(dir / "berth.db", std::filesystem::perms(0644));
  {
    const auto storage = OpenAt(dir.path().string());
    Put(*storage, Job("a"), "two");
    EXPECT_EQ(ModeOf(dir / "berth.db"), 0600);
    EXPECT_EQ(ModeOf(dir / "berth.db-wal"), 0600);
  }
  umask(mask);
}

// The tables of version 0.1, which had no checksums.
void WriteFormat1(const std::string& path) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(database, R"(
      PRAGMA application_id=1113944692; PRAGMA user_version=1; PRAGMA journal_mode=WAL;
      CREATE TABLE writes (revision INTEGER PRIMARY KEY, collection TEXT NOT NULL,
        namespace TEXT NOT NULL, name TEXT NOT NULL, is_removal INTEGER NOT NULL,
        value BLOB NOT NULL);
      CREATE TABLE facts (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
      INSERT INTO writes VALUES (1, 'jobs.batch', 'default', 'a', 0, CAST('{"old":1}' AS BLOB));
      INSERT INTO writes VALUES (2, 'jobs.batch', 'default', 'b', 0, CAST('{"old":2}' AS BLOB));)",
                         nullptr, nullptr, nullptr),
            SQLITE_OK);
  sqlite3_close(database);
}

TEST(StorageOnDisk, AddsChecksumsToDataOfEarlierVersions) {
  const Directory dir;
  WriteFormat1(dir / "berth.db");
  for (int i = 0; i < 2; ++i)
    EXPECT_THAT(Texts(OpenAt(dir.path().string())->Read({.collection = "jobs.batch"})),
                ElementsAre(R"({"old":1})", R"({"old":2})"));
  std::string bytes = ReadAll(dir / "berth.db");
  bytes.replace(bytes.find("old"), 3, "odd");
  dir.Write("berth.db", bytes);
  EXPECT_THAT(ErrorAt(dir.path().string()), HasSubstr("is damaged"));
}

// In a child process, whose files cannot grow beyond the limit for some time.
[[noreturn]] void WriteOnAFullDisk(const std::string& data_dir, int pipe_end) {
  signal(SIGXFSZ, SIG_IGN);
  auto opened = Storage::Open({.data_dir = data_dir});
  if (!opened) _exit(3);
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  const rlim_t unlimited = std::exchange(limit.rlim_cur, 300'000);
  setrlimit(RLIMIT_FSIZE, &limit);
  int failures = 0;
  for (int i = 0; i < 300; ++i) {
    if (i == 200) {
      limit.rlim_cur = unlimited;
      setrlimit(RLIMIT_FSIZE, &limit);
    }
    const std::string error =
        Put(**opened, Job("job-" + std::to_string(i)), std::string(5000, 'x'));
    if (i > 200 && !error.empty()) _exit(4);
    if (!error.empty()) ++failures;
    if (error.empty() && write(pipe_end, &i, sizeof i) < 0) _exit(5);
  }
  _exit(failures > 0 ? 0 : 6);
}

TEST(StorageOnDisk, FailsWritesOnAFullDiskAndGoesOn) {
  const Directory dir;
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  const pid_t child = fork();
  if (child == 0) WriteOnAFullDisk(dir.path().string(), ends[1]);
  close(ends[1]);
  std::set<std::string> written;
  for (int i = 0; read(ends[0], &i, sizeof i) == sizeof i;)
    written.insert("job-" + std::to_string(i));
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0) << WEXITSTATUS(status);
  EXPECT_GT(written.size(), 100u);
  std::set<std::string> found;
  const auto storage = OpenAt(dir.path().string());
  for (const RangeItem& item : storage->Read({.collection = "jobs.batch"})->items)
    found.insert(item.name);
  EXPECT_EQ(found, written);
}

TEST(StorageOnDisk, ReportsAFileThatIsNotADatabase) {
  const Directory dir;
  {
    std::ofstream(dir.path().string() + "/berth.db") << std::string(5000, 'x');
  }
  const auto storage = Storage::Open({.data_dir = dir.path().string()});
  ASSERT_FALSE(storage);
  EXPECT_THAT(base::ToString(storage.error()), HasSubstr("is damaged"));
}

TEST(StorageOnDisk, ReportsADirectoryThatCannotBeCreated) {
  const auto storage = Storage::Open({.data_dir = "/proc/berth"});
  ASSERT_FALSE(storage);
  EXPECT_THAT(base::ToString(storage.error()), HasSubstr("--data-dir"));
}

// The child writes at full speed and reports each acknowledged revision through the pipe.
[[noreturn]] void WriteUntilKilled(const std::string& data_dir, int pipe_end) {
  auto opened = Storage::Open({.data_dir = data_dir, .max_changes = 50});
  if (!opened) _exit(3);
  Storage& storage = **opened;
  for (int i = 0;; ++i) {
    const ObjectId id = Job("job-" + std::to_string(i % 97));
    const Revision head = storage.Head(id).revision;
    const bool is_removal = head != 0 && i % 5 == 0;
    storage.Propose({.id = id,
                     .expected = head,
                     .draft = Value(std::string(200, 'x')),
                     .is_removal = is_removal},
                    [pipe_end](base::Result<Item> item) {
                      if (!item || write(pipe_end, &item->revision, sizeof item->revision) < 0)
                        _exit(4);
                    });
    if (i % 8 == 0) usleep(100);
  }
}

// The greatest revision a child acknowledged before it was killed.
Revision LastAcknowledged(const std::string& data_dir, int microseconds) {
  std::array<int, 2> ends{};
  EXPECT_EQ(pipe(ends.data()), 0);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    WriteUntilKilled(data_dir, ends[1]);
  }
  close(ends[1]);
  Revision last = 0, revision = 0;
  // The countdown starts with the first write.
  if (read(ends[0], &revision, sizeof revision) == sizeof revision) last = revision;
  std::thread killer([&] {
    usleep(static_cast<useconds_t>(microseconds));
    kill(child, SIGKILL);
  });
  while (read(ends[0], &revision, sizeof revision) == sizeof revision)
    last = std::max(last, revision);
  killer.join();
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status)) << "the child gave up by itself: " << WEXITSTATUS(status);
  close(ends[0]);
  return last;
}

TEST(StorageOnDisk, KeepsEveryAcknowledgedWriteThroughKills) {
  const Directory dir;
  base::Random random(20);
  Revision before = 0;
  for (int round = 0; round < 50; ++round) {
    const Revision last =
        LastAcknowledged(dir.path().string(), static_cast<int>(random.Below(12'000)));
    const auto storage = OpenAt(dir.path().string(), {.max_changes = 50});
    ASSERT_GE(storage->revision(), last) << "round " << round;
    ASSERT_GT(storage->revision(), before) << "round " << round;
    before = storage->revision();
    const auto range = storage->Read({.collection = "jobs.batch"});
    for (const RangeItem& item : range->items)
      ASSERT_EQ(*item.item.text, std::to_string(item.item.revision) + ":" + std::string(200, 'x'));
  }
}

}  // namespace
}  // namespace berth::apiserver
