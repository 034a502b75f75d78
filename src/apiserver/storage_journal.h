#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "base/error.h"

namespace berth::apiserver {

// Counts all writes to all objects; the first is 1.
using Revision = int64_t;

// JSON that is shared between the index, the log of changes, answers and watches.
using Text = std::shared_ptr<const std::string>;

// What an object is stored under.
struct ObjectId {
  std::string collection;  // "jobs.batch"
  std::string namespace_;  // "" if the kind is cluster-wide
  std::string name;

  friend bool operator==(const ObjectId&, const ObjectId&) = default;
  friend auto operator<=>(const ObjectId&, const ObjectId&) = default;
};

// The durable side of Storage: a list of writes, oldest first, from which compaction removes those
// that no longer matter.
class Journal {
 public:
  struct Row {
    Revision revision = 0;
    ObjectId id;
    Text value;  // the object; of a removal, its last state
    bool is_removal = false;
  };
  struct Batch {
    std::span<const Row> rows;            // ascending revisions, all new
    std::span<const Revision> forgotten;  // rows that go
    Revision compacted = 0;               // up to here, changes are no longer complete
  };

  virtual ~Journal() = default;

  // What the last batch that forgot something said; 0 if there was none.
  virtual base::Result<Revision> Compacted() = 0;
  // Hands out all rows in the order of their revisions.
  virtual base::Result<void> Load(const std::function<void(Row)>& take) = 0;

  // All of it or nothing. On success it survives the end of the process and of the machine.
  virtual base::Result<void> Commit(const Batch& batch) = 0;
};

// A journal in <data_dir>/berth.db. Makes the directory if it is not there. Fails if another
// process uses it, or if the file is damaged or of a later version of Berth; the error says what to
// do.
base::Result<std::unique_ptr<Journal>> OpenSqliteJournal(const std::string& data_dir);

}  // namespace berth::apiserver
