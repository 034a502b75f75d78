#pragma once

// What of a node decides whether pods can stay there: whether it is ready, and the taints that keep
// pods off.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/core/node.h"
#include "api/core/toleration.h"
#include "base/time.h"

namespace berth::control {

struct NodeHealth {
  enum class Readiness : uint8_t { kReady, kNotReady, kUnreported };  // the last: no such condition
  Readiness readiness = Readiness::kUnreported;
  base::Time not_ready_since;  // only of kNotReady
  std::vector<api::Taint> taints;
  std::string name;  // of the node, which may differ from its host name

  static NodeHealth From(const api::Node& node);

  friend bool operator==(const NodeHealth&, const NodeHealth&) = default;
};

// The nodes by the value of their label kubernetes.io/hostname, as topology assignments name them,
// or by name without the label. Of several nodes with one host name the first by name counts.
class NodeHealthCache {
 public:
  // Returns the host names whose health changed. A heartbeat that changes nothing is one look-up.
  std::set<std::string> Upsert(const api::Node& node);
  std::set<std::string> Erase(std::string_view name);

  // Null if there is no such node.
  const NodeHealth* Find(std::string_view host) const;

 private:
  struct Known {
    std::string host;
    NodeHealth health;

    friend bool operator==(const Known&, const Known&) = default;
  };

  std::map<std::string, Known, std::less<>> nodes_;                    // by name
  std::map<std::string, std::set<std::string>, std::less<>> by_host_;  // names
};

}  // namespace berth::control
