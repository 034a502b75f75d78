#pragma once

// Fair sharing settings and status of ClusterQueues, Cohorts and LocalQueues.

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/flat_map.h"
#include "base/time.h"
#include "quantity/quantity.h"
#include "schema/describe.h"

namespace berth::api {

struct FairSharing {
  std::optional<quantity::Quantity> weight;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const FairSharing&, const FairSharing&) = default;
};

// Status of ClusterQueues and Cohorts.
struct FairSharingStatus {
  int64_t weighted_share = 0;
  schema::Json previous_admission_fair_sharing_status;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const FairSharingStatus&, const FairSharingStatus&) = default;
};

struct AdmissionFairSharingStatus {
  base::FlatMap<quantity::Quantity> consumed_resources;
  std::optional<base::Time> last_update;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const AdmissionFairSharingStatus&,
                         const AdmissionFairSharingStatus&) = default;
};

struct LocalQueueFairSharingStatus {
  int64_t weighted_share = 0;
  std::optional<AdmissionFairSharingStatus> admission_fair_sharing_status;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const LocalQueueFairSharingStatus&,
                         const LocalQueueFairSharingStatus&) = default;
};

inline constexpr std::string_view kUsageBasedAdmissionFairSharing =
    "UsageBasedAdmissionFairSharing";
inline constexpr std::string_view kNoAdmissionFairSharing = "NoAdmissionFairSharing";
inline constexpr std::string_view kAdmissionModes[] = {kUsageBasedAdmissionFairSharing,
                                                       kNoAdmissionFairSharing};

struct AdmissionScope {
  std::string admission_mode;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const AdmissionScope&, const AdmissionScope&) = default;
};

}  // namespace berth::api
