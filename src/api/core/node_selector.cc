#include "api/core/node_selector.h"

namespace berth::api {

using schema::Member;

const schema::Struct& NodeSelectorRequirement::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&NodeSelectorRequirement::key>("key", "Key of the label, or name of the field.")
          .Required(),
      Member<&NodeSelectorRequirement::op>("operator", "In, NotIn, Exists, DoesNotExist, Gt or Lt.")
          .Required(),
      Member<&NodeSelectorRequirement::values>(
          "values", "Values of In and NotIn; one integer for Gt and Lt; otherwise empty."),
  };
  static constexpr auto kStruct = schema::Describe<NodeSelectorRequirement>(
      "NodeSelectorRequirement",
      "NodeSelectorRequirement is a condition on a label or field of a node.", kFields);
  return kStruct;
}

const schema::Struct& NodeSelectorTerm::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&NodeSelectorTerm::match_expressions>("matchExpressions",
                                                   "Requirements on the node's labels."),
      Member<&NodeSelectorTerm::match_fields>("matchFields", "Requirements on the node's fields."),
  };
  static constexpr auto kStruct =
      schema::Describe<NodeSelectorTerm>(
          "NodeSelectorTerm",
          "NodeSelectorTerm holds requirements that must all hold. An empty term selects no node.",
          kFields)
          .Atomic();
  return kStruct;
}

const schema::Struct& NodeSelector::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&NodeSelector::node_selector_terms>("nodeSelectorTerms",
                                                 "Alternative terms, one of which must hold.")
          .Required(),
  };
  static constexpr auto kStruct =
      schema::Describe<NodeSelector>("NodeSelector", "NodeSelector selects nodes.", kFields)
          .Atomic();
  return kStruct;
}

}  // namespace berth::api

template class std::vector<berth::api::NodeSelectorRequirement>;
template class std::vector<berth::api::NodeSelectorTerm>;
