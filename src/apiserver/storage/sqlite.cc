// The journal as an SQLite database in WAL mode: one table ordered by revision, so that commits
// append and loading is sequential. Each row has a checksum. Locked exclusively; the lock file
// yields a readable error for other processes.

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "apiserver/storage/journal.h"
#include "base/crc32c.h"
#include "json/json.h"

namespace berth::apiserver {
namespace {

// Incremented when older versions can no longer read the tables.
constexpr int kFormat = 2;
// The first with checksums.
constexpr int kChecked = 2;
// "Bert": identifies our files among SQLite files.
constexpr int kApplicationId = 0x42657274;

class FileDescriptor {
 public:
  explicit FileDescriptor(int fd = -1) : fd_(fd) {}
  FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~FileDescriptor() {
    if (fd_ >= 0) close(fd_);
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

base::Result<void> MakeDirectories(const std::string& path) {
  for (size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    const std::string part = path.substr(0, end);
    if (mkdir(part.c_str(), 0700) != 0 && errno != EEXIST && end == std::string::npos)
      return base::Fail("cannot create the data directory " + path + ": " + std::strerror(errno),
                        "set --data-dir to a writable directory");
    if (end == std::string::npos) return {};
  }
}

std::string ReadPid(int fd) {
  std::array<char, 32> buffer{};
  const ssize_t size = pread(fd, buffer.data(), buffer.size(), 0);
  return size > 0 ? std::string(buffer.data(), static_cast<size_t>(size)) : "unknown";
}

// The lock is released when the process ends, in any way.
base::Result<FileDescriptor> LockDirectory(const std::string& data_dir) {
  const std::string path = data_dir + "/lock";
  FileDescriptor file(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (file.get() < 0)
    return base::Fail("cannot open " + path + ": " + std::strerror(errno),
                      "the data directory must be writable");
  if (flock(file.get(), LOCK_EX | LOCK_NB) != 0)
    return base::Fail(
        "the data directory " + data_dir + " is in use by process " + ReadPid(file.get()),
        "stop that process, or set another --data-dir");
  const std::string pid = std::to_string(getpid());
  if (ftruncate(file.get(), 0) != 0 ||
      pwrite(file.get(), pid.data(), pid.size(), 0) != static_cast<ssize_t>(pid.size()))
    return base::Fail("cannot write " + path + ": " + std::strerror(errno));
  return file;
}

// CRC-32C of the row and its place, so that an exchange of rows is noticed, too.
int64_t ChecksumOf(const Journal::Row& row) {
  std::string text = std::to_string(row.revision) + (row.is_removal ? "-" : "+");
  for (const std::string* part : {&row.id.collection, &row.id.namespace_, &row.id.name})
    text += std::to_string(part->size()) + ":" + *part;
  const uint32_t value = base::Crc32c(*row.value);
  text.append(reinterpret_cast<const char*>(&value), sizeof value);
  return base::Crc32c(text);
}

int64_t ChecksumOf(Revision revision) { return base::Crc32c(std::to_string(revision)); }

std::string NameOf(const Journal::Row& row) {
  return row.id.collection + " " + row.id.namespace_ + (row.id.namespace_.empty() ? "" : "/") +
         row.id.name + " in revision " + std::to_string(row.revision);
}

// The size of a file; nullopt if there is none.
std::optional<off_t> FileSize(const std::string& path) {
  struct stat status{};
  if (stat(path.c_str(), &status) != 0) return std::nullopt;
  return status.st_size;
}

// Of an SQLite database. SQLite takes a shorter file for a new one.
constexpr off_t kSmallestPage = 512;

constexpr const char* kRestore =
    "restore the data directory from a copy, or move it away to start empty";

// A database that is gone or empty although there was one would be created again, without its
// objects.
base::Result<void> CheckPresence(const std::string& data_dir) {
  const std::string path = data_dir + "/berth.db";
  const auto size = FileSize(path);
  if (size && *size > 0 && *size < kSmallestPage)
    return base::Fail(path + " is damaged: only " + std::to_string(*size) + " bytes are left",
                      kRestore);
  if (size && *size > 0) return {};
  const std::string log = path + "-wal";
  if (FileSize(log).value_or(0) > 0)
    return base::Fail(
        path + " is " + (size ? "empty" : "missing") + ", but its log " + log + " is there",
        kRestore);
  // Keys are made after the first commit.
  const bool is_used = FileSize(data_dir + "/tokens.csv") || FileSize(data_dir + "/tls/ca.key");
  if (!size || !is_used) return {};
  return base::Fail(path + " is empty, but the data directory has been used before", kRestore);
}

// Objects may be secret, and the directory may be one that others read. SQLite gives its log the
// mode of the database.
base::Result<void> MakePrivate(const std::string& path) {
  for (const char* suffix : {"", "-wal", "-journal"}) {
    const std::string name = path + suffix;
    const bool is_new = *suffix == '\0';
    const FileDescriptor file(
        open(name.c_str(), O_RDWR | O_CLOEXEC | (is_new ? O_CREAT : 0), 0600));
    if (file.get() < 0 && errno == ENOENT && !is_new) continue;
    if (file.get() < 0 || fchmod(file.get(), 0600) != 0)
      return base::Fail("cannot open " + name + ": " + std::strerror(errno),
                        "the data directory and the files in it must be writable");
  }
  return {};
}

class Statement {
 public:
  Statement(sqlite3* database, const char* sql) {
    code_ = sqlite3_prepare_v3(database, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement_, nullptr);
  }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  ~Statement() { sqlite3_finalize(statement_); }

  Statement& Bind(int64_t number) {
    Record(sqlite3_bind_int64(statement_, ++bound_, number));
    return *this;
  }
  // The text must stay valid until Run.
  Statement& Bind(std::string_view text) {
    Record(sqlite3_bind_text64(statement_, ++bound_, text.data(), text.size(), SQLITE_STATIC,
                               SQLITE_UTF8));
    return *this;
  }
  // SQLITE_ROW, SQLITE_DONE or an error.
  int Step() { return code_ == SQLITE_OK ? sqlite3_step(statement_) : code_; }
  // For statements without rows: SQLITE_OK or an error. Can be bound and run again.
  int Run() {
    const int code = Step();
    if (statement_ != nullptr) sqlite3_reset(statement_);
    bound_ = 0;
    return code == SQLITE_DONE || code == SQLITE_ROW ? SQLITE_OK : code;
  }

  int64_t Number(int column) const { return sqlite3_column_int64(statement_, column); }
  std::string String(int column) const {
    const void* data = sqlite3_column_blob(statement_, column);
    const auto size = static_cast<size_t>(sqlite3_column_bytes(statement_, column));
    return data == nullptr ? std::string() : std::string(static_cast<const char*>(data), size);
  }

 private:
  void Record(int code) {
    if (code_ == SQLITE_OK) code_ = code;
  }

  sqlite3_stmt* statement_ = nullptr;
  int code_ = SQLITE_OK;
  int bound_ = 0;
};

class SqliteJournal final : public Journal {
 public:
  SqliteJournal(std::string data_dir, FileDescriptor lock)
      : data_dir_(std::move(data_dir)), lock_(std::move(lock)) {}
  ~SqliteJournal() override {
    insert_.reset();
    delete_.reset();
    set_compacted_.reset();
    sqlite3_close(database_);
  }

  base::Result<void> Open();
  base::Result<Revision> Compacted() override;
  base::Result<void> Load(const std::function<void(Row)>& take) override;
  base::Result<void> Commit(const Batch& batch) override;

 private:
  int Execute(const char* sql) { return sqlite3_exec(database_, sql, nullptr, nullptr, nullptr); }
  int64_t Pragma(const char* sql) {
    Statement statement(database_, sql);
    return statement.Step() == SQLITE_ROW ? statement.Number(0) : 0;
  }
  base::Result<void> CheckFormat();
  base::Result<void> CheckStructure();
  base::Result<void> AddChecksums();
  // Stops at the first failure of `take`.
  base::Result<void> LoadRows(
      const std::function<base::Result<void>(Row row, int64_t checksum)>& take);
  int64_t Format() { return Pragma("PRAGMA user_version"); }
  void Prepare();
  int Write(const Batch& batch);
  std::unexpected<base::Error> Explain(int code, std::string_view doing) const;
  std::unexpected<base::Error> Damaged(const std::string& how) const {
    return base::Fail(
        Path() + " is damaged: " + how,
        std::string(kRestore) + "; `sqlite3 berth.db .recover` may save the readable part");
  }
  std::string Path() const { return data_dir_ + "/berth.db"; }

  std::string data_dir_;
  FileDescriptor lock_;
  sqlite3* database_ = nullptr;
  std::unique_ptr<Statement> insert_, delete_, set_compacted_;
};

constexpr const char* kMakeTables = R"(
BEGIN;
CREATE TABLE writes (
  revision INTEGER PRIMARY KEY,
  collection TEXT NOT NULL,
  namespace TEXT NOT NULL,
  name TEXT NOT NULL,
  is_removal INTEGER NOT NULL,
  value BLOB NOT NULL,
  checksum INTEGER NOT NULL
);
CREATE TABLE facts (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
COMMIT;
)";

base::Result<void> SqliteJournal::Open() {
  int code = sqlite3_open_v2(
      Path().c_str(), &database_,
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE,
      nullptr);
  if (code != SQLITE_OK) return Explain(code, "open");
  // FULL: each commit waits for fsync.
  code = Execute(
      "PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
      "PRAGMA wal_autocheckpoint=4000; PRAGMA cache_size=-8192; PRAGMA trusted_schema=OFF");
  if (code != SQLITE_OK) return Explain(code, "open");
  if (auto checked = CheckFormat(); !checked) return checked;
  if (Format() < kChecked)
    if (auto added = AddChecksums(); !added) return added;
  Prepare();
  return {};
}

// What checksums of rows cannot show: rows that the tables no longer lead to.
base::Result<void> SqliteJournal::CheckStructure() {
  Statement check(database_, "PRAGMA quick_check(1)");
  const int code = check.Step();
  if (code != SQLITE_ROW) return Explain(code, "read");
  if (const std::string found = check.String(0); found != "ok") return Damaged(found);
  const int64_t tables = Pragma(
      "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('writes', 'facts')");
  if (tables != 2) return Damaged("a table is missing");
  return {};
}

base::Result<void> SqliteJournal::AddChecksums() {
  int code = Execute("BEGIN; ALTER TABLE writes ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0");
  if (code != SQLITE_OK) return Explain(code, "set up");
  {
    Statement add(database_, "UPDATE writes SET checksum = ? WHERE revision = ?");
    std::vector<std::pair<int64_t, Revision>> checksums;
    auto loaded = LoadRows([&](const Row& row, int64_t) -> base::Result<void> {
      if (!json::Parse(*row.value)) return Damaged(NameOf(row) + " is not JSON");
      checksums.emplace_back(ChecksumOf(row), row.revision);
      return {};
    });
    if (!loaded) return loaded;
    Statement fact(database_, "SELECT value FROM facts WHERE name = 'compacted'");
    Statement check(database_, "INSERT INTO facts (name, value) VALUES ('compacted_check', ?)");
    if (fact.Step() == SQLITE_ROW) code = check.Bind(ChecksumOf(fact.Number(0))).Run();
    if (code != SQLITE_OK) return Explain(code, "set up");
    for (const auto& [checksum, revision] : checksums)
      if (code = add.Bind(checksum).Bind(revision).Run(); code != SQLITE_OK)
        return Explain(code, "set up");
  }
  const std::string done = "PRAGMA user_version=" + std::to_string(kFormat) + "; COMMIT";
  if (code = Execute(done.c_str()); code != SQLITE_OK) return Explain(code, "set up");
  return {};
}

base::Result<void> SqliteJournal::CheckFormat() {
  const int64_t application = Pragma("PRAGMA application_id");
  const int64_t tables = Pragma("SELECT count(*) FROM sqlite_schema");
  if (application != kApplicationId && tables > 0)
    return base::Fail(Path() + " is an SQLite file of another program",
                      "set --data-dir to a directory used only by Berth");
  const int64_t format = Pragma("PRAGMA user_version");
  if (format > kFormat)
    return base::Fail(Path() + " was written by a newer version of Berth",
                      "use that version, or another --data-dir");
  const std::string sql = "PRAGMA application_id=" + std::to_string(kApplicationId) +
                          "; PRAGMA user_version=" + std::to_string(kFormat);
  if (tables > 0 || Pragma("PRAGMA page_count") > 1) return CheckStructure();
  int code = Execute(sql.c_str());
  if (code == SQLITE_OK) code = Execute(kMakeTables);
  if (code != SQLITE_OK) return Explain(code, "set up");
  return {};
}

void SqliteJournal::Prepare() {
  insert_ = std::make_unique<Statement>(
      database_,
      "INSERT INTO writes (revision, collection, namespace, name, is_removal, value, checksum) "
      "VALUES (?, ?, ?, ?, ?, CAST(? AS BLOB), ?)");
  delete_ = std::make_unique<Statement>(database_, "DELETE FROM writes WHERE revision = ?");
  set_compacted_ = std::make_unique<Statement>(
      database_,
      "INSERT OR REPLACE INTO facts (name, value) VALUES ('compacted', ?), ('compacted_check', ?)");
}

base::Result<Revision> SqliteJournal::Compacted() {
  Statement fact(database_,
                 "SELECT value, (SELECT value FROM facts WHERE name = 'compacted_check') "
                 "FROM facts WHERE name = 'compacted'");
  const int code = fact.Step();
  if (code == SQLITE_DONE) return 0;
  if (code != SQLITE_ROW) return Explain(code, "read");
  if (fact.Number(1) != ChecksumOf(fact.Number(0)))
    return Damaged("the checksum of the compacted revision is wrong");
  return fact.Number(0);
}

base::Result<void> SqliteJournal::LoadRows(
    const std::function<base::Result<void>(Row row, int64_t checksum)>& take) {
  Statement rows(
      database_,
      "SELECT revision, collection, namespace, name, is_removal, value, checksum FROM writes "
      "ORDER BY revision");
  int code = rows.Step();
  for (; code == SQLITE_ROW; code = rows.Step()) {
    auto taken = take(
        {.revision = rows.Number(0),
         .id = {.collection = rows.String(1), .namespace_ = rows.String(2), .name = rows.String(3)},
         .value = std::make_shared<const std::string>(rows.String(5)),
         .is_removal = rows.Number(4) != 0},
        rows.Number(6));
    if (!taken) return taken;
  }
  if (code != SQLITE_DONE) return Explain(code, "read");
  return {};
}

base::Result<void> SqliteJournal::Load(const std::function<void(Row)>& take) {
  return LoadRows([&](Row row, int64_t checksum) -> base::Result<void> {
    if (ChecksumOf(row) != checksum) return Damaged("the checksum of " + NameOf(row) + " is wrong");
    take(std::move(row));
    return {};
  });
}

base::Result<void> SqliteJournal::Commit(const Batch& batch) {
  int code = Execute("BEGIN");
  if (code == SQLITE_OK) code = Write(batch);
  if (code == SQLITE_OK) code = Execute("COMMIT");
  if (code == SQLITE_OK) return {};
  auto error = Explain(code, "write");
  Execute("ROLLBACK");
  return error;
}

int SqliteJournal::Write(const Batch& batch) {
  for (const Row& row : batch.rows) {
    const int code = insert_->Bind(row.revision)
                         .Bind(row.id.collection)
                         .Bind(row.id.namespace_)
                         .Bind(row.id.name)
                         .Bind(row.is_removal ? int64_t{1} : int64_t{0})
                         .Bind(*row.value)
                         .Bind(ChecksumOf(row))
                         .Run();
    if (code != SQLITE_OK) return code;
  }
  for (const Revision revision : batch.deleted)
    if (const int code = delete_->Bind(revision).Run(); code != SQLITE_OK) return code;
  if (batch.deleted.empty()) return SQLITE_OK;
  return set_compacted_->Bind(batch.compacted).Bind(ChecksumOf(batch.compacted)).Run();
}

std::unexpected<base::Error> SqliteJournal::Explain(int code, std::string_view doing) const {
  const std::string where = Path();
  switch (code & 0xff) {
    case SQLITE_FULL:
      return base::Fail(
          "the disk that holds " + where + " is full",
          "free some space; writes fail until then, acknowledged writes are not lost");
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return Damaged(sqlite3_errstr(code));
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return base::Fail(where + " is in use by another program", "close that program");
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
      return base::Fail("cannot " + std::string(doing) + " " + where + ": " + sqlite3_errstr(code),
                        "the data directory and the files in it must be writable");
    default:
      return base::Fail("cannot " + std::string(doing) + " " + where + ": " +
                        (database_ != nullptr ? sqlite3_errmsg(database_) : sqlite3_errstr(code)));
  }
}

}  // namespace

base::Result<std::unique_ptr<Journal>> OpenSqliteJournal(const std::string& data_dir) {
  if (auto made = MakeDirectories(data_dir); !made) return std::unexpected(made.error());
  auto lock = LockDirectory(data_dir);
  if (!lock) return std::unexpected(lock.error());
  if (auto present = CheckPresence(data_dir); !present) return std::unexpected(present.error());
  if (auto made = MakePrivate(data_dir + "/berth.db"); !made) return std::unexpected(made.error());
  auto journal = std::make_unique<SqliteJournal>(data_dir, std::move(*lock));
  if (auto opened = journal->Open(); !opened) return std::unexpected(opened.error());
  return journal;
}

}  // namespace berth::apiserver
