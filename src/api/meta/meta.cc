#include "api/meta/meta.h"

#include "api/meta/list_keys.h"
#include "api/meta/patterns.h"

namespace berth::api {

using schema::Carried;
using schema::Member;

const schema::Struct& OwnerReference::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&OwnerReference::api_version>("apiVersion", "Group and version of the owner.")
          .Required(),
      Member<&OwnerReference::kind>("kind", "Kind of the owner.").Required(),
      Member<&OwnerReference::name>("name", "Name of the owner, in the same namespace.").Required(),
      Member<&OwnerReference::uid>(
          "uid", "UID of the owner, which tells it from another object of the same name.")
          .Required(),
      Member<&OwnerReference::controller>(
          "controller", "Whether this owner is the managing controller. One owner at most is."),
      Member<&OwnerReference::block_owner_deletion>(
          "blockOwnerDeletion", "Whether foreground deletion of the owner waits for this object."),
  };
  static constexpr auto kStruct = schema::Describe<OwnerReference>(
      "OwnerReference", "OwnerReference identifies an owner of the object.", kFields);
  return kStruct;
}

namespace {

const schema::Struct& ManagedFieldsShape() {
  static constexpr schema::Field kFields[] = {
      Carried("manager", schema::kCarriedString, "Name of the manager."),
      Carried("operation", schema::kCarriedString, "Apply or Update."),
      Carried("apiVersion", schema::kCarriedString, "API version of the fields."),
      Carried("time", schema::kCarriedTime, "Time of the last write."),
      Carried("fieldsType", schema::kCarriedString, "FieldsV1."),
      Carried("fieldsV1", schema::kCarriedJson, "Set of fields."),
      Carried("subresource", schema::kCarriedString, "Subresource used for the write."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "ManagedFieldsEntry", "ManagedFieldsEntry lists the fields written by one manager.", kFields);
  return kStruct;
}

}  // namespace

const schema::Struct& ObjectMeta::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ObjectMeta::name>("name", "Name, unique for the kind in its namespace."),
      Member<&ObjectMeta::generate_name>("generateName",
                                         "Prefix of the generated name if no name is set."),
      Member<&ObjectMeta::namespace_>("namespace", "Namespace of the object."),
      Member<&ObjectMeta::uid>("uid", "Unique ID of the object, set by the API server."),
      Member<&ObjectMeta::resource_version>(
          "resourceVersion",
          "Version of the object. It changes with every write; compare for equality only."),
      Member<&ObjectMeta::generation>(
          "generation", "Generation of the desired state, incremented with each change."),
      Member<&ObjectMeta::creation_timestamp>("creationTimestamp", "Time of creation."),
      Member<&ObjectMeta::deletion_timestamp>("deletionTimestamp",
                                              "Time of deletion, set once deletion is requested."),
      Member<&ObjectMeta::deletion_grace_period_seconds>(
          "deletionGracePeriodSeconds", "Seconds between the deletion request and the deletion."),
      Member<&ObjectMeta::labels>("labels", "Keys and values that selectors match."),
      Member<&ObjectMeta::annotations>("annotations",
                                       "Keys and values for tools, of any form and size."),
      Member<&ObjectMeta::owner_references>("ownerReferences", "Owners of the object.")
          .MapBy(kByUid)
          .PatchBy("uid"),
      Member<&ObjectMeta::finalizers>(
          "finalizers", "Finalizers that must be removed before the object is deleted.")
          .SetOf()
          .PatchBy(kPatchByValue),
      Carried("managedFields", schema::kCarriedStructs<&ManagedFieldsShape>,
              "Managers of the fields."),
      Carried("selfLink", schema::kCarriedString, "Deprecated."),
  };
  static constexpr auto kStruct = schema::Describe<ObjectMeta>(
      "ObjectMeta", "ObjectMeta is the metadata of every object.", kFields);
  return kStruct;
}

const schema::Struct& ListMeta::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ListMeta::resource_version>("resourceVersion",
                                          "Version of the store at which the list was read."),
      Member<&ListMeta::continue_token>("continue", "Token of the next page of the list."),
      Member<&ListMeta::remaining_item_count>("remainingItemCount",
                                              "Number of remaining objects, if known."),
      Carried("selfLink", schema::kCarriedString, "Deprecated."),
      Carried("shardInfo", schema::kCarriedJson, "Shard of the objects in the list."),
  };
  static constexpr auto kStruct =
      schema::Describe<ListMeta>("ListMeta", "ListMeta is the metadata of a list.", kFields);
  return kStruct;
}

const schema::Struct& LabelSelectorRequirement::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&LabelSelectorRequirement::key>("key", "Key of the label.").Required(),
      Member<&LabelSelectorRequirement::op>("operator", "In, NotIn, Exists or DoesNotExist.")
          .Required(),
      Member<&LabelSelectorRequirement::values>(
          "values", "Values of In and NotIn; empty for other operators."),
  };
  static constexpr auto kStruct = schema::Describe<LabelSelectorRequirement>(
      "LabelSelectorRequirement", "LabelSelectorRequirement is a condition on one label.", kFields);
  return kStruct;
}

const schema::Struct& LabelSelector::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&LabelSelector::match_labels>("matchLabels", "Labels and their required values."),
      Member<&LabelSelector::match_expressions>("matchExpressions",
                                                "Requirements that must all hold."),
  };
  static constexpr auto kStruct =
      schema::Describe<LabelSelector>(
          "LabelSelector",
          "LabelSelector selects objects by labels. An empty selector selects all.", kFields)
          .Atomic();
  return kStruct;
}

const schema::Struct& Condition::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&Condition::type>("type", "Type of the condition.")
          .Required()
          .MaxLength(316)
          .Matches(kQualifiedNamePattern),
      Member<&Condition::status>("status", "Status of the condition: True, False or Unknown.")
          .Required()
          .OneOf(kConditionStatuses),
      Member<&Condition::observed_generation>(
          "observedGeneration", "Generation of the object that the condition was derived from.")
          .Min(0),
      Member<&Condition::last_transition_time>("lastTransitionTime",
                                               "Time at which status last changed.")
          .Required(),
      Member<&Condition::reason>("reason", "Machine-readable reason, in one word.")
          .Required()
          .MinLength(1)
          .MaxLength(1024)
          .Matches(kReasonPattern),
      Member<&Condition::message>("message", "Human-readable details.").Required().MaxLength(32768),
  };
  static constexpr auto kStruct = schema::Describe<Condition>(
      "Condition", "Condition is one aspect of an object's state.", kFields);
  return kStruct;
}

}  // namespace berth::api

template class std::vector<berth::api::Condition>;
template class std::vector<berth::api::LabelSelectorRequirement>;
template class std::vector<berth::api::OwnerReference>;
