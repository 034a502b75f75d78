#include "control/write/object_writer.h"

#include <algorithm>
#include <utility>

#include "control/rate_limit.h"
#include "store/resource_version.h"

namespace berth::control {
namespace {

constexpr base::Duration kFirstRetry = base::Duration::Milliseconds(100);

// Of a single object; see rate_limit.h.
constexpr base::Duration kMaxRejectionBackOff = base::Duration::Seconds(60);

// The object that the call writes. A Create has none: the object is not known before.
ObjectKey TargetOf(const store::Call& call) {
  return std::visit(
      []<class T>(const T& c) -> ObjectKey {
        if constexpr (requires { c.name; })
          return ObjectKey::Of(c.resource, c.namespace_, c.name);
        else
          return {};
      },
      call);
}

}  // namespace

int RejectionCounts::Add(const ObjectKey& key, base::Time now) {
  constexpr base::Duration kForgotten{kMaxRejectionBackOff.nanos * 5};
  std::erase_if(counts_, [&](const auto& entry) { return entry.second.last + kForgotten < now; });
  Count& count = counts_[key];
  count.last = now;
  return ++count.rejections;
}

ObjectWriter::ObjectWriter(store::Store& store, store::Executor& executor, EventRecorder& events,
                           Cache cache, OnFailure on_failure)
    : store_(store),
      executor_(executor),
      events_(events),
      cache_(std::move(cache)),
      on_failure_(std::move(on_failure)) {}

void ObjectWriter::Submit(const ObjectKey& key, Sequence sequence) {
  const auto [queue, is_new] = queues_.try_emplace(key);
  queue->second.sequences.push_back(std::move(sequence));
  if (is_new) Advance(key);
}

void ObjectWriter::OnWatchEvent(const ObjectKey& key) {
  const auto queue = queues_.find(key);
  if (queue == queues_.end()) return;
  if (queue->second.state == State::kBackingOff) return ShortenBackOff(key, queue->second);
  if (queue->second.state != State::kWaitingForWatch) return;
  queue->second.state = State::kReady;
  Advance(key);
}

// The plan for another version may not be rejected.
void ObjectWriter::ShortenBackOff(const ObjectKey& key, Queue& queue) {
  if (!queue.shortest_end) return;
  const base::Time end = *std::exchange(queue.shortest_end, std::nullopt);
  const base::Time now = executor_.Now();
  if (end <= now) return OnTimer(key, queue.timer);
  BackOff(key, queue, State::kBackingOff, end - now);
}

// Callbacks may submit more, also for this key: the queue is looked up again after each.
void ObjectWriter::Advance(const ObjectKey& key) {
  for (auto found = queues_.find(key);
       found != queues_.end() && found->second.state == State::kReady; found = queues_.find(key)) {
    Queue& queue = found->second;
    if (queue.next == queue.sequences.front().writes.size()) {
      Finish(key, {.is_written = true});
      continue;
    }
    Start(key, queue, queue.sequences.front().writes[queue.next].build());
  }
}

void ObjectWriter::Start(const ObjectKey& key, Queue& queue, Request request) {
  if (std::holds_alternative<NothingToWrite>(request)) {
    queue.failures = 0;
    ++queue.next;
  } else if (std::holds_alternative<Outdated>(request)) {
    Finish(key, {.is_written = false});
  } else if (const auto* handoff = std::get_if<Handoff>(&request)) {
    queue.state = State::kInFlight;
    (*handoff)(self_.Wrap([this, key](const Result& result) { OnHandoffDone(key, result); }));
  } else {
    Send(key, queue, std::move(std::get<store::Call>(request)));
  }
}

void ObjectWriter::Send(const ObjectKey& key, Queue& queue, store::Call call) {
  queue.state = State::kInFlight;
  queue.target = TargetOf(call);
  queue.sent_version = cache_.find_version(queue.target);
  store_.Do(std::move(call), executor_,
            self_.Wrap([this, key](const store::Outcome<store::Reply>& outcome) {
              OnAnswer(key, outcome);
            }));
}

void ObjectWriter::OnHandoffDone(const ObjectKey& key, const Result& result) {
  Queue& queue = queues_.at(key);
  queue.state = State::kReady;
  if (result.is_written)
    ++queue.next;
  else
    Finish(key, result);
  Advance(key);
}

void ObjectWriter::OnAnswer(const ObjectKey& key, const store::Outcome<store::Reply>& outcome) {
  Queue& queue = queues_.at(key);
  const Write& write = queue.sequences.front().writes[queue.next];
  if (outcome) UpsertReply(queue, *outcome);
  if (write.on_answer) write.on_answer(outcome);
  if (outcome || (outcome.error().IsNotFound() && write.accepts_not_found))
    return CompleteWrite(key, queue);
  const store::Failure& failure = outcome.error();
  if (failure.IsConflict() || failure.IsNotFound() || failure.IsAlreadyExists())
    return OnOvertaken(key, queue, failure);
  OnRejected(key, queue, failure);
}

// The watch may have told of the write already, and of what others did to the object since.
void ObjectWriter::UpsertReply(const Queue& queue, const store::Reply& reply) {
  if (reply.was_removed || queue.target.name.empty()) return;
  const std::optional<std::string> known = cache_.find_version(queue.target);
  if (known && store::IsOlderVersion(*known, reply.object.resource_version))
    cache_.upsert(queue.target, reply.object);
}

void ObjectWriter::CompleteWrite(const ObjectKey& key, Queue& queue) {
  queue.failures = 0;
  queue.state = State::kReady;
  ++queue.next;
  Advance(key);
}

// The server knows another state than the plan. To plan with the known one would only meet the next
// conflict, so the watch has to deliver it first.
void ObjectWriter::OnOvertaken(const ObjectKey& key, Queue& queue, const store::Failure& failure) {
  const bool is_known =
      !failure.IsAlreadyExists() && cache_.find_version(queue.target) != queue.sent_version;
  const bool is_retried =
      failure.IsConflict() && queue.sequences.front().writes[queue.next].max_attempts > 1;
  queue.state = State::kReady;
  if (is_retried && !is_known)
    return BackOff(key, queue, State::kWaitingForWatch, kRejectionBackOff);
  if (!is_retried) Finish(key, {.replan_after = is_known ? base::Duration() : kRejectionBackOff});
  Advance(key);
}

void ObjectWriter::OnRejected(const ObjectKey& key, Queue& queue, const store::Failure& failure) {
  const Write& write = queue.sequences.front().writes[queue.next];
  const int attempts = write.max_attempts;
  const bool is_final = failure.IsFinal() && attempts > 1 && !write.retries_final;
  const bool is_last = ++queue.failures >= attempts || is_final;
  if (is_last) on_failure_(key, failure);
  if (is_last && attempts > 1) {
    queue.state = State::kReady;
    Finish(key, {.is_written = false, .rejection = failure});
    return Advance(key);
  }
  BackOff(key, queue, State::kBackingOff, PauseAfter(key, queue, failure));
}

base::Duration ObjectWriter::PauseAfter(const ObjectKey& key, Queue& queue,
                                        const store::Failure& failure) {
  queue.shortest_end.reset();
  if (queue.sequences.front().writes[queue.next].max_attempts > 1)
    return failure.IsTransient()
               ? DoublingBackOff(kFirstRetry, queue.failures, kMaxRejectionBackOff)
               : kRejectionBackOff;
  if (failure.IsTransient()) return kRejectionBackOff;
  const base::Time now = executor_.Now();
  queue.shortest_end = now + kRejectionBackOff;
  return DoublingBackOff(kRejectionBackOff, rejections_.Add(key, now), kMaxRejectionBackOff);
}

void ObjectWriter::BackOff(const ObjectKey& key, Queue& queue, State state, base::Duration pause) {
  queue.state = state;
  queue.timer = ++last_timer_;
  executor_.PostAfter(pause, self_.Wrap([this, key, timer = queue.timer] { OnTimer(key, timer); }));
}

void ObjectWriter::OnTimer(const ObjectKey& key, uint64_t timer) {
  const auto found = queues_.find(key);
  if (found == queues_.end() || found->second.timer != timer) return;
  Queue& queue = found->second;
  if (queue.state != State::kBackingOff && queue.state != State::kWaitingForWatch) return;
  queue.state = State::kReady;
  if (queue.failures >= queue.sequences.front().writes[queue.next].max_attempts)
    Finish(key, {.is_written = false});
  Advance(key);
}

void ObjectWriter::Finish(const ObjectKey& key, const Result& result) {
  const auto queue = queues_.find(key);
  const Sequence sequence = std::move(queue->second.sequences.front());
  queue->second.sequences.pop_front();
  queue->second.next = 0;
  queue->second.failures = 0;
  if (result.is_written) rejections_.Reset(key);
  if (result.is_written && sequence.events)
    for (const ObjectEvent& event : sequence.events())
      events_.Record(event.regarding, event.controller, event.event);
  if (queue->second.sequences.empty()) queues_.erase(queue);
  if (sequence.on_done) sequence.on_done(result);
  if (result.is_written || !sequence.replan) return;
  if (result.replan_after == base::Duration()) return sequence.replan();
  executor_.PostAfter(result.replan_after, self_.Wrap(sequence.replan));
}

}  // namespace berth::control
