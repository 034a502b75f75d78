#include "api/node_selector.h"

namespace berth::api {

using schema::Member;

const schema::Struct& NodeSelectorRequirement::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&NodeSelectorRequirement::key>("key", "Label, or field, of the node.").Required(),
      Member<&NodeSelectorRequirement::op>("operator", "In, NotIn, Exists, DoesNotExist, Gt or Lt.")
          .Required(),
      Member<&NodeSelectorRequirement::values>(
          "values", "For In and NotIn any number; for Gt and Lt one integer; else none."),
  };
  static constexpr auto kStruct = schema::Describe<NodeSelectorRequirement>(
      "NodeSelectorRequirement", "A condition on one label or field of a node.", kFields);
  return kStruct;
}

const schema::Struct& NodeSelectorTerm::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&NodeSelectorTerm::match_expressions>("matchExpressions",
                                                   "Conditions on the node's labels."),
      Member<&NodeSelectorTerm::match_fields>("matchFields", "Conditions on the node's fields."),
  };
  static constexpr auto kStruct =
      schema::Describe<NodeSelectorTerm>(
          "NodeSelectorTerm", "Conditions that must all hold; none selects nothing.", kFields)
          .Atomic();
  return kStruct;
}

const schema::Struct& NodeSelector::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&NodeSelector::node_selector_terms>("nodeSelectorTerms",
                                                 "Alternatives, one of which must hold.")
          .Required(),
  };
  static constexpr auto kStruct =
      schema::Describe<NodeSelector>("NodeSelector", "Selects nodes.", kFields).Atomic();
  return kStruct;
}

}  // namespace berth::api

template class std::vector<berth::api::NodeSelectorRequirement>;
template class std::vector<berth::api::NodeSelectorTerm>;
