#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "kube/access.h"
#include "kube/retry.h"
#include "store/store.h"

namespace berth::kube {

struct ClientOptions {
  // Client-side rate limit (QPS and burst); watches are exempt. No limit if the rate is not
  // positive.
  double requests_per_second = 300;
  int burst = 500;
  size_t connections = 64;
  base::Duration answer_limit = base::Duration::Seconds(60);
  RetrySettings retry;
  std::string user_agent = "berth";
  // Checked before each write is sent, on the client's thread; false fails the write as
  // Unavailable. Fences a replica that has lost its lease.
  std::function<bool()> may_write = [] { return true; };
};

// A Store over HTTPS, for any Kubernetes API server.
//
// Requests are retried where that is safe (retry.h). A broken watch is not: it fails, and the
// reflector resumes it from the last version.
//
// The client must outlive its subscriptions. Requests in flight at destruction get no answer.
class Client final : public store::Store {
 public:
  // Does not connect yet: an unreachable server fails each request.
  static base::Result<std::unique_ptr<Client>> Make(Access access, ClientOptions options = {});
  ~Client() override;

  void Do(store::Call call, store::Executor& executor, store::Answer answer) override;
  [[nodiscard]] store::Subscription Subscribe(store::Watch watch, store::Executor& executor,
                                              store::EventSink sink) override;

 private:
  class Core;
  explicit Client(std::unique_ptr<Core> core);

  std::unique_ptr<Core> core_;
};

}  // namespace berth::kube
