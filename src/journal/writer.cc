#include "journal/writer.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <system_error>
#include <utility>

#include "journal/segment.h"

namespace berth::journal {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kWritePeriod = std::chrono::milliseconds(200);
constexpr auto kSyncPeriod = std::chrono::seconds(1);
// A segment is at most this part of the journal.
constexpr uint64_t kSegmentShare = 8;
constexpr uint64_t kMostSegmentBytes = 64 << 20;
constexpr size_t kWriteBytes = 1 << 20;

std::string ReasonOf(int error) { return std::generic_category().message(error); }

size_t BytesOf(const Record& record) {
  size_t bytes = sizeof(Record);
  if (const auto* object = std::get_if<Upsert>(&record)) {
    for (const std::string& part : object->parts) bytes += part.size();
  } else if (const auto* cycle = std::get_if<Cycle>(&record)) {
    for (const Decision& d : cycle->decisions)
      bytes += sizeof(Decision) + d.message.size() + d.admission.size();
  }
  return bytes;
}

}  // namespace

Writer::Writer(WriterOptions options) : options_(std::move(options)) {}

base::Result<std::unique_ptr<Writer>> Writer::Open(WriterOptions options) {
  std::unique_ptr<Writer> writer(new Writer(std::move(options)));
  if (auto started = writer->Start(); !started) return std::unexpected(started.error());
  return writer;
}

base::Result<void> Writer::Start() {
  const std::filesystem::path& directory = options_.directory;
  const std::string where = "journal " + directory.string();
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) return base::Fail(where + " not created: " + error.message());
  if (::chmod(directory.c_str(), S_IRWXU) != 0)
    return base::Fail(where + " not made private: " + ReasonOf(errno),
                      "give the directory to the user that runs berth");
  lock_ = ::open((directory / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (lock_ < 0) return base::Fail(where + " not writable: " + ReasonOf(errno));
  if (::flock(lock_, LOCK_EX | LOCK_NB) != 0)
    return base::Fail(where + " is in use by another process",
                      "stop that process, or give each process a directory of its own");
  auto segments = ListSegments(directory);
  if (!segments) return std::unexpected(segments.error());
  for (const SegmentFile& segment : *segments) {
    finished_.push_back({.path = segment.path, .bytes = segment.bytes, .end = segment.modified});
    segment_.number = std::max(segment_.number, segment.number);
  }
  segment_.start = now_ = options_.header.start;
  if (!BeginSegment(false)) return base::Fail(where + " not writable: " + ReasonOf(errno));
  DropOldSegments();
  thread_ = std::thread([this] { Run(); });
  return {};
}

Writer::~Writer() {
  {
    const std::lock_guard lock(mutex_);
    queue_.is_ending = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
  if (segment_.file >= 0) ::close(segment_.file);
  if (lock_ >= 0) ::close(lock_);
}

// --- The appending thread ------------------------------------------------------------------------

void Writer::Append(Record record) {
  if (is_stopped_) return;
  const size_t bytes = BytesOf(record);
  bool is_urgent = false;
  {
    const std::lock_guard lock(mutex_);
    if (queue_.has_overflowed) return;
    if (queue_.bytes + bytes > options_.most_queued_bytes) {
      queue_.has_overflowed = is_urgent = true;
    } else {
      const size_t before = queue_.bytes;
      queue_.bytes += bytes;
      ++queue_.appended;
      queue_.records.push_back(std::move(record));
      is_urgent = before < kWriteBytes && queue_.bytes >= kWriteBytes;
    }
  }
  if (is_urgent) wake_.notify_one();
}

void Writer::Flush() {
  std::unique_lock lock(mutex_);
  const uint64_t last = queue_.appended;
  queue_.must_sync = true;
  wake_.notify_one();
  done_.wait(lock,
             [&] { return is_stopped_ || (queue_.synced >= last && !queue_.has_overflowed); });
}

WriterFigures Writer::figures() const {
  const std::lock_guard lock(mutex_);
  return {.is_stopped = is_stopped_, .records = queue_.appended, .written_bytes = written_bytes_};
}

// --- The thread of the journal -------------------------------------------------------------------

void Writer::Run() {
  Clock::time_point next_sync = Clock::now() + kSyncPeriod;
  uint64_t written = 0;
  for (bool is_ending = false; !is_ending;) {
    std::deque<Record> batch;
    bool must_sync = false, has_overflowed = false;
    {
      std::unique_lock lock(mutex_);
      TakeBatch(lock, batch);
      is_ending = queue_.is_ending;
      has_overflowed = queue_.has_overflowed;
      must_sync = std::exchange(queue_.must_sync, false);
    }
    if (!Write(batch)) return;
    written += batch.size();
    if (has_overflowed) return void(Stop("the disk is too slow"));
    if (!must_sync && !is_ending && Clock::now() < next_sync) continue;
    if (!SyncFile()) return;
    next_sync = Clock::now() + kSyncPeriod;
    const std::lock_guard lock(mutex_);
    queue_.synced = written;
    done_.notify_all();
  }
}

void Writer::TakeBatch(std::unique_lock<std::mutex>& lock, std::deque<Record>& batch) {
  wake_.wait_for(lock, kWritePeriod, [&] {
    return queue_.is_ending || queue_.must_sync || queue_.has_overflowed ||
           queue_.bytes >= kWriteBytes;
  });
  batch.swap(queue_.records);
  queue_.bytes = 0;
}

bool Writer::Write(const std::deque<Record>& batch) {
  for (const Record& record : batch) {
    if (const auto time = TimeOf(record)) now_ = std::max(now_, *time);
    AppendFrame(buffer_, [&](std::string& out) { encoder_.Encode(record, out); });
    if (buffer_.size() >= kWriteBytes && !WriteOut()) return false;
    // The state is in sync here, and nothing is under way.
    if (std::holds_alternative<Sync>(record) && !RotateIfDue()) return false;
  }
  return WriteOut();
}

bool Writer::WriteOut() {
  std::string_view rest = buffer_;
  while (!rest.empty()) {
    const ssize_t written = ::write(segment_.file, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return StopAfter("written", written < 0 ? errno : ENOSPC);
    rest.remove_prefix(static_cast<size_t>(written));
  }
  segment_.bytes += buffer_.size();
  written_bytes_ += buffer_.size();
  segment_.is_dirty |= !buffer_.empty();
  buffer_.clear();
  return true;
}

bool Writer::SyncFile() {
  if (!std::exchange(segment_.is_dirty, false)) return true;
  return ::fdatasync(segment_.file) == 0 || StopAfter("synced", errno);
}

bool Writer::Stop(std::string_view line) {
  options_.log("Journal stopped: " + std::string(line) + "; decisions go on without it");
  {
    const std::lock_guard lock(mutex_);
    is_stopped_ = true;
    queue_.records.clear();
  }
  done_.notify_all();
  return false;
}

bool Writer::StopAfter(std::string_view doing, int error) {
  return Stop(segment_.path.string() + " not " + std::string(doing) + ": " + ReasonOf(error));
}

// --- Segments ------------------------------------------------------------------------------------

bool Writer::BeginSegment(bool is_continued) {
  ++segment_.number;
  segment_.path = options_.directory / SegmentName(segment_.number);
  segment_.file = ::open(segment_.path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC,
                         S_IRUSR | S_IWUSR);
  if (segment_.file < 0) return false;
  segment_.bytes = 0;
  segment_.start = now_;
  Header header = options_.header;
  header.number = segment_.number;
  header.is_continued = is_continued;
  header.start = now_;
  buffer_.append(kMagic);
  AppendFrame(buffer_, [&](std::string& out) { encoder_.Encode(header, out); });
  AppendSnapshot();
  segment_.snapshot_bytes = buffer_.size();
  return true;
}

void Writer::AppendSnapshot() {
  RecordEncoder snapshot;
  for (const auto& [key, parts] : encoder_.objects().all()) {
    Upsert object{.api_version = std::get<0>(key),
                  .kind = std::get<1>(key),
                  .namespace_ = std::get<2>(key),
                  .name = std::get<3>(key),
                  .parts = {}};
    for (const KnownObjects::Text& part : parts) object.parts.push_back(*part);
    AppendFrame(buffer_, [&](std::string& out) { snapshot.Encode(object, out); });
  }
  AppendFrame(buffer_, [&](std::string& out) { snapshot.Encode(SnapshotEnd{}, out); });
  encoder_ = std::move(snapshot);
}

bool Writer::MustRotate() const {
  const uint64_t most = std::min(options_.most_bytes / kSegmentShare, kMostSegmentBytes);
  const base::Duration most_age{options_.most_age.nanos / static_cast<int64_t>(kSegmentShare)};
  const uint64_t bytes = segment_.bytes + buffer_.size();
  const bool is_large = bytes > most && bytes > 2 * segment_.snapshot_bytes;
  return is_large || now_ - segment_.start > most_age;
}

bool Writer::RotateIfDue() {
  if (!MustRotate()) return true;
  if (!WriteOut() || !SyncFile()) return false;
  EndSegment();
  if (!BeginSegment(true)) return StopAfter("created", errno);
  if (!WriteOut()) return false;
  DropOldSegments();
  return true;
}

void Writer::EndSegment() {
  ::close(std::exchange(segment_.file, -1));
  finished_.push_back({.path = segment_.path, .bytes = segment_.bytes, .end = now_});
}

void Writer::DropOldSegments() {
  uint64_t bytes = std::max(segment_.bytes + buffer_.size(), options_.most_bytes / kSegmentShare);
  for (const Finished& segment : finished_) bytes += segment.bytes;
  while (!finished_.empty() &&
         (bytes > options_.most_bytes || now_ - finished_.front().end > options_.most_age)) {
    std::error_code ignored;
    std::filesystem::remove(finished_.front().path, ignored);
    bytes -= finished_.front().bytes;
    finished_.pop_front();
  }
}

}  // namespace berth::journal
