#include "dashboard/answers.h"

#include <chrono>
#include <ctime>
#include <future>
#include <optional>
#include <utility>

namespace berth::dashboard {
namespace {

base::Duration SteadyNow() {
  return {std::chrono::duration_cast<std::chrono::nanoseconds>(
              std::chrono::steady_clock::now().time_since_epoch())
              .count()};
}

// The processor time of the calling thread.
base::Duration BusyTime() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return {int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec};
}

}  // namespace

struct Answers::Job {
  std::string known_revision;  // of the answer that is kept; "": none
  Compute compute;
  // Called on the controllers' thread. Without Print, the kept answer is still right.
  std::move_only_function<void(std::string revision, std::optional<Print>)> then;
};

// All functions run on the controllers' thread.
class Answers::Queue : public std::enable_shared_from_this<Queue> {
 public:
  Queue(StateSource source, std::string epoch)
      : source_(std::move(source)), epoch_(std::move(epoch)) {}

  void Add(Job job) {
    jobs_.push_back(std::move(job));
    if (jobs_.size() == 1) RunNext();
  }

 private:
  // One job a task, so that reconciles run in between.
  void RunNext() {
    const base::Duration wait = budget_.UntilNext(SteadyNow(), BusyTime());
    if (wait.nanos > 0)
      return source_.controllers.PostAfter(wait, [self = shared_from_this()] { self->RunNext(); });
    source_.controllers.Post([self = shared_from_this()] { self->Run(); });
  }

  void Run() {
    Job job = std::move(jobs_.front());
    jobs_.pop_front();
    const base::Duration start = SteadyNow();
    std::string revision = epoch_ + std::to_string(source_.revision());
    std::optional<Print> print;
    if (revision != job.known_revision)
      print = job.compute(source_.cluster(), source_.controllers.Now());
    job.then(std::move(revision), std::move(print));
    budget_.Pay({SteadyNow().nanos - start.nanos});
    if (!jobs_.empty()) RunNext();
  }

  StateSource source_;
  std::string epoch_;
  std::deque<Job> jobs_;
  ThreadBudget budget_;
};

Answers::Answers(StateSource source, std::string epoch)
    : source_(std::move(source)),
      epoch_(std::move(epoch)),
      queue_(std::make_shared<Queue>(source_, epoch_)) {}

Answers::~Answers() {
  std::promise<void> done;
  source_.controllers.Post([&] { done.set_value(); });
  done.get_future().wait();
}

void Answers::Get(const std::string& key, store::Executor& executor, Compute compute, Then then) {
  const auto kept = kept_.find(key);
  if (kept != kept_.end() && executor.Now() - kept->second.computed_at < kFresh)
    return then(kept->second.answer);
  std::vector<Then>& waiting = waiting_[key];
  waiting.push_back(std::move(then));
  if (waiting.size() == 1) Start(key, executor, std::move(compute));
}

void Answers::Start(const std::string& key, store::Executor& executor, Compute compute) {
  const auto found = kept_.find(key);
  const Answer kept = found == kept_.end() ? Answer() : found->second.answer;
  Job job{.known_revision = kept.revision,
          .compute = std::move(compute),
          .then = [this, key, &executor, kept](std::string revision, std::optional<Print> print) {
            executor.Post([this, key, &executor, kept, revision = std::move(revision),
                           print = std::move(print)]() mutable {
              if (!print) return Finish(key, kept, executor.Now());
              std::string text = (*print)(revision);
              Finish(key,
                     {.text = text.empty() ? nullptr : http::Share(std::move(text)),
                      .revision = std::move(revision)},
                     executor.Now());
            });
          }};
  source_.controllers.Post(
      [queue = queue_, job = std::move(job)]() mutable { queue->Add(std::move(job)); });
}

void Answers::Finish(const std::string& key, const Answer& answer, base::Time now) {
  Keep(key, answer, now);
  for (Then& then : std::exchange(waiting_[key], {})) then(answer);
  if (waiting_[key].empty()) waiting_.erase(key);
}

void Answers::Keep(const std::string& key, const Answer& answer, base::Time now) {
  const size_t size = answer.text ? answer.text->size() : 0;
  if (kept_.size() >= kMostKept || kept_bytes_ + size > kMostKeptBytes) {
    kept_.clear();
    kept_bytes_ = 0;
  }
  const auto [entry, is_new] = kept_.try_emplace(key);
  if (!is_new && entry->second.answer.text) kept_bytes_ -= entry->second.answer.text->size();
  entry->second = {.answer = answer, .computed_at = now};
  kept_bytes_ += size;
}

}  // namespace berth::dashboard
