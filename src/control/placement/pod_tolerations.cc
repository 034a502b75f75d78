#include "control/placement/pod_tolerations.h"

#include <algorithm>
#include <iterator>
#include <span>

#include "workload/node_rules.h"

namespace berth::control {
namespace {

Tolerance ToleranceTo(const api::Taint& taint, std::span<const api::Toleration> tolerations) {
  const auto numbered = workload::NumberedTaint::From(taint);
  Tolerance best = Tolerance::kNone;
  for (const api::Toleration& toleration : tolerations) {
    if (!workload::Tolerates(toleration, numbered)) continue;
    if (!toleration.toleration_seconds) return Tolerance::kForGood;
    best = Tolerance::kForLimitedTime;
  }
  return best;
}

}  // namespace

PodTolerations PodTolerations::Of(const api::Workload& workload,
                                  const jobs::FindFlavor& find_flavor) {
  PodTolerations pods;
  for (const api::PodSet& pod_set : workload.spec.pod_sets)
    pods.tolerations_[pod_set.name] = pod_set.template_.spec.tolerations;
  const auto infos = jobs::InfosFromAdmission(workload, find_flavor, {});
  if (!infos) return pods;
  for (const jobs::PodSetInfo& info : *infos)
    std::ranges::copy(info.tolerations, std::back_inserter(pods.tolerations_[info.name]));
  return pods;
}

Tolerance PodTolerations::To(const NodeHealth& node,
                             const std::vector<std::string>& pod_sets) const {
  Tolerance worst = Tolerance::kForGood;
  for (const std::string& pod_set : pod_sets) {
    const auto known = tolerations_.find(pod_set);
    const std::span<const api::Toleration> tolerations =
        known == tolerations_.end() ? std::span<const api::Toleration>() : known->second;
    for (const api::Taint& taint : node.taints)
      worst = std::max(worst, ToleranceTo(taint, tolerations));
  }
  return worst;
}

}  // namespace berth::control
