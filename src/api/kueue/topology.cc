#include "api/kueue/topology.h"

#include <algorithm>

#include "api/kueue/well_known.h"
#include "api/meta/names.h"

namespace berth::api {

using schema::Member;
using schema::Must;
using schema::MustChange;

namespace {

using Levels = std::vector<TopologyLevel>;

bool EndsAtHosts(const Levels& levels) {
  return !levels.empty() && levels.back().node_label == kHostnameLabel;
}

bool AreDistinct(const Levels& levels) {
  return std::ranges::all_of(levels, [&](const TopologyLevel& level) {
    return std::ranges::count(levels, level.node_label, &TopologyLevel::node_label) == 1;
  });
}

bool HasHosts(const Levels& levels) {
  return std::ranges::find(levels, kHostnameLabel, &TopologyLevel::node_label) != levels.end();
}

}  // namespace

const schema::Struct& TopologyLevel::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&TopologyLevel::node_label>(
          "nodeLabel", "nodeLabel is the label whose values are the domains of this level.")
          .Required()
          .MinLength(1)
          .MaxLength(316)
          .Matches(kQualifiedNamePattern),
  };
  static constexpr auto kStruct = schema::Describe<TopologyLevel>(
      "TopologyLevel", "TopologyLevel is a level of the hierarchy, such as racks.", kFields);
  return kStruct;
}

const schema::Struct& TopologySpec::Description() {
  static constexpr schema::Rule kLevelRules[] = {
      MustChange<[](const Levels& self, const Levels& old) {
        return self == old || (EndsAtHosts(self) && EndsAtHosts(old));
      }>("self == oldSelf || (self[size(self) - 1].nodeLabel == 'kubernetes.io/hostname' && "
         "oldSelf[size(oldSelf) - 1].nodeLabel == 'kubernetes.io/hostname')",
         "levels can only be changed if kubernetes.io/hostname is the last one, before and after"),
      Must<[](const Levels& self) { return AreDistinct(self); }>(
          "self.all(a, self.exists_one(b, a == b))", "nodeLabel must be unique among levels"),
      Must<[](const Levels& self) { return EndsAtHosts(self) || !HasHosts(self); }>(
          "self[size(self) - 1].nodeLabel == 'kubernetes.io/hostname' || "
          "!self.exists(l, l.nodeLabel == 'kubernetes.io/hostname')",
          "kubernetes.io/hostname can only be the last level: there is nothing below a host"),
  };
  static constexpr schema::Field kFields[] = {
      Member<&TopologySpec::levels>("levels",
                                    "levels lists the levels of the hierarchy, widest first.")
          .Required()
          .MinItems(1)
          .MaxItems(16)
          .Rules(kLevelRules),
  };
  static constexpr auto kStruct = schema::Describe<TopologySpec>(
      "TopologySpec", "TopologySpec is the desired state of a Topology.", kFields);
  return kStruct;
}

const schema::Struct& Topology::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&Topology::metadata>("metadata", "metadata is the standard object metadata."),
      Member<&Topology::spec>("spec", "spec is the desired state of the Topology."),
  };
  static constexpr auto kStruct = schema::Describe<Topology>(
      "Topology", "Topology is the hierarchy of nodes for topology-aware scheduling.", kFields);
  return kStruct;
}

const schema::Kind& Topology::KindInfo() {
  static constexpr std::string_view kShortNames[] = {"topo"};
  static constexpr schema::Kind kKind{.group = kKueueGroup,
                                      .version = kKueueVersion,
                                      .kind = "Topology",
                                      .plural = "topologies",
                                      .structure = &Topology::Description,
                                      .previous_versions = kPreviousKueueVersions,
                                      .short_names = kShortNames};
  return kKind;
}

}  // namespace berth::api

template class std::vector<berth::api::TopologyLevel>;
