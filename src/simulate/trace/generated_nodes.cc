#include "simulate/trace/generated_nodes.h"

#include "api/core/toleration_rules.h"
#include "api/meta/names.h"

namespace berth::simulate {

using schema::Member;

namespace {

constexpr uint32_t kLongestName = 40;  // leaves room for numbers in a label value
constexpr uint32_t kMostLevels = 16;   // as in a Topology
constexpr int64_t kMostDomains = 200'000;

template <auto kMember>
constexpr schema::Field NodeLabel() {
  return Member<kMember>("nodeLabel", "Node label of the level, as in a Topology.")
      .Required()
      .MinLength(1)
      .MaxLength(316)
      .Matches(api::kQualifiedNamePattern);
}

template <auto kMember>
constexpr schema::Field Count() {
  return Member<kMember>("count", "Number in every domain of the level above.")
      .Required()
      .Min(1)
      .Max(kMostDomains);
}

template <auto kMember>
constexpr schema::Field Name() {
  return Member<kMember>("name", "Prefix of the label values.")
      .MaxLength(kLongestName)
      .Matches(api::kDnsLabelPattern);
}

}  // namespace

const schema::Struct& GeneratedLevel::Description() {
  static constexpr schema::Field kFields[] = {
      NodeLabel<&GeneratedLevel::node_label>(),
      Count<&GeneratedLevel::count>(),
      Name<&GeneratedLevel::name>(),
  };
  static constexpr auto kStruct =
      schema::Describe<GeneratedLevel>("GeneratedLevel", "A level of the hierarchy.", kFields);
  return kStruct;
}

const schema::Struct& GeneratedNodes::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&GeneratedNodes::class_name>("className", "Prefix of the node names.")
          .MinLength(1)
          .MaxLength(kLongestName)
          .Matches(api::kDnsLabelPattern),
      Member<&GeneratedNodes::levels>("levels", "Levels of the hierarchy, widest first.")
          .Required()
          .MinItems(1)
          .MaxItems(kMostLevels),
      Member<&GeneratedNodes::labels>("labels", "Additional labels of every node."),
      Member<&GeneratedNodes::taints>("taints", "Taints of every node.").Rules(api::kTaintRules),
      Member<&GeneratedNodes::allocatable>("allocatable", "Resources of a node.")
          .Required()
          .MinItems(1),
      Member<&GeneratedNodes::fails_after>("failsAfter", "Time until a node fails."),
      Member<&GeneratedNodes::repaired_after>("repairedAfter",
                                              "Time until a failed node is ready again."),
  };
  static constexpr auto kStruct =
      schema::Describe<GeneratedNodes>("GeneratedNodes", "Identical nodes.", kFields);
  return kStruct;
}

const schema::Struct& GeneratedTopologyLevel::Description() {
  static constexpr schema::Field kFields[] = {
      NodeLabel<&GeneratedTopologyLevel::node_label>(),
      Count<&GeneratedTopologyLevel::count>(),
      Name<&GeneratedTopologyLevel::name>(),
      Member<&GeneratedTopologyLevel::capacity>("capacity", "Resources of a node."),
  };
  static constexpr auto kStruct = schema::Describe<GeneratedTopologyLevel>(
      "GeneratedTopologyLevel", "A level of a Topology.", kFields);
  return kStruct;
}

const schema::Struct& GeneratedTopology::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&GeneratedTopology::name>("name", "Name of the Topology.")
          .Required()
          .MaxLength(api::kMaxSubdomainLength)
          .Matches(api::kDnsSubdomainPattern),
      Member<&GeneratedTopology::levels>("levels", "Levels of the hierarchy, widest first.")
          .Required()
          .MinItems(1)
          .MaxItems(kMostLevels),
  };
  static constexpr auto kStruct = schema::Describe<GeneratedTopology>(
      "GeneratedTopology", "A Topology and its nodes.", kFields);
  return kStruct;
}

const schema::Struct& GeneratedFlavor::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&GeneratedFlavor::name>("name", "Name of the flavor.")
          .Required()
          .MaxLength(api::kMaxSubdomainLength)
          .Matches(api::kDnsSubdomainPattern),
      Member<&GeneratedFlavor::node_label>("nodeLabel", "Label of the nodes, with value tas.")
          .MinLength(1)
          .MaxLength(316)
          .Matches(api::kQualifiedNamePattern),
      Member<&GeneratedFlavor::topology_name>("topologyName", "Topology of the nodes."),
  };
  static constexpr auto kStruct =
      schema::Describe<GeneratedFlavor>("GeneratedFlavor", "Flavor of all queues.", kFields);
  return kStruct;
}

}  // namespace berth::simulate
