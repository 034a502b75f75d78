#pragma once

// Answers from the live state, without delaying decisions.
//
// An answer is computed on the controllers' thread, between reconciles, and printed on the serving
// thread. It is kept, and given to every client with the same question and the same rights for as
// long as the state does not change, or the answer is younger than kFresh. Clients that ask while
// it is computed wait for it together. ThreadBudget bounds the controllers' time of all answers.
// Nothing is computed unless someone asks.

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/time.h"
#include "dashboard/state_source.h"
#include "dashboard/thread_budget.h"
#include "http/message.h"

namespace berth::dashboard {

struct Answer {
  http::SharedText text;  // null: there is no such object
  std::string revision;
};

// Everything but the tasks that it posts happens on the serving thread.
class Answers {
 public:
  // Prints the answer; "" if there is no such object.
  using Print = std::move_only_function<std::string(const std::string& revision)>;
  // Reads the state. Must not keep references to it.
  using Compute = std::move_only_function<Print(workload::ClusterState& cluster, base::Time now)>;
  using Then = std::move_only_function<void(Answer)>;

  // `epoch`: begins all revisions.
  Answers(StateSource source, std::string epoch);

  // Calls `then` on the executor, that of the serving thread. `key`: the question and the rights.
  void Get(const std::string& key, store::Executor& executor, Compute compute, Then then);

  // Waits for all tasks on the controllers' thread. The serving thread must have ended.
  ~Answers();

 private:
  static constexpr base::Duration kFresh = base::Duration::Milliseconds(250);
  static constexpr size_t kMostKept = 256;
  static constexpr size_t kMostKeptBytes = 64 << 20;

  struct Kept {
    Answer answer;
    base::Time computed_at;
  };
  struct Job;
  class Queue;  // of jobs, on the controllers' thread

  void Start(const std::string& key, store::Executor& executor, Compute compute);
  void Finish(const std::string& key, const Answer& answer, base::Time now);
  void Keep(const std::string& key, const Answer& answer, base::Time now);

  StateSource source_;
  std::string epoch_;
  std::map<std::string, Kept, std::less<>> kept_;
  size_t kept_bytes_ = 0;
  std::map<std::string, std::vector<Then>, std::less<>> waiting_;
  std::shared_ptr<Queue> queue_;
};

}  // namespace berth::dashboard
