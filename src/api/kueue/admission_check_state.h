#pragma once

// States of the admission checks of a Workload.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/core/toleration.h"
#include "base/flat_map.h"
#include "base/time.h"
#include "schema/describe.h"

namespace berth::api {

inline constexpr std::string_view kCheckPending = "Pending";
inline constexpr std::string_view kCheckReady = "Ready";
inline constexpr std::string_view kCheckRetry = "Retry";        // evict and retry
inline constexpr std::string_view kCheckRejected = "Rejected";  // deactivate
inline constexpr std::string_view kCheckStates[] = {kCheckPending, kCheckReady, kCheckRetry,
                                                    kCheckRejected};

// Additions of a check to the pods of a pod set.
struct PodSetUpdate {
  std::string name;
  base::FlatMap<std::string> labels;
  base::FlatMap<std::string> annotations;
  base::FlatMap<std::string> node_selector;
  std::vector<Toleration> tolerations;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const PodSetUpdate&, const PodSetUpdate&) = default;
};

struct AdmissionCheckState {
  std::string name;
  std::string state;
  std::optional<base::Time> last_transition_time;
  std::string message;
  std::optional<int32_t> requeue_after_seconds;
  std::optional<int32_t> retry_count;
  std::vector<PodSetUpdate> pod_set_updates;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const AdmissionCheckState&, const AdmissionCheckState&) = default;
};

}  // namespace berth::api

// Compiled once, in admission_check_state.cc.
extern template class std::vector<berth::api::AdmissionCheckState>;
extern template class std::vector<berth::api::PodSetUpdate>;
