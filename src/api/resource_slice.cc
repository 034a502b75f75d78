#include "api/resource_slice.h"

namespace berth::api {

using schema::Member;

const schema::Struct& ResourcePool::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ResourcePool::name>("name", "Name of the pool.").Required(),
      Member<&ResourcePool::generation>("generation",
                                        "Counts changes; slices of older generations are stale.")
          .Required(),
      Member<&ResourcePool::resource_slice_count>("resourceSliceCount",
                                                  "How many slices the pool has.")
          .Required(),
  };
  static constexpr auto kStruct =
      schema::Describe<ResourcePool>("ResourcePool", "The pool that a slice belongs to.", kFields);
  return kStruct;
}

const schema::Struct& ResourceSliceSpec::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ResourceSliceSpec::driver>("driver", "Driver that offers them.").Required(),
      Member<&ResourceSliceSpec::pool>("pool", "The pool that the slice belongs to.").Required(),
      Member<&ResourceSliceSpec::node_name>("nodeName", "The node that has them."),
      Member<&ResourceSliceSpec::node_selector>("nodeSelector", "Nodes that can use them."),
      Member<&ResourceSliceSpec::all_nodes>("allNodes", "Whether all nodes can use them."),
      Member<&ResourceSliceSpec::devices>("devices", "The devices."),
      Member<&ResourceSliceSpec::per_device_node_selection>(
          "perDeviceNodeSelection", "Whether each device says which nodes can use it."),
      Member<&ResourceSliceSpec::shared_counters>("sharedCounters", "Amounts that devices share."),
  };
  static constexpr auto kStruct =
      schema::Describe<ResourceSliceSpec>("ResourceSliceSpec", "Devices of one driver.", kFields);
  return kStruct;
}

const schema::Struct& ResourceSlice::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ResourceSlice::metadata>("metadata", "Name, labels and the like."),
      Member<&ResourceSlice::spec>("spec", "The devices.").Required(),
  };
  static constexpr auto kStruct =
      schema::Describe<ResourceSlice>("ResourceSlice", "Devices that a driver offers.", kFields);
  return kStruct;
}

const schema::Kind& ResourceSlice::KindInfo() {
  static constexpr std::string_view kFormerVersions[] = {"v1beta2", "v1beta1", "v1alpha3"};
  static constexpr schema::Kind kKind{
      .group = "resource.k8s.io",
      .version = "v1",
      .kind = "ResourceSlice",
      .plural = "resourceslices",
      .structure = &ResourceSlice::Description,
      .former_versions = kFormerVersions,
  };
  return kKind;
}

}  // namespace berth::api
