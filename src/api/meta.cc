#include "api/meta.h"

#include "api/list_keys.h"
#include "api/patterns.h"

namespace berth::api {

using schema::Carried;
using schema::Member;

const schema::Struct& OwnerReference::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&OwnerReference::api_version>("apiVersion", "Group and version of the owner.")
          .Required(),
      Member<&OwnerReference::kind>("kind", "Kind of the owner.").Required(),
      Member<&OwnerReference::name>("name", "Name of the owner, in the same namespace.").Required(),
      Member<&OwnerReference::uid>("uid", "UID of the owner; another object of its name is not it.")
          .Required(),
      Member<&OwnerReference::controller>("controller",
                                          "Whether this owner manages the object; one may."),
      Member<&OwnerReference::block_owner_deletion>(
          "blockOwnerDeletion",
          "Whether a foreground deletion of the owner waits for this object."),
  };
  static constexpr auto kStruct = schema::Describe<OwnerReference>(
      "OwnerReference", "An object that this one belongs to.", kFields);
  return kStruct;
}

namespace {

const schema::Struct& ManagedFieldsShape() {
  static constexpr schema::Field kFields[] = {
      Carried("manager", schema::kCarriedString, "Who wrote the fields."),
      Carried("operation", schema::kCarriedString, "Apply or Update."),
      Carried("apiVersion", schema::kCarriedString, "Version in which they were written."),
      Carried("time", schema::kCarriedTime, "When they were last written."),
      Carried("fieldsType", schema::kCarriedString, "FieldsV1."),
      Carried("fieldsV1", schema::kCarriedJson, "The fields."),
      Carried("subresource", schema::kCarriedString, "Through which they were written."),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("ManagedFieldsEntry", "Fields that one party wrote.", kFields);
  return kStruct;
}

}  // namespace

const schema::Struct& ObjectMeta::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ObjectMeta::name>("name", "Name, unique for the kind within its namespace."),
      Member<&ObjectMeta::generate_name>(
          "generateName", "Prefix from which the API server makes a name if none is given."),
      Member<&ObjectMeta::namespace_>("namespace", "Namespace that the object lives in."),
      Member<&ObjectMeta::uid>("uid", "Identity of this very object, set by the API server."),
      Member<&ObjectMeta::resource_version>("resourceVersion",
                                            "Changes with every write; compare for equality only."),
      Member<&ObjectMeta::generation>("generation", "Counts the changes of the desired state."),
      Member<&ObjectMeta::creation_timestamp>("creationTimestamp", "When it was created."),
      Member<&ObjectMeta::deletion_timestamp>(
          "deletionTimestamp", "When it will be gone; present once deletion was asked for."),
      Member<&ObjectMeta::deletion_grace_period_seconds>(
          "deletionGracePeriodSeconds", "Time between the request to delete and the deletion."),
      Member<&ObjectMeta::labels>("labels", "Short keys and values that selectors look at."),
      Member<&ObjectMeta::annotations>("annotations",
                                       "Keys and values for tools, of any form and size."),
      Member<&ObjectMeta::owner_references>("ownerReferences", "Objects that this one belongs to.")
          .MapBy(kByUid)
          .PatchBy("uid"),
      Member<&ObjectMeta::finalizers>("finalizers",
                                      "Parties that must act before the object may go.")
          .SetOf()
          .PatchBy(kPatchByValue),
      Carried("managedFields", schema::kCarriedStructs<&ManagedFieldsShape>,
              "Who wrote which field."),
      Carried("selfLink", schema::kCarriedString, "No longer filled by the API server."),
  };
  static constexpr auto kStruct =
      schema::Describe<ObjectMeta>("ObjectMeta", "What every object says about itself.", kFields);
  return kStruct;
}

const schema::Struct& ListMeta::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ListMeta::resource_version>("resourceVersion",
                                          "State of the store that the list shows."),
      Member<&ListMeta::continue_token>("continue", "Ask with it for the rest of the list."),
      Member<&ListMeta::remaining_item_count>("remainingItemCount",
                                              "How many objects follow, where known."),
      Carried("selfLink", schema::kCarriedString, "No longer filled by the API server."),
      Carried("shardInfo", schema::kCarriedJson, "Part of the objects that the list covers."),
  };
  static constexpr auto kStruct =
      schema::Describe<ListMeta>("ListMeta", "What a list says about itself.", kFields);
  return kStruct;
}

const schema::Struct& LabelSelectorRequirement::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&LabelSelectorRequirement::key>("key", "Label that is looked at.").Required(),
      Member<&LabelSelectorRequirement::op>("operator", "In, NotIn, Exists or DoesNotExist.")
          .Required(),
      Member<&LabelSelectorRequirement::values>(
          "values", "Values for In and NotIn; empty for the other operators."),
  };
  static constexpr auto kStruct = schema::Describe<LabelSelectorRequirement>(
      "LabelSelectorRequirement", "A condition on one label.", kFields);
  return kStruct;
}

const schema::Struct& LabelSelector::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&LabelSelector::match_labels>("matchLabels",
                                           "Labels that must have exactly these values."),
      Member<&LabelSelector::match_expressions>("matchExpressions",
                                                "Conditions on labels that must all hold."),
  };
  static constexpr auto kStruct =
      schema::Describe<LabelSelector>("LabelSelector",
                                      "Selects objects by labels; empty selects all.", kFields)
          .Atomic();
  return kStruct;
}

const schema::Struct& Condition::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&Condition::type>("type", "Which aspect this is about.")
          .Required()
          .MaxLength(316)
          .Matches(kQualifiedNamePattern),
      Member<&Condition::status>("status", "Whether it holds.")
          .Required()
          .OneOf(kConditionStatuses),
      Member<&Condition::observed_generation>(
          "observedGeneration", "Generation of the object that the condition was derived from.")
          .Min(0),
      Member<&Condition::last_transition_time>("lastTransitionTime", "When status last changed.")
          .Required(),
      Member<&Condition::reason>("reason", "Why, as one word for programs.")
          .Required()
          .MinLength(1)
          .MaxLength(1024)
          .Matches(kReasonPattern),
      Member<&Condition::message>("message", "Why, for people.").Required().MaxLength(32768),
  };
  static constexpr auto kStruct =
      schema::Describe<Condition>("Condition", "One aspect of an object's state.", kFields);
  return kStruct;
}

}  // namespace berth::api

template class std::vector<berth::api::Condition>;
template class std::vector<berth::api::LabelSelectorRequirement>;
template class std::vector<berth::api::OwnerReference>;
