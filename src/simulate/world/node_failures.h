#pragma once

// Nodes that fail by chance and are repaired. Each node draws its times on its own, so that they do
// not depend on other events.

#include <cstdint>
#include <optional>
#include <queue>
#include <string_view>
#include <vector>

#include "api/core/node.h"
#include "base/time.h"
#include "simulate/input.h"

namespace berth::simulate {

inline constexpr std::string_view kReadyCondition = "Ready";
// Whether the condition Ready is True.
bool IsReadyNode(const api::Node& node);

class NodeFailures {
 public:
  // The input must outlive this.
  NodeFailures(const Input& input, uint64_t seed);

  std::optional<base::Time> NextFailure() const { return NextOf(failures_); }
  std::optional<base::Time> NextRepair() const { return NextOf(repairs_); }

  // Remove and return the node of the next event that is due; nullopt if there is none. Nodes are
  // indices into Input::objects.
  std::optional<uint32_t> TakeFailure(base::Time now);
  std::optional<uint32_t> TakeRepair(base::Time now);
  // Failures that are due happen later instead: their time is drawn again, from now.
  void Postpone(base::Time now);

 private:
  struct Event {
    base::Time at;
    uint32_t node = 0;
    uint32_t pool = 0;   // index into Input::failing_nodes
    uint32_t draws = 0;  // of the node so far
    friend auto operator<=>(const Event&, const Event&) = default;
  };
  using Events = std::priority_queue<Event, std::vector<Event>, std::greater<>>;

  static std::optional<base::Time> NextOf(const Events& events) {
    return events.empty() ? std::nullopt : std::optional(events.top().at);
  }
  static std::optional<Event> Take(Events& events, base::Time now);
  // Adds the next event of the node.
  void AddAfter(base::Time at, Event before, const Distribution& after, Events& to);

  const Input& input_;
  uint64_t seed_;
  Events failures_;
  Events repairs_;
};

}  // namespace berth::simulate
