#pragma once

// The server side of the dashboard: its pages, and the query API that they read.
// docs/reference/dashboard.md describes every answer.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "dashboard/answers.h"
#include "dashboard/gate.h"
#include "dashboard/past.h"
#include "dashboard/route.h"
#include "dashboard/state_source.h"
#include "dashboard/token_bucket.h"
#include "dashboard/updates.h"
#include "dashboard/what_if.h"
#include "http/message.h"
#include "query/usage_history.h"
#include "query/viewer.h"

namespace berth::dashboard {

// Serves one thread: all exchanges must have the same executor. It must be destroyed after its
// server has stopped, and before that is destroyed.
class Dashboard final : public http::Handler {
 public:
  struct Options {
    std::string mode;     // "local" or "cluster"
    std::string version;  // of Berth
    // The names under which a browser may reach the server, without port. Others are refused, so
    // that a page of a foreign site cannot read answers by resolving its own name to this address.
    // Empty: all, where tokens are not printed in addresses.
    std::vector<std::string> hosts;
    WhatIf::Options what_if;
    std::filesystem::path journal = {};  // of this process; "" if none is kept
  };

  // The source and the gate must outlive this.
  Dashboard(StateSource source, Gate& gate, Options options);
  ~Dashboard() override;

  void Handle(http::Request request, std::shared_ptr<http::Exchange> exchange) override;
  // The gate authenticates, not the server.
  bool IsOpenToAll(std::string_view) const override { return true; }

 private:
  struct Ask;
  struct History;

  bool IsKnownHost(std::string_view host) const;
  void ServeFile(const Route& route, const http::Request& request, http::Exchange& exchange) const;
  void ServeApi(const std::shared_ptr<Ask>& ask);
  void Serve(const std::shared_ptr<Ask>& ask);
  void ServeSession(const Ask& ask) const;
  void ServeWorkloads(const std::shared_ptr<Ask>& ask);
  void ServeQueue(const std::shared_ptr<Ask>& ask);
  void ServeWorkload(const std::shared_ptr<Ask>& ask);
  void ServeManifest(const std::shared_ptr<Ask>& ask);
  void ServePlan(const std::shared_ptr<Ask>& ask);
  void ServeEstimate(const std::shared_ptr<Ask>& ask);
  void ServeLife(const std::shared_ptr<Ask>& ask);
  void ServePastQueue(const std::shared_ptr<Ask>& ask);
  void ServeHistory(const std::shared_ptr<Ask>& ask);
  // Answers with a kept or new answer to the target; `moment`: that it is about, "" for now.
  void Answer(const std::shared_ptr<Ask>& ask, Answers::Compute compute,
              const std::string& moment = {});
  void Sample();

  StateSource source_;
  Gate& gate_;
  Options options_;
  std::string epoch_;  // begins all revisions, so that they differ from those of another process
  Answers answers_;
  Updates updates_;
  WhatIf what_if_;
  Past past_;
  TokenBuckets requests_;  // by user
  TokenBuckets failures_;  // of authentication, by IP address
  std::shared_ptr<History> history_;
};

}  // namespace berth::dashboard
