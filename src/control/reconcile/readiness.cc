#include "control/reconcile/readiness.h"

#include <string>
#include <string_view>

#include "api/kueue/well_known.h"
#include "api/meta/conditions.h"
#include "lifecycle/messages.h"
#include "workload/status_changes.h"

namespace berth::control {
namespace {

namespace condition = api::condition;
namespace reason = api::reason;

struct Readiness {
  bool is_ready = false;
  std::string_view reason = reason::kWaitForStart;
  std::string message = lifecycle::messages::PodsNotReady();
};

Readiness ReadinessOf(const api::Workload& workload, const api::Condition* known, bool are_ready) {
  if (!workload::IsAdmitted(workload)) return {};
  if (are_ready) {
    const bool was_lost = known != nullptr && (known->reason == reason::kWaitForRecovery ||
                                               known->reason == reason::kRecovered);
    return {true, was_lost ? reason::kRecovered : reason::kStarted,
            lifecycle::messages::PodsReady()};
  }
  const bool was_ready = known != nullptr && (known->status == api::kConditionTrue ||
                                              known->reason == reason::kWaitForRecovery);
  if (was_ready) return {false, reason::kWaitForRecovery, lifecycle::messages::PodsNoLongerReady()};
  return {};
}

}  // namespace

bool NotePodsReady(api::Workload& workload, bool are_ready, base::Time now) {
  const api::Condition* known =
      api::FindCondition(workload.status.conditions, condition::kPodsReady);
  Readiness readiness = ReadinessOf(workload, known, are_ready);
  if (known != nullptr && known->reason == readiness.reason &&
      (known->status == api::kConditionTrue) == readiness.is_ready)
    return false;
  workload::SetCondition(workload, condition::kPodsReady, readiness.is_ready, readiness.reason,
                         std::move(readiness.message), now);
  return true;
}

}  // namespace berth::control
