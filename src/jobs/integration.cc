#include "jobs/integration.h"

#include "jobs/managed.h"

namespace berth::jobs {

using schema::Member;

const schema::Struct& Test::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&Test::condition>("condition", "A condition of this type is True."),
      Member<&Test::path>("path", "What stands here is one of `in`; without `in`, is set."),
      Member<&Test::in>("in", "Texts; the empty one also means absent."),
      Member<&Test::each>("each", "List or map: the test holds if it does for one element."),
      Member<&Test::is_not>("not", "Turns the test around."),
  };
  static constexpr auto kStruct =
      schema::Describe<Test>("Test", "Something that holds of an object or not.", kFields);
  return kStruct;
}

const schema::Struct& CountFactor::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&CountFactor::path>("path", "Where the number stands.").Required(),
      Member<&CountFactor::default_>("default", "The number if nothing stands there."),
      Member<&CountFactor::at_most>("atMost", "Where a number stands that it cannot exceed."),
      Member<&CountFactor::plus>("plus", "Is added to it."),
      Member<&CountFactor::at_least>("atLeast", "The least it can be."),
  };
  static constexpr auto kStruct =
      schema::Describe<CountFactor>("CountFactor", "A factor of a number of pods.", kFields);
  return kStruct;
}

const schema::Struct& CountField::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&CountField::path>("path", "Where the number is written.").Required(),
      Member<&CountField::only_if>("onlyIf", "Path of the text \"true\" that it takes."),
  };
  static constexpr auto kStruct =
      schema::Describe<CountField>("CountField", "A field for a number of pods.", kFields);
  return kStruct;
}

const schema::Struct& PodSetRule::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&PodSetRule::each>("each", "List with one pod set for each element."),
      Member<&PodSetRule::when>("when", "Tests that must all hold for the set to exist."),
      Member<&PodSetRule::name>("name", "Name of the pod set."),
      Member<&PodSetRule::name_path>("namePath", "Where its name stands."),
      Member<&PodSetRule::template_>("template", "Where the pod template stands."),
      Member<&PodSetRule::has_metadata>("metadata",
                                        "Whether the template's metadata is part of the set."),
      Member<&PodSetRule::count>("count", "Factors of the number of pods."),
      Member<&PodSetRule::min_count>("minCount", "Where the least number of pods stands."),
      Member<&PodSetRule::partial_count>("partialCount",
                                         "Fields to write when fewer pods are admitted."),
      Member<&PodSetRule::pod_index_label>("podIndexLabel", "Label that numbers the pods."),
      Member<&PodSetRule::sub_group_index_label>("subGroupIndexLabel",
                                                 "Label that numbers groups of pods."),
      Member<&PodSetRule::sub_group_count>("subGroupCount", "Where the number of groups stands."),
  };
  static constexpr auto kStruct =
      schema::Describe<PodSetRule>("PodSetRule", "A set of equal pods.", kFields);
  return kStruct;
}

const schema::Struct& EndRule::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&EndRule::when>("when", "Tests that must all hold.").Required(),
      Member<&EndRule::is_success>("success", "Whether the job did what it should."),
      Member<&EndRule::message>("message", "What to say."),
      Member<&EndRule::message_path>("messagePath", "Where it stands what to say."),
  };
  static constexpr auto kStruct = schema::Describe<EndRule>("EndRule", "How it ends.", kFields);
  return kStruct;
}

const schema::Struct& SumRule::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&SumRule::each>("each", "List whose elements are summed over."),
      Member<&SumRule::add>("add", "Paths of numbers, lists and maps.").Required(),
      Member<&SumRule::in>("in", "Of lists and maps, the values that count."),
  };
  static constexpr auto kStruct = schema::Describe<SumRule>("SumRule", "A sum.", kFields);
  return kStruct;
}

const schema::Struct& ReadyRule::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ReadyRule::when>("when", "Tests that must all hold."),
      Member<&ReadyRule::counted>("counted", "How many are ready or done."),
      Member<&ReadyRule::wanted>("wanted", "How many must be. Absent: all pods."),
  };
  static constexpr auto kStruct =
      schema::Describe<ReadyRule>("ReadyRule", "When all pods are ready.", kFields);
  return kStruct;
}

const schema::Struct& ReclaimRule::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ReclaimRule::by_completions>("byCompletions", "The job counts as batch/v1 Jobs do."),
      Member<&ReclaimRule::statuses>("statuses", "List with an element for each pod set."),
      Member<&ReclaimRule::name>("name", "In it, where the name of the pod set stands."),
      Member<&ReclaimRule::succeeded>("succeeded", "In it, how many replicas are done."),
  };
  static constexpr auto kStruct =
      schema::Describe<ReclaimRule>("ReclaimRule", "What finished pods give back.", kFields);
  return kStruct;
}

const schema::Struct& ManagedByRule::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ManagedByRule::path>("path", "Where the controller is named.").Required(),
      Member<&ManagedByRule::controller>("controller", "Name of the usual one.").Required(),
  };
  static constexpr auto kStruct =
      schema::Describe<ManagedByRule>("ManagedByRule", "Who runs the job.", kFields);
  return kStruct;
}

const schema::Struct& Integration::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&Integration::framework>("framework", "Name of the integration.").Required(),
      Member<&Integration::api_version>("apiVersion", "Of the objects.").Required(),
      Member<&Integration::kind>("kind", "Of the objects.").Required(),
      Member<&Integration::plural>("plural", "As in URLs.").Required(),
      Member<&Integration::waits>("waits", "How a job is held back.").OneOf(kWaits),
      Member<&Integration::suspend>("suspend", "Boolean that holds the job back."),
      Member<&Integration::pod_sets>("podSets", "What pods it has."),
      Member<&Integration::derives>("derives", "What else there is to know of its pods.")
          .OneOf(kDerivations),
      Member<&Integration::ray_cluster>("rayCluster", "Where the spec of a RayCluster stands."),
      Member<&Integration::injects>("injects", "Where an admission is written.").OneOf(kInjections),
      Member<&Integration::own_labels>("ownLabels",
                                       "Template labels that the job's controller sets."),
      Member<&Integration::hidden_labels>("hiddenLabels", "Those that Workloads do not show."),
      Member<&Integration::active>("active", "Pods exist if one of these holds."),
      Member<&Integration::finished>("finished", "How it ends; the first that holds counts."),
      Member<&Integration::ready>("ready", "When all pods are ready."),
      Member<&Integration::reclaimable>("reclaimable", "What finished pods give back."),
      Member<&Integration::priority_class>("priorityClass",
                                           "Where a PriorityClass may be named, in order."),
      Member<&Integration::managed_by>("managedBy", "Who runs the job."),
      Member<&Integration::skip>("skip", "Left alone if one of these holds."),
      Member<&Integration::on_hold>("onHold", "Gives its quota back while one of these holds."),
      Member<&Integration::stops_in_steps>("stopsInSteps",
                                           "Pods must be gone before templates are restored."),
      Member<&Integration::reset_on_stop>("resetOnStop", "Status field to clear on a stop."),
      Member<&Integration::allows_prebuilt>("prebuilt", "May name a prebuilt Workload."),
      Member<&Integration::allows_elastic>("elastic", "May be an elastic job."),
  };
  static constexpr auto kStruct =
      schema::Describe<Integration>("Integration", "A kind of job.", kFields);
  return kStruct;
}

std::string_view Integration::group() const { return GroupOf(api_version); }

}  // namespace berth::jobs
