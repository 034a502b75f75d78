#include "api/kueue/resource_flavor.h"

#include "api/core/toleration_rules.h"
#include "api/kueue/well_known.h"
#include "api/meta/names.h"

namespace berth::api {

using schema::Member;
using schema::Must;
using schema::MustChange;

const schema::Struct& ResourceFlavorSpec::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ResourceFlavorSpec::node_labels>("nodeLabels",
                                               "nodeLabels are the labels of the flavor's nodes. "
                                               "Admitted pods get them as node selector.")
          .MaxItems(8)
          .Atomic(),
      Member<&ResourceFlavorSpec::node_taints>("nodeTaints",
                                               "nodeTaints are the taints of the flavor's nodes. "
                                               "Workloads must tolerate them to get the flavor.")
          .MaxItems(8)
          .Rules(kTaintRules),
      Member<&ResourceFlavorSpec::tolerations>("tolerations",
                                               "tolerations are added to admitted pods.")
          .MaxItems(8)
          .Rules(kTolerationRules),
      Member<&ResourceFlavorSpec::topology_name>(
          "topologyName",
          "topologyName is the Topology of the nodes, for topology-aware scheduling.")
          .MaxLength(kMaxSubdomainLength)
          .Matches(kDnsSubdomainPattern),
  };
  static constexpr schema::Rule kRules[] = {
      Must<[](const ResourceFlavorSpec& self) {
        return !self.topology_name || !self.node_labels.empty();
      }>("!has(self.topologyName) || (has(self.nodeLabels) && self.nodeLabels.size() >= 1)",
         "topologyName requires at least one of nodeLabels"),
      MustChange<[](const ResourceFlavorSpec& self, const ResourceFlavorSpec& old) {
        return !old.topology_name || self.topology_name == old.topology_name;
      }>("!has(oldSelf.topologyName) || (has(self.topologyName) && "
         "self.topologyName == oldSelf.topologyName)",
         "topologyName cannot be changed once it is set; create another ResourceFlavor"),
  };
  static constexpr auto kStruct = schema::Describe<ResourceFlavorSpec>(
      "ResourceFlavorSpec", "ResourceFlavorSpec describes the nodes of a ResourceFlavor.", kFields,
      kRules);
  return kStruct;
}

const schema::Struct& ResourceFlavor::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ResourceFlavor::metadata>("metadata", "metadata is the standard object metadata."),
      Member<&ResourceFlavor::spec>("spec", "spec describes the nodes of the flavor."),
  };
  static constexpr auto kStruct = schema::Describe<ResourceFlavor>(
      "ResourceFlavor", "ResourceFlavor is a class of nodes that quota is defined for.", kFields);
  return kStruct;
}

const schema::Kind& ResourceFlavor::KindInfo() {
  static constexpr std::string_view kShortNames[] = {"flavor", "flavors", "rf"};
  static constexpr schema::Kind kKind{.group = kKueueGroup,
                                      .version = kKueueVersion,
                                      .kind = "ResourceFlavor",
                                      .plural = "resourceflavors",
                                      .structure = &ResourceFlavor::Description,
                                      .previous_versions = kPreviousKueueVersions,
                                      .short_names = kShortNames};
  return kKind;
}

}  // namespace berth::api
