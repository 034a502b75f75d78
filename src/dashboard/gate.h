#pragma once

#include <expected>
#include <functional>

#include "http/message.h"
#include "query/viewer.h"
#include "store/executor.h"

namespace berth::dashboard {

// Decides who asks, and what the user may see.
class Gate {
 public:
  virtual ~Gate() = default;

  using Verdict = std::expected<query::Viewer, http::Response>;
  // Calls `then` on the executor, which belongs to the calling thread, now or later.
  virtual void Admit(const http::Request& request, store::Executor& executor,
                     std::move_only_function<void(Verdict)> then) = 0;
};

// A server whose users all see everything: those of its tokens.
class LocalGate final : public Gate {
 public:
  void Admit(const http::Request& request, store::Executor& executor,
             std::move_only_function<void(Verdict)> then) override;
};

}  // namespace berth::dashboard
