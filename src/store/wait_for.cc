#include "store/wait_for.h"

#include <memory>
#include <optional>
#include <utility>

#include "store/inbox.h"

namespace berth::store {
namespace {

// Shared with the callback, so that a late answer finds valid memory.
struct AnswerSlot {
  Inbox inbox;
  std::optional<Outcome<Reply>> answer;
};

}  // namespace

Outcome<Reply> WaitFor(Store& store, Call call, base::Duration limit) {
  auto slot = std::make_shared<AnswerSlot>();
  store.Do(std::move(call), slot->inbox,
           [slot](Outcome<Reply> outcome) { slot->answer = std::move(outcome); });
  if (!slot->inbox.RunUntil([&] { return slot->answer.has_value(); }, limit))
    return std::unexpected(Unreachable("the API server does not answer"));
  return std::move(*slot->answer);
}

}  // namespace berth::store
