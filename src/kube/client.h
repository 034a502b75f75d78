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
  // Requests a second, and at once after a quiet while; watches do not count. Not positive: no
  // limit.
  double requests_per_second = 300;
  int burst = 500;
  size_t connections = 64;
  base::Duration answer_limit = base::Duration::Seconds(60);
  RetrySettings retry;
  std::string user_agent = "berth";
  // Asked right before each write is sent, on a thread of the client's own; if it is false, the
  // write fails as Unavailable. This is how a replica that has lost its lease falls silent.
  std::function<bool()> may_write = [] { return true; };
};

// The port over HTTPS, to any Kubernetes API server.
//
// Requests are tried again where that cannot do harm (retry.h). Watches are not: a broken one
// fails, and whoever watches goes on from the last version (store/reflector.h does).
//
// It must outlive its subscriptions. Requests that are under way when it is destroyed get no
// answer.
class Client final : public store::Store {
 public:
  // Does not wait for a connection: a server that cannot be reached is a failure of each request.
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
