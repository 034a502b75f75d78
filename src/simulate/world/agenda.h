#pragma once

// The events to come in a virtual world: timers of jobs, edits of objects, arrivals.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <queue>
#include <vector>

#include "api/meta/object.h"
#include "base/time.h"
#include "simulate/input.h"
#include "simulate/result.h"

namespace berth::simulate {

// A change of objects while the world runs.
struct Edit {
  base::Duration after;  // the start
  std::shared_ptr<const std::vector<api::Object>> objects;
};

enum class TimerKind : uint8_t {
  kFinish,
  kStop,
  kPodsReadyTimeout,
  kExecutionLimit,
  kBackOffOver,
  kSecondPass,  // jobs whose pods have no place are tried again
};

struct Timer {
  base::Time at;
  TimerKind kind = TimerKind::kFinish;
  uint32_t job = kNoIndex;
  uint32_t epoch = 0;  // of the job; the timer is stale once that has changed
  friend auto operator<=>(const Timer&, const Timer&) = default;
};

class Agenda {
 public:
  // Both must outlive the agenda. Edits are in order of time.
  Agenda(const Input& input, const std::vector<Edit>& edits) : input_(input), edits_(edits) {}

  void Add(const Timer& timer) { timers_.push(timer); }

  // Time of the next event; nullopt if none is left.
  std::optional<base::Time> NextTime() const;

  // Remove and return the next event of a kind that is due at `now`.
  std::optional<Timer> TakeTimer(base::Time now);
  const Edit* TakeEdit(base::Time now);
  std::optional<uint32_t> TakeArrival(base::Time now);

  // Number of jobs taken so far; they are the first ones of the input.
  size_t arrived() const { return next_arrival_; }

 private:
  const Input& input_;
  const std::vector<Edit>& edits_;
  std::priority_queue<Timer, std::vector<Timer>, std::greater<>> timers_;
  size_t next_arrival_ = 0;
  size_t next_edit_ = 0;
};

}  // namespace berth::simulate
