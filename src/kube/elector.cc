#include "kube/elector.h"

#include <openssl/rand.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <thread>
#include <utility>

#include "schema/encode.h"
#include "store/inbox.h"
#include "store/informer.h"
#include "store/wait_for.h"

namespace berth::kube {
namespace {

// How long a lease is waited for that is given back.
constexpr base::Duration kHandOverLimit = base::Duration::Seconds(5);

base::Time SteadyNow() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return {std::chrono::duration_cast<std::chrono::microseconds>(now).count()};
}

store::Call WriteOf(const api::Lease& lease) {
  const store::Resource resource = store::ResourceOf<api::Lease>();
  if (lease.metadata.resource_version.empty())
    return store::Create{.resource = resource,
                         .namespace_ = lease.metadata.namespace_,
                         .object = schema::Encode(lease),
                         .options = {}};
  return store::Update{.resource = resource,
                       .namespace_ = lease.metadata.namespace_,
                       .name = lease.metadata.name,
                       .object = schema::Encode(lease),
                       .options = {}};
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
      Go();
      inbox_.Run();
      informer_.reset();
    });
  }

  void Stop() {
    inbox_.Stop();
    if (thread_.joinable()) thread_.join();
  }

  // After Stop, on the thread of whoever stops it.
  void Release() {
    const auto lease = election_.Release(Moment());
    leads_until_ = 0;
    if (!lease) return;
    const auto released = store::WaitFor(store_, WriteOf(*lease), kHandOverLimit);
    if (!released) handlers_.log("The lease stays: " + store::ToString(released.error()));
  }

  bool IsLeading() const { return SteadyNow().micros < leads_until_.load(); }

 private:
  Election::Moment Moment() const { return {.steady = SteadyNow(), .wall = inbox_.Now()}; }

  // Only to be quick: without it the lease is looked at every retry period.
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
    if (is_asking_) {
      // Whether the answer that is under way is older or newer, nobody can tell.
      is_change_missed_ = true;
      return;
    }
    election_.OnSeen(std::move(*lease), Moment());
    Go();
  }

  void Go() {
    if (is_asking_ || !CheckLead()) return;
    Election::Step step = election_.Next(Moment());
    if (const auto* wait = std::get_if<Election::Wait>(&step)) return WaitFor(wait->length);
    is_asking_ = true;
    if (std::holds_alternative<Election::Read>(step)) return Read();
    Write(std::get<Election::Write>(step).lease);
  }

  void WaitFor(base::Duration length) {
    const uint64_t number = ++waits_;
    inbox_.PostAfter(length, [this, number] {
      if (number == waits_) Go();
    });
  }

  void OnAnswered() {
    is_asking_ = false;
    if (std::exchange(is_change_missed_, false)) election_.LookAgain(Moment());
    Go();
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
    store_.Do(WriteOf(lease), inbox_, [this](store::Outcome<store::Reply> reply) {
      auto written = LeaseIn(std::move(reply));
      if (!written && !written.error().IsConflict() && !written.error().IsAlreadyExists())
        handlers_.log("The lease cannot be written: " + store::ToString(written.error()));
      election_.OnWritten(std::move(written), Moment());
      leads_until_ = election_.leads_until().micros;
      // An answer that never comes must not hide that the time is up.
      inbox_.PostAfter(settings_.renew_deadline, [this] { CheckLead(); });
      OnAnswered();
    });
  }

  // False if all is over.
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
  std::atomic<int64_t> leads_until_ = 0;  // in microseconds of the steady clock
  uint64_t waits_ = 0;
  bool is_asking_ = false;
  bool is_change_missed_ = false;
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
  std::string text = std::string(host.data()) + "_";
  for (const unsigned char byte : bytes) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

}  // namespace berth::kube
