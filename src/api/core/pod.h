#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/core/core_condition.h"
#include "api/core/pod_spec.h"
#include "api/meta/meta.h"
#include "base/time.h"
#include "schema/describe.h"

namespace berth::api {

inline constexpr std::string_view kPodPending = "Pending";
inline constexpr std::string_view kPodRunning = "Running";
inline constexpr std::string_view kPodSucceeded = "Succeeded";
inline constexpr std::string_view kPodFailed = "Failed";
inline constexpr std::string_view kPodUnknown = "Unknown";

// The claim created from a template of the pod.
struct PodResourceClaimStatus {
  std::string name;
  std::optional<std::string> resource_claim_name;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const PodResourceClaimStatus&, const PodResourceClaimStatus&) = default;
};

struct PodStatus {
  int64_t observed_generation = 0;
  std::string phase;
  std::vector<CoreCondition> conditions;
  std::string message;
  std::string reason;
  std::optional<base::Time> start_time;
  std::vector<PodResourceClaimStatus> resource_claim_statuses;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const PodStatus&, const PodStatus&) = default;
};

struct Pod {
  ObjectMeta metadata;
  PodSpec spec;
  PodStatus status;
  schema::Extra extra;

  static const schema::Kind& KindInfo();
  static const schema::Struct& Description();
  friend bool operator==(const Pod&, const Pod&) = default;
};

}  // namespace berth::api

// Compiled once, in pod.cc.
extern template class std::vector<berth::api::PodResourceClaimStatus>;
