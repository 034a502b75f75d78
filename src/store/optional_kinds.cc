#include "store/optional_kinds.h"

#include <atomic>
#include <string_view>
#include <utility>
#include <variant>

namespace berth::store {
namespace {

// The resource version of a list of a kind that is not served.
constexpr std::string_view kNotServed = "not-served";

// Polls for a kind until it is served.
class KindPoll : public std::enable_shared_from_this<KindPoll> {
 public:
  KindPoll(Store& store, Executor& executor, Watch watch, base::Duration interval, EventSink sink)
      : store_(store),
        executor_(executor),
        watch_(std::move(watch)),
        interval_(interval),
        sink_(std::move(sink)) {}

  void PollLater() {
    executor_.PostAfter(interval_, [weak = weak_from_this()] {
      if (const auto self = weak.lock()) self->Poll();
    });
  }

 private:
  void Poll() {
    store_.Do(List{.resource = watch_.resource, .selection = watch_.selection, .limit = 1},
              executor_, [weak = weak_from_this()](Outcome<Reply> reply) {
                if (const auto self = weak.lock()) self->OnAnswer(reply.has_value());
              });
  }

  void OnAnswer(bool is_served) {
    if (!is_served) return PollLater();
    sink_(std::unexpected(Expired(watch_.resource.GroupResource() + " is served now")));
  }

  Store& store_;
  Executor& executor_;
  Watch watch_;
  base::Duration interval_;
  EventSink sink_;
};

// Owns the poll; everything else holds it weakly.
class KindPollSource final : public Subscription::Source {
 public:
  explicit KindPollSource(std::shared_ptr<KindPoll> poll) : poll_(std::move(poll)) {}

 private:
  std::shared_ptr<KindPoll> poll_;
};

Outcome<Reply> EmptyIfNotServed(Outcome<Reply> reply) {
  if (reply || !reply.error().IsNotFound()) return reply;
  Reply empty;
  empty.resource_version = kNotServed;
  return empty;
}

}  // namespace

void OptionalKinds::Do(Call call, Executor& executor, Answer answer) {
  if (!std::holds_alternative<List>(call))
    return store_.Do(std::move(call), executor, std::move(answer));
  store_.Do(std::move(call), executor, [answer = std::move(answer)](Outcome<Reply> reply) mutable {
    answer(EmptyIfNotServed(std::move(reply)));
  });
}

Subscription OptionalKinds::Subscribe(Watch watch, Executor& executor, EventSink sink) {
  if (watch.resource_version != kNotServed)
    return store_.Subscribe(std::move(watch), executor, std::move(sink));
  auto poll = std::make_shared<KindPoll>(store_, executor, std::move(watch), options_.interval,
                                         std::move(sink));
  poll->PollLater();
  return Subscription(std::make_unique<KindPollSource>(std::move(poll)));
}

}  // namespace berth::store
