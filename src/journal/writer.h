#pragma once

// Writes a journal: segments in a directory, bounded in size and age.
//
// Append only queues a record; a thread of its own encodes, writes and syncs once a second. So a
// killed process loses what it appended in the last fraction of a second, and a machine that
// loses power the last second. On an error of the disk, or when the thread cannot follow, the
// journal stops for good, with one line in the log; an append never waits and never fails.
//
// Every start begins a new segment. A later segment starts with a snapshot of all objects, so the
// oldest ones can be removed.

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/error.h"
#include "base/time.h"
#include "journal/record.h"
#include "journal/record_codec.h"

namespace berth::journal {

struct WriterOptions {
  std::filesystem::path directory;
  uint64_t most_bytes = uint64_t{1} << 30;                        // of all segments
  base::Duration most_age = base::Duration::Seconds(30 * 86400);  // of the records
  size_t most_queued_bytes = size_t{256} << 20;
  Header header;  // its number and place are filled in
  // Called from the thread of the journal.
  std::function<void(std::string_view)> log = [](std::string_view) {};
};

// Figures of a running journal.
struct WriterFigures {
  bool is_stopped = false;
  uint64_t records = 0;
  uint64_t written_bytes = 0;
};

class Writer {
 public:
  // Creates the directory with mode 0700. Fails if it cannot be written, or if another process
  // keeps a journal there.
  static base::Result<std::unique_ptr<Writer>> Open(WriterOptions options);
  // Writes and syncs what was appended.
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // From one thread. No effect once the journal has stopped.
  void Append(Record record);
  // Waits until everything appended so far is on disk, or the journal has stopped. For tests.
  void Flush();
  bool is_stopped() const { return is_stopped_; }
  WriterFigures figures() const;

 private:
  struct Finished {
    std::filesystem::path path;
    uint64_t bytes = 0;
    base::Time end;  // of its last record
  };
  struct OpenSegment {
    int file = -1;
    std::filesystem::path path;
    uint64_t number = 0;
    uint64_t bytes = 0;
    uint64_t snapshot_bytes = 0;
    base::Time start;
    bool is_dirty = false;  // not synced
  };
  // What the thread has not taken yet, and what it is asked for.
  struct Queue {
    std::deque<Record> records;
    size_t bytes = 0;
    uint64_t appended = 0, synced = 0;  // records
    bool is_ending = false;
    bool must_sync = false;
    bool has_overflowed = false;
  };

  explicit Writer(WriterOptions options);
  base::Result<void> Start();
  void Run();
  void TakeBatch(std::unique_lock<std::mutex>& lock, std::deque<Record>& batch);
  bool Write(const std::deque<Record>& batch);
  bool WriteOut();
  bool SyncFile();
  bool BeginSegment(bool is_continued);
  void AppendSnapshot();
  bool MustRotate() const;
  bool RotateIfDue();
  void DropOldSegments();
  void EndSegment();
  // Returns false.
  bool Stop(std::string_view line);
  bool StopAfter(std::string_view doing, int error);

  const WriterOptions options_;
  int lock_ = -1;  // of the directory
  // Of the thread.
  OpenSegment segment_;
  RecordEncoder encoder_;
  std::string buffer_;  // not written yet
  base::Time now_;
  std::deque<Finished> finished_;

  mutable std::mutex mutex_;  // of queue_
  std::condition_variable wake_, done_;
  Queue queue_;
  std::atomic<bool> is_stopped_ = false;
  std::atomic<uint64_t> written_bytes_ = 0;
  std::thread thread_;
};

}  // namespace berth::journal
