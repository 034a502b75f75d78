#pragma once

// Whether an engine decides as a journal says. No I/O.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "journal/player.h"
#include "journal/record.h"

namespace berth::journal {

// A decision that is not the same; absent where none was made.
struct Difference {
  base::Time time;
  size_t cycle = 0;  // counted from 1
  std::optional<Decision> recorded;
  std::optional<Decision> replayed;
};

struct ReplayResult {
  size_t records = 0;
  size_t cycles = 0;
  size_t decisions = 0;
  size_t differing_cycles = 0;
  std::optional<Difference> first;
  std::vector<std::string> problems;  // records that make no sense; the first few
  size_t problem_count = 0;
  base::Time begin, end;  // of the recording
  // Its beginning was removed: it starts with the objects, not with all that the engine knew.
  bool begins_in_the_middle = false;

  bool is_same() const { return differing_cycles == 0 && problem_count == 0; }
};

// The first decision that differs between two runs of a cycle.
std::optional<Difference> FirstDifference(const Cycle& recorded, const Cycle& replayed);

class Replay {
 public:
  void Add(const Record& record);
  const ReplayResult& result() const { return result_; }
  const Player& player() const { return player_; }

 private:
  void Compare(const Cycle& recorded, const Cycle& replayed);

  Player player_;
  ReplayResult result_;
};

// "quota reserved: {…}", "pending (WaitingForQuota): 2 cpu short …": for messages.
std::string Describe(const Decision& decision);

}  // namespace berth::journal
