#pragma once

// What a ResourceClaim asks for (resource.k8s.io).
//
// Reading the former versions: v1beta2 has the shape of v1; v1beta1 and v1alpha3 have the fields of
// `exactly` directly in the request. Both shapes are read as a former version, and what was read
// looks like v1 in either case: the flat fields end up in `exactly`.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/resource_requirements.h"
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

// Exactly one of `exactly` and `first_available` is set. Members named former_… are empty except
// while a former version is being read.
struct DeviceRequest {
  std::string name;
  std::optional<ExactDeviceRequest> exactly;
  std::vector<DeviceSubRequest> first_available;
  std::string former_device_class_name;
  std::vector<DeviceSelector> former_selectors;
  std::string former_allocation_mode;
  int64_t former_count = 0;
  std::optional<bool> former_admin_access;
  std::vector<DeviceToleration> former_tolerations;
  std::optional<CapacityRequirements> former_capacity;
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
