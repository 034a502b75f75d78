#include "api/resource_group.h"

#include <algorithm>

#include "api/list_keys.h"
#include "api/names.h"

namespace berth::api {

using schema::Member;
using schema::Must;

const schema::Struct& ResourceQuota::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ResourceQuota::name>("name",
                                   "Resource as pods request it, such as cpu or nvidia.com/gpu.")
          .Required(),
      Member<&ResourceQuota::nominal_quota>("nominalQuota", "What is available without borrowing.")
          .Required(),
      Member<&ResourceQuota::borrowing_limit>(
          "borrowingLimit", "Most that may be used above nominalQuota. Absent: no limit."),
      Member<&ResourceQuota::lending_limit>(
          "lendingLimit", "Most of nominalQuota that others may borrow. Absent: all of it."),
      Member<&ResourceQuota::kind>(
          "kind",
          "DeviceClass if devices of deviceClassNames are counted. Absent: a core resource.")
          .OneOf(kResourceKinds),
      Member<&ResourceQuota::device_class_names>(
          "deviceClassNames", "Device classes whose devices count as this resource.")
          .MinItems(1)
          .MaxItems(64)
          .Items(kObjectNameBounds),
  };
  static constexpr schema::Rule kRules[] = {
      Must<[](const ResourceQuota& self) {
        return self.kind.has_value() == self.device_class_names.has_value();
      }>("has(self.kind) == has(self.deviceClassNames)",
         "kind: DeviceClass and deviceClassNames go together; give both or neither"),
  };
  static constexpr auto kStruct = schema::Describe<ResourceQuota>(
      "ResourceQuota", "How much of one resource there is in one flavor.", kFields, kRules);
  return kStruct;
}

const schema::Struct& FlavorQuotas::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&FlavorQuotas::name>("name", "Name of the ResourceFlavor.")
          .Required()
          .MaxLength(kMaxSubdomainLength)
          .Matches(kDnsSubdomainPattern),
      Member<&FlavorQuotas::resources>(
          "resources", "Quota of each of the group's coveredResources, in the same order.")
          .Required()
          .MinItems(1)
          .MaxItems(64)
          .MapBy(kByName),
  };
  static constexpr auto kStruct = schema::Describe<FlavorQuotas>(
      "FlavorQuotas", "How much of each resource there is in one flavor.", kFields);
  return kStruct;
}

const schema::Struct& ResourceGroup::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ResourceGroup::covered_resources>(
          "coveredResources", "Resources that every flavor of this group has quota for.")
          .Required()
          .MinItems(1)
          .MaxItems(64),
      Member<&ResourceGroup::flavors>("flavors", "Flavors in the order in which they are tried.")
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
         "every flavor needs exactly one entry in resources for each of coveredResources"),
  };
  static constexpr auto kStruct = schema::Describe<ResourceGroup>(
      "ResourceGroup", "Resources that come together, and the flavors that have them.", kFields,
      kRules);
  return kStruct;
}

}  // namespace berth::api

template class std::vector<berth::api::FlavorQuotas>;
template class std::vector<berth::api::ResourceGroup>;
template class std::vector<berth::api::ResourceQuota>;
