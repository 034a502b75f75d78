#include "api/dra/resource_slice.h"

namespace berth::api {

using schema::Member;

const schema::Struct& ResourcePool::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ResourcePool::name>("name", "Name of the pool.").Required(),
      Member<&ResourcePool::generation>(
          "generation", "Generation of the pool. Slices of older generations are stale.")
          .Required(),
      Member<&ResourcePool::resource_slice_count>("resourceSliceCount",
                                                  "Number of slices in the pool.")
          .Required(),
  };
  static constexpr auto kStruct = schema::Describe<ResourcePool>(
      "ResourcePool", "ResourcePool identifies the pool of a slice.", kFields);
  return kStruct;
}

const schema::Struct& ResourceSliceSpec::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ResourceSliceSpec::driver>("driver", "Driver that offers the devices.").Required(),
      Member<&ResourceSliceSpec::pool>("pool", "Pool of the slice.").Required(),
      Member<&ResourceSliceSpec::node_name>("nodeName", "Node that has the devices."),
      Member<&ResourceSliceSpec::node_selector>("nodeSelector", "Nodes that can use the devices."),
      Member<&ResourceSliceSpec::all_nodes>("allNodes", "Whether all nodes can use the devices."),
      Member<&ResourceSliceSpec::devices>("devices", "Offered devices."),
      Member<&ResourceSliceSpec::per_device_node_selection>(
          "perDeviceNodeSelection", "Whether each device selects its own nodes."),
      Member<&ResourceSliceSpec::shared_counters>("sharedCounters",
                                                  "Counters shared by the devices."),
  };
  static constexpr auto kStruct = schema::Describe<ResourceSliceSpec>(
      "ResourceSliceSpec", "ResourceSliceSpec lists devices of one driver.", kFields);
  return kStruct;
}

const schema::Struct& ResourceSlice::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ResourceSlice::metadata>("metadata", "Standard object metadata."),
      Member<&ResourceSlice::spec>("spec", "Offered devices.").Required(),
  };
  static constexpr auto kStruct = schema::Describe<ResourceSlice>(
      "ResourceSlice", "ResourceSlice lists devices offered by a driver.", kFields);
  return kStruct;
}

const schema::Kind& ResourceSlice::KindInfo() {
  static constexpr std::string_view kPreviousVersions[] = {"v1beta2", "v1beta1", "v1alpha3"};
  static constexpr schema::Kind kKind{
      .group = "resource.k8s.io",
      .version = "v1",
      .kind = "ResourceSlice",
      .plural = "resourceslices",
      .structure = &ResourceSlice::Description,
      .previous_versions = kPreviousVersions,
  };
  return kKind;
}

}  // namespace berth::api
