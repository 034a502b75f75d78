#include "jobs/integration.h"

#include "jobs/managed.h"

namespace berth::jobs {

using schema::Member;

const schema::Struct& Test::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&Test::condition>("condition", "A condition of this type is True."),
      Member<&Test::path>("path", "Path of a value that is one of `in`, or is set without `in`."),
      Member<&Test::in>("in", "Values as text; empty also means absent."),
      Member<&Test::each>("each", "List or map, one element of which must pass the test."),
      Member<&Test::is_not>("not", "Negates the test."),
  };
  static constexpr auto kStruct =
      schema::Describe<Test>("Test", "A predicate on an object.", kFields);
  return kStruct;
}

const schema::Struct& CountFactor::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&CountFactor::path>("path", "Path of the number.").Required(),
      Member<&CountFactor::default_>("default", "Default of the number."),
      Member<&CountFactor::at_most>("atMost", "Path of its maximum."),
      Member<&CountFactor::plus>("plus", "Added to the number."),
      Member<&CountFactor::at_least>("atLeast", "Minimum of the number."),
  };
  static constexpr auto kStruct =
      schema::Describe<CountFactor>("CountFactor", "A factor of a number of pods.", kFields);
  return kStruct;
}

const schema::Struct& CountField::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&CountField::path>("path", "Path to write the number to.").Required(),
      Member<&CountField::only_if>("onlyIf", "Path whose value must be the text \"true\"."),
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
      Member<&PodSetRule::name_path>("namePath", "Path of its name."),
      Member<&PodSetRule::template_>("template", "Path of the pod template."),
      Member<&PodSetRule::has_metadata>("metadata",
                                        "Whether the template's metadata is part of the set."),
      Member<&PodSetRule::count>("count", "Factors of the number of pods."),
      Member<&PodSetRule::min_count>("minCount", "Path of the minimum number of pods."),
      Member<&PodSetRule::partial_count>("partialCount", "Fields to write on partial admission."),
      Member<&PodSetRule::pod_index_label>("podIndexLabel", "Label with the index of the pod."),
      Member<&PodSetRule::sub_group_index_label>("subGroupIndexLabel",
                                                 "Label with the index of the group."),
      Member<&PodSetRule::sub_group_count>("subGroupCount", "Path of the number of groups."),
  };
  static constexpr auto kStruct =
      schema::Describe<PodSetRule>("PodSetRule", "A set of identical pods.", kFields);
  return kStruct;
}

const schema::Struct& EndRule::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&EndRule::when>("when", "Tests that must all hold.").Required(),
      Member<&EndRule::is_success>("success", "Whether the job succeeded."),
      Member<&EndRule::message>("message", "Message of the condition Finished."),
      Member<&EndRule::message_path>("messagePath", "Path of the message."),
  };
  static constexpr auto kStruct = schema::Describe<EndRule>("EndRule", "A way to finish.", kFields);
  return kStruct;
}

const schema::Struct& SumRule::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&SumRule::each>("each", "List whose elements are summed over."),
      Member<&SumRule::add>("add", "Paths of numbers, lists and maps.").Required(),
      Member<&SumRule::in>("in", "Values of lists and maps that count."),
  };
  static constexpr auto kStruct = schema::Describe<SumRule>("SumRule", "A sum.", kFields);
  return kStruct;
}

const schema::Struct& ReadyRule::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ReadyRule::when>("when", "Tests that must all hold."),
      Member<&ReadyRule::counted>("counted", "Number of ready or finished pods."),
      Member<&ReadyRule::wanted>("wanted", "Required number. Defaults to all pods."),
  };
  static constexpr auto kStruct =
      schema::Describe<ReadyRule>("ReadyRule", "Readiness of the pods.", kFields);
  return kStruct;
}

const schema::Struct& ReclaimRule::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ReclaimRule::by_completions>("byCompletions",
                                           "Whether the job has completions like a batch/v1 Job."),
      Member<&ReclaimRule::statuses>("statuses", "Path of a list with an element per pod set."),
      Member<&ReclaimRule::name>("name", "Path in an element of the pod set's name."),
      Member<&ReclaimRule::succeeded>("succeeded",
                                      "Path in an element of the number of finished replicas."),
  };
  static constexpr auto kStruct =
      schema::Describe<ReclaimRule>("ReclaimRule", "Quota released by finished pods.", kFields);
  return kStruct;
}

const schema::Struct& ManagedByRule::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ManagedByRule::path>("path", "Path of the controller's name.").Required(),
      Member<&ManagedByRule::controller>("controller", "Name of the default controller.")
          .Required(),
  };
  static constexpr auto kStruct =
      schema::Describe<ManagedByRule>("ManagedByRule", "Controller of the job.", kFields);
  return kStruct;
}

const schema::Struct& Integration::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&Integration::framework>("framework", "Name of the integration.").Required(),
      Member<&Integration::api_version>("apiVersion", "apiVersion of the objects.").Required(),
      Member<&Integration::kind>("kind", "Kind of the objects.").Required(),
      Member<&Integration::plural>("plural", "Plural name, as in URLs.").Required(),
      Member<&Integration::suspension>("waits", "How a job is suspended.").OneOf(kSuspensions),
      Member<&Integration::suspend>("suspend", "Path of the suspend flag."),
      Member<&Integration::pod_sets>("podSets", "Pod sets of the job."),
      Member<&Integration::derives>("derives", "Derivation of pod sets beyond the rules.")
          .OneOf(kDerivations),
      Member<&Integration::ray_cluster>("rayCluster", "Path of the RayCluster spec."),
      Member<&Integration::cleans_up_redis>("cleansUpRedis",
                                            "Whether a deleted job cleans up Redis in its quota."),
      Member<&Integration::injects>("injects", "Where the admission is injected.")
          .OneOf(kInjections),
      Member<&Integration::own_labels>("ownLabels", "Template labels set by the job's controller."),
      Member<&Integration::hidden_labels>("hiddenLabels", "Labels left out of Workloads."),
      Member<&Integration::active>("active", "Tests, one of which holds while pods exist."),
      Member<&Integration::finished>("finished", "Ways to finish; the first match applies."),
      Member<&Integration::ready>("ready", "Readiness of the pods."),
      Member<&Integration::reclaimable>("reclaimable", "Quota released by finished pods."),
      Member<&Integration::priority_class>("priorityClass",
                                           "Paths of the PriorityClass, in order of precedence."),
      Member<&Integration::managed_by>("managedBy", "Controller of the job."),
      Member<&Integration::skip>("skip", "Tests, one of which exempts the job from queueing."),
      Member<&Integration::on_hold>("onHold", "Tests, one of which releases the quota."),
      Member<&Integration::stops_in_steps>(
          "stopsInSteps", "Whether templates are restored after the pods are gone."),
      Member<&Integration::reset_on_stop>("resetOnStop", "Status field to clear on stop."),
      Member<&Integration::allows_prebuilt>("prebuilt",
                                            "Whether prebuilt Workloads are supported."),
      Member<&Integration::allows_elastic>("elastic", "Whether elastic jobs are supported."),
  };
  static constexpr auto kStruct =
      schema::Describe<Integration>("Integration", "A job kind.", kFields);
  return kStruct;
}

std::string_view Integration::group() const { return GroupOf(api_version); }

}  // namespace berth::jobs
