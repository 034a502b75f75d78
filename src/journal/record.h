#pragma once

// The records of a journal: what goes into the decisions of the controllers, and what comes out.

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/time.h"

namespace berth::journal {

// An object was created or replaced. Its parts are JSON: of a Workload its metadata, spec and
// status, so that an unchanged spec costs nothing; of other kinds the whole object.
struct Upsert {
  std::string api_version;
  std::string kind;
  std::string namespace_;
  std::string name;
  // Empty: as in the last Upsert of the object.
  std::vector<std::string> parts;

  friend bool operator==(const Upsert&, const Upsert&) = default;
};

struct Removal {
  std::string api_version;
  std::string kind;
  std::string namespace_;
  std::string name;

  friend bool operator==(const Removal&, const Removal&) = default;
};

// The changes since the last one were applied to the engine.
struct Sync {
  base::Time now;

  friend bool operator==(const Sync&, const Sync&) = default;
};

// Expired back-offs ended.
struct Advance {
  base::Time now;

  friend bool operator==(const Advance&, const Advance&) = default;
};

// A reservation was reverted: its write failed, or admission is blocked.
struct Undo {
  std::string uid;

  friend bool operator==(const Undo&, const Undo&) = default;
};

// A workload is kept out of its queue: the API server rejected its admission.
struct BackOff {
  std::string uid;
  base::Time until;

  friend bool operator==(const BackOff&, const BackOff&) = default;
};

// What a cycle decided about one workload.
struct Decision {
  enum class Kind : uint8_t {
    kReserve,
    kPreempt,
    kWait,
    kReplace,
    kPlace,
    kEvict,
    kNoPlace,  // its second pass found no place; it is tried again
  };
  Kind kind = Kind::kWait;
  bool is_inadmissible = false;
  std::string workload;  // namespaced name
  std::string reason;
  std::string message;
  std::string preempting_queue;       // kPreempt
  std::string admission;              // kReserve, kPlace: JSON
  std::vector<std::string> replaced;  // kReserve: slices

  friend bool operator==(const Decision&, const Decision&) = default;
};

struct Cycle {
  base::Time now;
  std::vector<Decision> decisions;

  friend bool operator==(const Cycle&, const Cycle&) = default;
};

// The first record of every segment.
struct Header {
  // The place of the segment in the journal.
  uint64_t number = 0;
  // Whether it continues the segment before. Otherwise a process started here, with no objects.
  bool is_continued = false;
  base::Time start;
  std::string version;        // of Berth
  std::string configuration;  // JSON, with defaults
  std::string gates;          // "A=true,B=false"
  // Of the ClusterState.
  bool has_topology = false;
  base::Duration node_round;
  base::Duration pod_round;

  friend bool operator==(const Header&, const Header&) = default;
};

// The Upserts between the header of a segment and this are the state at its start.
struct SnapshotEnd {
  friend bool operator==(const SnapshotEnd&, const SnapshotEnd&) = default;
};

using Record =
    std::variant<Header, Upsert, Removal, SnapshotEnd, Sync, Advance, Undo, BackOff, Cycle>;

// When it happened; nullopt for records without a time of their own.
std::optional<base::Time> TimeOf(const Record& record);

}  // namespace berth::journal
