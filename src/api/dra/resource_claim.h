#pragma once

// Claims of devices for pods (resource.k8s.io). See device_request.h for previous versions.

#include <optional>
#include <string>
#include <vector>

#include "api/core/node_selector.h"
#include "api/core/resource_requirements.h"
#include "api/dra/device_request.h"
#include "api/meta/meta.h"
#include "base/time.h"
#include "schema/describe.h"

namespace berth::api {

struct DeviceConstraint {
  std::vector<std::string> requests;
  std::optional<std::string> match_attribute;
  std::optional<std::string> distinct_attribute;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const DeviceConstraint&, const DeviceConstraint&) = default;
};

struct DeviceClaim {
  std::vector<DeviceRequest> requests;
  std::vector<DeviceConstraint> constraints;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const DeviceClaim&, const DeviceClaim&) = default;
};

struct ResourceClaimSpec {
  DeviceClaim devices;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const ResourceClaimSpec&, const ResourceClaimSpec&) = default;
};

struct DeviceRequestAllocationResult {
  std::string request;
  std::string driver;
  std::string pool;
  std::string device;
  std::optional<bool> admin_access;
  std::vector<DeviceToleration> tolerations;
  std::optional<std::string> share_id;
  ResourceList consumed_capacity;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const DeviceRequestAllocationResult&,
                         const DeviceRequestAllocationResult&) = default;
};

struct DeviceAllocationResult {
  std::vector<DeviceRequestAllocationResult> results;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const DeviceAllocationResult&, const DeviceAllocationResult&) = default;
};

struct AllocationResult {
  DeviceAllocationResult devices;
  std::optional<NodeSelector> node_selector;
  std::optional<base::Time> allocation_timestamp;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const AllocationResult&, const AllocationResult&) = default;
};

struct ResourceClaimConsumerReference {
  std::string api_group;
  std::string resource;
  std::string name;
  std::string uid;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const ResourceClaimConsumerReference&,
                         const ResourceClaimConsumerReference&) = default;
};

struct ResourceClaimStatus {
  std::optional<AllocationResult> allocation;
  std::vector<ResourceClaimConsumerReference> reserved_for;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const ResourceClaimStatus&, const ResourceClaimStatus&) = default;
};

struct ResourceClaim {
  ObjectMeta metadata;
  ResourceClaimSpec spec;
  ResourceClaimStatus status;
  schema::Extra extra;

  static const schema::Kind& KindInfo();
  static const schema::Struct& Description();
  friend bool operator==(const ResourceClaim&, const ResourceClaim&) = default;
};

}  // namespace berth::api

// Compiled once, in resource_claim.cc.
extern template class std::vector<berth::api::DeviceConstraint>;
extern template class std::vector<berth::api::DeviceRequestAllocationResult>;
extern template class std::vector<berth::api::ResourceClaimConsumerReference>;
