#pragma once

// Matches pods against the nodes of a ResourceFlavor.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/core/node_selector.h"
#include "api/core/pod_spec.h"
#include "api/core/toleration.h"
#include "api/kueue/resource_flavor.h"
#include "base/flat_map.h"
#include "workload/node_rules.h"

namespace berth::workload {

enum class FlavorFit : uint8_t {
  kMatch,
  kUntoleratedTaint,
  kAffinity,           // the node selector or required node affinity does not match
  kMalformedAffinity,  // no term matches, and one of them is malformed
};

struct FlavorVerdict {
  FlavorFit fit = FlavorFit::kMatch;
  const api::Taint* taint = nullptr;  // of kUntoleratedTaint; owned by the FlavorMatcher
  size_t pod = 0;                     // index of the first pod that does not match

  bool is_match() const { return fit == FlavorFit::kMatch; }
};

// `{key value effect <nil>}`, the format of Kueue's messages.
std::string TaintText(const api::Taint& taint);

// A compiled flavor. The rules, in this order:
//   1. Every taint NoSchedule or NoExecute must be tolerated, by the pod or by the flavor's own
//      tolerations. Gt and Lt tolerate taints whose value is greater or less than the
//      toleration's, both whole numbers in plain decimal.
//   2. The node selector must match.
//   3. One term of the required node affinity must match. Field selectors and preferred affinity
//      are ignored.
// Selector and affinity are restricted to the label keys of the flavor; a flavor without labels
// matches any. An empty term matches, and so does an empty list of terms.
class FlavorMatcher {
 public:
  explicit FlavorMatcher(const api::ResourceFlavorSpec& flavor);

  // Not copyable: verdicts point to its taints.
  FlavorMatcher(const FlavorMatcher&) = delete;
  FlavorMatcher& operator=(const FlavorMatcher&) = delete;
  FlavorMatcher(FlavorMatcher&&) = default;
  FlavorMatcher& operator=(FlavorMatcher&&) = default;

  FlavorVerdict Match(const api::PodSpec& pod) const;
  // For pods that must share one flavor: the verdict of the first pod that does not match.
  FlavorVerdict Match(std::span<const api::PodSpec* const> pods) const;

 private:
  enum class TermMatch : uint8_t { kIrrelevant, kHolds, kFails, kMalformed };

  const api::Taint* UntoleratedBy(const std::vector<api::Toleration>& tolerations) const;
  bool SelectorHolds(const base::FlatMap<std::string>& node_selector) const;
  FlavorFit MatchAffinity(const api::PodSpec& pod) const;
  TermMatch MatchTerm(const api::NodeSelectorTerm& term) const;
  static TermMatch MatchExpression(const api::NodeSelectorRequirement& expression,
                                   const NumberedLabel& label);

  base::FlatMap<NumberedLabel> labels_;
  std::vector<NumberedTaint> taints_;  // without those that the flavor itself tolerates
};

}  // namespace berth::workload
