#pragma once

// The device requests of a ResourceClaim (resource.k8s.io).
//
// Previous versions are converted to v1 when read: v1beta2 has the structure of v1; v1beta1 and
// v1alpha3 have the fields of `exactly` in the request itself.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/core/resource_requirements.h"
#include "schema/describe.h"

namespace berth::api {

inline constexpr std::string_view kExactCount = "ExactCount";
inline constexpr std::string_view kAllocateAll = "All";
inline constexpr std::string_view kDeviceAllocationModes[] = {kExactCount, kAllocateAll};

struct CelDeviceSelector {
  std::string expression;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const CelDeviceSelector&, const CelDeviceSelector&) = default;
};

struct DeviceSelector {
  std::optional<CelDeviceSelector> cel;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const DeviceSelector&, const DeviceSelector&) = default;
};

struct DeviceToleration {
  std::string key;
  std::string op;  // "operator" in JSON
  std::string value;
  std::string effect;
  std::optional<int64_t> toleration_seconds;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const DeviceToleration&, const DeviceToleration&) = default;
};

struct CapacityRequirements {
  ResourceList requests;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const CapacityRequirements&, const CapacityRequirements&) = default;
};

struct ExactDeviceRequest {
  std::string device_class_name;
  std::vector<DeviceSelector> selectors;
  std::string allocation_mode;
  int64_t count = 0;
  std::optional<bool> admin_access;
  std::vector<DeviceToleration> tolerations;
  std::optional<CapacityRequirements> capacity;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const ExactDeviceRequest&, const ExactDeviceRequest&) = default;
};

struct DeviceSubRequest {
  std::string name;
  std::string device_class_name;
  std::vector<DeviceSelector> selectors;
  std::string allocation_mode;
  int64_t count = 0;
  std::vector<DeviceToleration> tolerations;
  std::optional<CapacityRequirements> capacity;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const DeviceSubRequest&, const DeviceSubRequest&) = default;
};

// Exactly one of `exactly` and `first_available` is set. Members named previous_… are empty except
// while a previous version is decoded.
struct DeviceRequest {
  std::string name;
  std::optional<ExactDeviceRequest> exactly;
  std::vector<DeviceSubRequest> first_available;
  std::string previous_device_class_name;
  std::vector<DeviceSelector> previous_selectors;
  std::string previous_allocation_mode;
  int64_t previous_count = 0;
  std::optional<bool> previous_admin_access;
  std::vector<DeviceToleration> previous_tolerations;
  std::optional<CapacityRequirements> previous_capacity;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const DeviceRequest&, const DeviceRequest&) = default;
};

}  // namespace berth::api

// Compiled once, in device_request.cc.
extern template class std::vector<berth::api::DeviceRequest>;
extern template class std::vector<berth::api::DeviceSelector>;
extern template class std::vector<berth::api::DeviceSubRequest>;
extern template class std::vector<berth::api::DeviceToleration>;
