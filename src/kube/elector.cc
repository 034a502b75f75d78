#include "kube/elector.h"

#include <openssl/rand.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <thread>
#include <utility>

#include "base/hex.h"
#include "store/create_or_update.h"
#include "store/inbox.h"
#include "store/informer.h"
#include "store/wait_for.h"

namespace berth::kube {
namespace {

// Time limit for releasing the lease.
constexpr base::Duration kHandOverLimit = base::Duration::Seconds(5);

base::Time SteadyNow() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return {std::chrono::duration_cast<std::chrono::microseconds>(now).count()};
}

store::Outcome<api::Lease> LeaseIn(store::Outcome<store::Reply> reply) {
  if (!reply) return std::unexpected(reply.error());
  auto lease = reply->object.Decode<api::Lease>();
  if (!lease) return std::unexpected(store::Unreachable("the Lease cannot be read"));
  return std::move(*lease);
}

}  // namespace

class Elector::Run {
 public:
  Run(store::Store& store, ElectionSettings settings, Handlers handlers)
      : store_(store),
        settings_(settings),
        handlers_(std::move(handlers)),
        election_(std::move(settings)) {}

  void Start() {
    thread_ = std::thread([this] {
      Watch();
      Step();
      inbox_.Run();
      informer_.reset();
    });
  }

  void Stop() {
    inbox_.Stop();
    if (thread_.joinable()) thread_.join();
  }

  // Call after Stop, on the same thread.
  void Release() {
    const auto lease = election_.Release(Moment());
    leads_until_ = 0;
    if (!lease) return;
    const auto released = store::WaitFor(store_, store::CreateOrUpdate(*lease), kHandOverLimit);
    if (!released) handlers_.log("The lease stays: " + store::ToString(released.error()));
  }

  bool IsLeading() const { return SteadyNow().micros < leads_until_.load(); }

 private:
  Election::Moment Moment() const { return {.steady = SteadyNow(), .wall = inbox_.Now()}; }

  // Only for latency: without the watch the lease is polled every retry period.
  void Watch() {
    informer_ = std::make_unique<store::Informer>(
        store_, inbox_, store::ResourceOf<api::Lease>(),
        store::Selection{.namespace_ = settings_.namespace_,
                         .field_selector = "metadata.name=" + settings_.name},
        store::Informer::Handlers{.on_change = [this](const store::Change& change) {
          if (change.after != nullptr) OnChange(*change.after);
        }});
  }

  void OnChange(const store::Object& object) {
    auto lease = object.Decode<api::Lease>();
    if (!lease || lease->spec.holder_identity == settings_.identity) return;
    if (is_request_pending_) {
      // The change may be older or newer than the pending response.
      has_missed_change_ = true;
      return;
    }
    election_.OnObserved(std::move(*lease), Moment());
    Step();
  }

  void Step() {
    if (is_request_pending_ || !CheckLead()) return;
    Election::Step step = election_.Next(Moment());
    if (const auto* wait = std::get_if<Election::Wait>(&step)) return RetryAfter(wait->length);
    is_request_pending_ = true;
    if (std::holds_alternative<Election::Read>(step)) return Read();
    Write(std::get<Election::Write>(step).lease);
  }

  void RetryAfter(base::Duration length) {
    const uint64_t number = ++timers_;
    inbox_.PostAfter(length, [this, number] {
      if (number == timers_) Step();
    });
  }

  void OnAnswered() {
    is_request_pending_ = false;
    if (std::exchange(has_missed_change_, false)) election_.Invalidate(Moment());
    Step();
  }

  void Read() {
    store_.Do(store::Get{.resource = store::ResourceOf<api::Lease>(),
                         .namespace_ = settings_.namespace_,
                         .name = settings_.name},
              inbox_, [this](store::Outcome<store::Reply> reply) {
                OnRead(LeaseIn(std::move(reply)));
                OnAnswered();
              });
  }

  void OnRead(store::Outcome<api::Lease> lease) {
    if (lease) return election_.OnRead(std::optional(std::move(*lease)), Moment());
    if (lease.error().IsNotFound()) return election_.OnRead(std::nullopt, Moment());
    handlers_.log("The lease cannot be read: " + store::ToString(lease.error()));
    election_.OnRead(std::unexpected(lease.error()), Moment());
  }

  void Write(const api::Lease& lease) {
    store_.Do(store::CreateOrUpdate(lease), inbox_, [this](store::Outcome<store::Reply> reply) {
      auto written = LeaseIn(std::move(reply));
      if (!written && !written.error().IsConflict() && !written.error().IsAlreadyExists())
        handlers_.log("The lease cannot be written: " + store::ToString(written.error()));
      election_.OnWritten(std::move(written), Moment());
      leads_until_ = election_.leads_until().micros;
      // Notice the renew deadline even if no response arrives.
      inbox_.PostAfter(settings_.renew_deadline, [this] { CheckLead(); });
      OnAnswered();
    });
  }

  // False after the lease was lost.
  bool CheckLead() {
    if (is_over_) return false;
    const base::Time now = SteadyNow();
    if (election_.HasLost(now)) {
      is_over_ = true;
      if (handlers_.on_lost) handlers_.on_lost();
      return false;
    }
    if (election_.IsLeading(now) && !std::exchange(has_led_, true) && handlers_.on_leading)
      handlers_.on_leading();
    return true;
  }

  store::Store& store_;
  ElectionSettings settings_;
  Handlers handlers_;
  Election election_;
  store::Inbox inbox_;
  std::unique_ptr<store::Informer> informer_;
  std::atomic<int64_t> leads_until_ = 0;  // microseconds of the steady clock
  uint64_t timers_ = 0;
  bool is_request_pending_ = false;
  bool has_missed_change_ = false;
  bool has_led_ = false;
  bool is_over_ = false;
  std::thread thread_;
};

Elector::Elector(store::Store& store, ElectionSettings settings, Handlers handlers)
    : run_(std::make_unique<Run>(store, std::move(settings), std::move(handlers))) {
  run_->Start();
}

Elector::~Elector() { run_->Stop(); }

bool Elector::IsLeading() const { return run_->IsLeading(); }

void Elector::HandOver() {
  run_->Stop();
  run_->Release();
}

std::string NewIdentity() {
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  std::array<unsigned char, 16> bytes;
  RAND_bytes(bytes.data(), static_cast<int>(bytes.size()));
  return std::string(host.data()) + "_" + base::LowerHex(bytes);
}

}  // namespace berth::kube
