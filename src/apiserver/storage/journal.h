#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "base/error.h"

namespace berth::apiserver {

// Sequence number over the writes of all objects; the first is 1.
using Revision = int64_t;

// JSON shared by the index, the log, replies and watches.
using Text = std::shared_ptr<const std::string>;

// The storage key of an object.
struct ObjectId {
  std::string collection;  // "jobs.batch"
  std::string namespace_;  // "" for cluster-scoped kinds
  std::string name;

  friend bool operator==(const ObjectId&, const ObjectId&) = default;
  friend auto operator<=>(const ObjectId&, const ObjectId&) = default;
};

// The durable part of Storage: a log of writes, oldest first. Compaction removes obsolete ones.
class Journal {
 public:
  struct Row {
    Revision revision = 0;
    ObjectId id;
    Text value;  // the object; for a removal, its last state
    bool is_removal = false;
  };
  struct Batch {
    std::span<const Row> rows;          // ascending new revisions
    std::span<const Revision> deleted;  // rows to delete
    Revision compacted = 0;             // the history is incomplete up to here
  };

  virtual ~Journal() = default;

  // `compacted` of the last batch that deleted rows; 0 if none did.
  virtual base::Result<Revision> Compacted() = 0;
  // Calls `take` for all rows by revision.
  virtual base::Result<void> Load(const std::function<void(Row)>& take) = 0;

  // Atomic. On success the batch survives a crash of the process and of the machine.
  virtual base::Result<void> Commit(const Batch& batch) = 0;
};

// A journal in <data_dir>/berth.db, readable by its owner only. Creates the directory if missing.
// Fails if another process uses it, or if the file is from a newer Berth; the error says what to
// do. So it does for a damaged file: opening checks the structure of the file, loading the checksum
// of each row, and neither a lost nor an emptied file counts as new.
base::Result<std::unique_ptr<Journal>> OpenSqliteJournal(const std::string& data_dir);

}  // namespace berth::apiserver
