#include "dashboard/updates.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <mutex>
#include <set>
#include <utility>

namespace berth::dashboard {

struct Updates::Subscriber {
  std::string client;
  store::Executor* executor = nullptr;
  std::shared_ptr<http::Stream> stream;
  std::string revision;  // that it was told
  base::Time began;
  base::Time told;

  // On its executor. False if the stream ended.
  bool Send(const std::string& now_revision);
};

// An executor is alive as long as it has a subscriber.
class Updates::Subscribers : public std::enable_shared_from_this<Subscribers> {
 public:
  Subscribers(StateSource source, std::string epoch)
      : source_(std::move(source)), epoch_(std::move(epoch)) {}

  bool HasRoomFor(const std::string& client) const {
    const std::lock_guard lock(mutex_);
    return static_cast<size_t>(std::ranges::count_if(all_, [&](const auto& entry) {
             return entry.second.client == client;
           })) < kMostStreams;
  }

  uint64_t NewId() {
    const std::lock_guard lock(mutex_);
    return next_id_++;
  }

  void Add(uint64_t id, Subscriber subscriber) {
    const std::lock_guard lock(mutex_);
    all_[id] = std::move(subscriber);
    if (!std::exchange(is_looking_, true))
      source_.controllers.Post([self = shared_from_this()] { self->Look(); });
  }

  void Remove(uint64_t id) {
    const std::lock_guard lock(mutex_);
    all_.erase(id);
  }

 private:
  // On the controllers' thread.
  void Look() {
    const std::lock_guard lock(mutex_);
    is_looking_ = !all_.empty();
    if (!is_looking_) return;
    std::set<store::Executor*> executors;
    for (const auto& [id, subscriber] : all_) executors.insert(subscriber.executor);
    const std::string revision = epoch_ + std::to_string(source_.revision());
    for (store::Executor* executor : executors)
      executor->Post([self = shared_from_this(), executor, revision] {
        self->TellAllOn(*executor, revision);
      });
    source_.controllers.PostAfter(kPeriod, [self = shared_from_this()] { self->Look(); });
  }

  void TellAllOn(const store::Executor& executor, const std::string& revision) {
    const std::lock_guard lock(mutex_);
    for (auto entry = all_.begin(); entry != all_.end();) {
      const bool is_here = entry->second.executor == &executor;
      entry = is_here && !entry->second.Send(revision) ? all_.erase(entry) : std::next(entry);
    }
  }

  StateSource source_;
  std::string epoch_;
  mutable std::mutex mutex_;  // guards the members below
  std::map<uint64_t, Subscriber> all_;
  uint64_t next_id_ = 0;
  bool is_looking_ = false;
};

bool Updates::Subscriber::Send(const std::string& now_revision) {
  const base::Time now = executor->Now();
  if (now - began > kLongest) {
    stream->Close();
    return false;
  }
  if (revision != now_revision) {
    stream->Write("event: change\ndata: {\"revision\":\"", http::Share(now_revision), "\"}\n\n");
  } else if (now - told > kComment) {
    stream->Write(": alive\n\n", http::Share(""), "");
  } else {
    return true;
  }
  revision = now_revision;
  told = now;
  return true;
}

Updates::Updates(StateSource source, std::string epoch)
    : subscribers_(std::make_shared<Subscribers>(std::move(source), std::move(epoch))) {}

void Updates::Begin(const std::string& client, http::Response head, http::Exchange& exchange) {
  if (!subscribers_->HasRoomFor(client)) {
    http::Response refusal =
        http::StatusResponse(429, "TooManyRequests",
                             "too many streams of updates; the limit is " +
                                 std::to_string(kMostStreams) + " for each user");
    refusal.headers.emplace_back("Retry-After", "5");
    return exchange.Respond(std::move(refusal));
  }
  head.content_type = "text/event-stream";
  const uint64_t id = subscribers_->NewId();
  auto stream = exchange.BeginStream(
      std::move(head),
      {.on_writable = nullptr, .on_closed = [all = subscribers_, id] { all->Remove(id); }});
  if (stream == nullptr) return;
  const base::Time now = exchange.executor().Now();
  subscribers_->Add(id, {.client = client,
                         .executor = &exchange.executor(),
                         .stream = std::move(stream),
                         .began = now,
                         .told = now});
}

}  // namespace berth::dashboard
