#pragma once

// A store whose answers the test gives, and an executor whose time the test advances.

#include <deque>
#include <map>
#include <utility>

#include "store/store.h"

namespace berth::control::testing {

class ManualStore final : public store::Store {
 public:
  void Do(store::Call call, store::Executor&, store::Answer answer) override {
    calls.push_back(std::move(call));
    answers_.push_back(std::move(answer));
  }
  store::Subscription Subscribe(store::Watch, store::Executor&, store::EventSink) override {
    return {};
  }

  // Answers the oldest call that has no answer yet.
  void Answer(store::Outcome<store::Reply> outcome) {
    store::Answer answer = std::move(answers_.front());
    answers_.pop_front();
    answer(std::move(outcome));
  }

  size_t under_way() const { return answers_.size(); }

  std::deque<store::Call> calls;  // all calls so far

 private:
  std::deque<store::Answer> answers_;
};

class ManualExecutor final : public store::Executor {
 public:
  void Post(store::Task task) override { PostAfter({}, std::move(task)); }
  void PostAfter(base::Duration delay, store::Task task) override {
    later_.emplace(now_ + delay, std::move(task));
  }
  base::Time Now() const override { return now_; }

  void Advance(base::Duration step) {
    now_ = now_ + step;
    while (!later_.empty() && later_.begin()->first <= now_) {
      store::Task task = std::move(later_.begin()->second);
      later_.erase(later_.begin());
      task();
    }
  }

 private:
  base::Time now_ = *base::ParseTime("2030-01-01T00:00:00Z");
  std::multimap<base::Time, store::Task> later_;
};

}  // namespace berth::control::testing
