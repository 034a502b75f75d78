#include "api/resource_flavor.h"

#include "api/names.h"
#include "api/toleration_rules.h"
#include "api/well_known.h"

namespace berth::api {

using schema::Member;
using schema::Must;
using schema::MustChange;

const schema::Struct& ResourceFlavorSpec::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ResourceFlavorSpec::node_labels>(
          "nodeLabels", "Labels of the nodes of this flavor; admitted pods get them as selector.")
          .MaxItems(8)
          .Atomic(),
      Member<&ResourceFlavorSpec::node_taints>(
          "nodeTaints", "Taints of those nodes; only workloads that tolerate them get the flavor.")
          .MaxItems(8)
          .Rules(kTaintRules),
      Member<&ResourceFlavorSpec::tolerations>("tolerations",
                                               "Tolerations that admitted pods get in addition.")
          .MaxItems(8)
          .Rules(kTolerationRules),
      Member<&ResourceFlavorSpec::topology_name>(
          "topologyName", "Topology of the nodes, for workloads that care where their pods run.")
          .MaxLength(kMaxSubdomainLength)
          .Matches(kDnsSubdomainPattern),
  };
  static constexpr schema::Rule kRules[] = {
      Must<[](const ResourceFlavorSpec& self) {
        return !self.topology_name || !self.node_labels.empty();
      }>("!has(self.topologyName) || (has(self.nodeLabels) && self.nodeLabels.size() >= 1)",
         "topologyName needs at least one of nodeLabels, so that the nodes can be found"),
      MustChange<[](const ResourceFlavorSpec& self, const ResourceFlavorSpec& old) {
        return !old.topology_name || self.topology_name == old.topology_name;
      }>("!has(oldSelf.topologyName) || (has(self.topologyName) && "
         "self.topologyName == oldSelf.topologyName)",
         "topologyName cannot be changed once it is set; create another ResourceFlavor"),
  };
  static constexpr auto kStruct = schema::Describe<ResourceFlavorSpec>(
      "ResourceFlavorSpec", "The nodes that make up the flavor.", kFields, kRules);
  return kStruct;
}

const schema::Struct& ResourceFlavor::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ResourceFlavor::metadata>("metadata", "Name, labels and so on."),
      Member<&ResourceFlavor::spec>("spec", "The nodes that make up the flavor."),
  };
  static constexpr auto kStruct = schema::Describe<ResourceFlavor>(
      "ResourceFlavor", "A kind of nodes that quota is given for.", kFields);
  return kStruct;
}

const schema::Kind& ResourceFlavor::KindInfo() {
  static constexpr std::string_view kShortNames[] = {"flavor", "flavors", "rf"};
  static constexpr schema::Kind kKind{.group = kKueueGroup,
                                      .version = kKueueVersion,
                                      .kind = "ResourceFlavor",
                                      .plural = "resourceflavors",
                                      .structure = &ResourceFlavor::Description,
                                      .former_versions = kFormerKueueVersions,
                                      .short_names = kShortNames};
  return kKind;
}

}  // namespace berth::api
