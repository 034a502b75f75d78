#include "api/kueue/resource_group.h"

#include <algorithm>

#include "api/meta/list_keys.h"
#include "api/meta/names.h"

namespace berth::api {

using schema::Member;
using schema::Must;

const schema::Struct& ResourceQuota::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ResourceQuota::name>(
          "name",
          "name is the resource as requested by pods, such as cpu or nvidia.com/gpu. With kind "
          "DeviceClass, the canonical name of the devices of deviceClassNames: the name in "
          "coveredResources, usage, status, metrics and excludeResourcePrefixes.")
          .Required(),
      Member<&ResourceQuota::nominal_quota>(
          "nominalQuota", "nominalQuota is the quantity available without borrowing.")
          .Required(),
      Member<&ResourceQuota::borrowing_limit>(
          "borrowingLimit",
          "borrowingLimit is the maximum usage above nominalQuota. If absent, there is no limit."),
      Member<&ResourceQuota::lending_limit>(
          "lendingLimit",
          "lendingLimit is the part of nominalQuota that others may borrow. If absent, all of it."),
      Member<&ResourceQuota::kind>("kind",
                                   "kind is DeviceClass if the resource counts the devices that "
                                   "pods claim of deviceClassNames; both fields are set together. "
                                   "If absent, a core resource. No effect unless the feature gate "
                                   "KueueDynamicResourceAllocation is on.")
          .OneOf(kResourceKinds),
      Member<&ResourceQuota::device_class_names>(
          "deviceClassNames",
          "deviceClassNames lists the DeviceClasses whose devices count as this resource, one "
          "each. "
          "A class counts as one resource of a queue. A resource has the same classes in every "
          "flavor, and in every ClusterQueue and Cohort of a cohort tree. Quota of devices is a "
          "whole number.")
          .MinItems(1)
          .MaxItems(64)
          .Items(kObjectNameBounds),
  };
  static constexpr schema::Rule kRules[] = {
      Must<[](const ResourceQuota& self) {
        return self.kind.has_value() == self.device_class_names.has_value();
      }>("has(self.kind) == has(self.deviceClassNames)",
         "kind: DeviceClass and deviceClassNames must be set together"),
  };
  static constexpr auto kStruct = schema::Describe<ResourceQuota>(
      "ResourceQuota", "ResourceQuota is the quota of a resource in a flavor.", kFields, kRules);
  return kStruct;
}

const schema::Struct& FlavorQuotas::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&FlavorQuotas::name>("name", "name is the name of the ResourceFlavor.")
          .Required()
          .MaxLength(kMaxSubdomainLength)
          .Matches(kDnsSubdomainPattern),
      Member<&FlavorQuotas::resources>(
          "resources",
          "resources holds the quota of each of the group's coveredResources, in the same order.")
          .Required()
          .MinItems(1)
          .MaxItems(64)
          .MapBy(kByName),
  };
  static constexpr auto kStruct = schema::Describe<FlavorQuotas>(
      "FlavorQuotas", "FlavorQuotas is the quota of a flavor.", kFields);
  return kStruct;
}

const schema::Struct& ResourceGroup::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ResourceGroup::covered_resources>(
          "coveredResources",
          "coveredResources lists the resources for which every flavor of the group has quota.")
          .Required()
          .MinItems(1)
          .MaxItems(64),
      Member<&ResourceGroup::flavors>(
          "flavors", "flavors lists the flavors in the order in which they are tried.")
          .Required()
          .MinItems(1)
          .MaxItems(64)
          .MapBy(kByName),
  };
  static constexpr schema::Rule kRules[] = {
      Must<[](const ResourceGroup& self) {
        return std::ranges::all_of(self.flavors, [&](const FlavorQuotas& flavor) {
          return flavor.resources.size() == self.covered_resources.size();
        });
      }>("self.flavors.all(f, f.resources.size() == self.coveredResources.size())",
         "every flavor needs one entry in resources for each name in coveredResources, in the same "
         "order; write the name of a kind: DeviceClass resource there, not its deviceClassNames"),
  };
  static constexpr auto kStruct = schema::Describe<ResourceGroup>(
      "ResourceGroup",
      "ResourceGroup is a set of resources assigned together, and the flavors that provide them.",
      kFields, kRules);
  return kStruct;
}

}  // namespace berth::api

template class std::vector<berth::api::FlavorQuotas>;
template class std::vector<berth::api::ResourceGroup>;
template class std::vector<berth::api::ResourceQuota>;
