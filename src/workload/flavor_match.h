#pragma once

// Whether pods may run on the nodes of a ResourceFlavor.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/node_selector.h"
#include "api/pod_spec.h"
#include "api/resource_flavor.h"
#include "api/toleration.h"
#include "base/flat_map.h"

namespace berth::workload {

enum class FlavorFit : uint8_t {
  kMatch,
  kUntoleratedTaint,
  kAffinity,           // node selector or required node affinity point elsewhere
  kMalformedAffinity,  // no term holds, and one of them cannot be understood
};

struct FlavorVerdict {
  FlavorFit fit = FlavorFit::kMatch;
  const api::Taint* taint = nullptr;  // with kUntoleratedTaint; lives as long as the FlavorMatcher
  size_t pod = 0;                     // the first that does not suit, where several were asked for

  bool is_match() const { return fit == FlavorFit::kMatch; }
};

// `{key value effect <nil>}`, as Kueue's messages have it.
std::string TaintText(const api::Taint& taint);

// A flavor made ready for many pods. The rules, in this order:
//   1. Every taint NoSchedule or NoExecute must be tolerated, by the pod or by the flavor's own
//      tolerations. Gt and Lt tolerate taints whose value is greater or less than the
//      toleration's, both whole numbers in plain decimal.
//   2. The node selector must hold.
//   3. One term of the required node affinity must hold. Field selectors and preferred affinity
//      do not matter.
// Of selector and affinity only what is about label keys of this flavor is looked at; a flavor
// without labels suits any. A term with nothing left holds, and so does a list without terms.
class FlavorMatcher {
 public:
  explicit FlavorMatcher(const api::ResourceFlavorSpec& flavor);

  // Copies would leave the taints of earlier verdicts behind.
  FlavorMatcher(const FlavorMatcher&) = delete;
  FlavorMatcher& operator=(const FlavorMatcher&) = delete;
  FlavorMatcher(FlavorMatcher&&) = default;
  FlavorMatcher& operator=(FlavorMatcher&&) = default;

  FlavorVerdict Match(const api::PodSpec& pod) const;
  // Pods that must share one flavor: what is wrong with the first that does not suit.
  FlavorVerdict Match(std::span<const api::PodSpec* const> pods) const;

 private:
  struct Label {
    std::string value;
    std::optional<int64_t> number;
    bool is_valid_key = true;
  };
  struct NumberedTaint {
    api::Taint taint;
    std::optional<int64_t> number;
  };
  enum class TermMatch : uint8_t { kIrrelevant, kHolds, kFails, kMalformed };

  static bool Tolerates(const api::Toleration& toleration, const NumberedTaint& taint);
  const api::Taint* UntoleratedBy(const std::vector<api::Toleration>& tolerations) const;
  bool SelectorHolds(const base::FlatMap<std::string>& node_selector) const;
  FlavorFit MatchAffinity(const api::PodSpec& pod) const;
  TermMatch MatchTerm(const api::NodeSelectorTerm& term) const;
  static TermMatch MatchExpression(const api::NodeSelectorRequirement& expression,
                                   const Label& label);

  base::FlatMap<Label> labels_;
  std::vector<NumberedTaint> taints_;  // those that the flavor itself does not tolerate
};

}  // namespace berth::workload
