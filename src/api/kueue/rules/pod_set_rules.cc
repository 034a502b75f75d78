// Validates pod sets: metadata and resources of templates, topology requests, partial admission.

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "api/kueue/rules/workload_rules_parts.h"
#include "api/meta/label_rules.h"

namespace berth::api {
namespace {

// Counted by queues that cover it; not requestable by pods.
constexpr std::string_view kPodsResource = "pods";

class PodSetRules {
 public:
  PodSetRules(const ValidationOptions& options, ProblemReport& report)
      : gates_(options.gates), report_(report) {}

  void Check(const PodSet& pod_set) {
    CheckTemplate(pod_set.template_);
    if (pod_set.topology_request && gates_.IsOn(Gate::kTASValidateWorkloadSliceSize)) {
      CheckSlices(*pod_set.topology_request);
    }
  }

 private:
  void CheckTemplate(const PodTemplateSpec& pod) {
    const auto in_template = report_.In("template");
    if (gates_.IsOn(Gate::kWorkloadValidationForPodSetMetadata)) {
      const auto in_metadata = report_.In("metadata");
      ValidateLabels(pod.metadata.labels, "labels", report_);
      ValidateAnnotations(pod.metadata.annotations, "annotations", report_);
    }
    const auto in_spec = report_.In("spec");
    CheckContainers(pod.spec.init_containers, "initContainers");
    CheckContainers(pod.spec.containers, "containers");
    if (pod.spec.resources) CheckResources(*pod.spec.resources);
  }

  void CheckContainers(const std::vector<Container>& containers, std::string_view field) {
    for (size_t i = 0; i < containers.size(); ++i) {
      const auto at = report_.In(field, i);
      CheckResources(containers[i].resources);
    }
  }

  void CheckResources(const ResourceRequirements& resources) {
    const auto in = report_.In("resources");
    CheckAmounts(resources.requests, "requests");
    CheckAmounts(resources.limits, "limits");
  }

  void CheckAmounts(const ResourceList& amounts, std::string_view field) {
    const auto in = report_.In(field);
    for (const auto& [resource, amount] : amounts) {
      const auto at = report_.AtKey(resource);
      if (resource == kPodsResource) {
        report_.Invalid("", "\"pods\" is counted automatically and cannot be requested",
                        "remove it");
      }
      if (amount.Sign() < 0 && gates_.IsOn(Gate::kWorkloadValidateResourcesAreNonNegative)) {
        report_.Invalid("", amount.ToString() + " is negative", "write 0 or more");
      }
    }
  }

  void CheckSlices(const PodSetTopologyRequest& request) {
    const auto in = report_.In("topologyRequest");
    const bool has_topology = request.pod_set_slice_required_topology.has_value();
    const auto& size = request.pod_set_slice_size;
    if (has_topology && !size) {
      report_.Required("podSetSliceSize", "must be set: the number of pods in a slice",
                       "write 1 or more");
    } else if (has_topology && *size <= 0) {
      report_.Invalid("podSetSliceSize", std::to_string(*size) + " is not a slice size",
                      "write 1 or more");
    } else if (!has_topology && size) {
      report_.Forbidden("podSetSliceSize", "requires podSetSliceRequiredTopology",
                        "remove it or name the topology level");
    }
    const auto& constraints = request.podset_slice_required_topology_constraints;
    for (size_t i = 0; i < constraints.size(); ++i) {
      if (constraints[i].size > 0) continue;
      const auto at = report_.In("podsetSliceRequiredTopologyConstraints", i);
      report_.Invalid("size", std::to_string(constraints[i].size) + " is not a slice size",
                      "write 1 or more");
    }
  }

  const FeatureGates& gates_;
  ProblemReport& report_;
};

// A placement knows a leader with one pod, and its workers.
void CheckGroups(const std::vector<PodSet>& pod_sets, ProblemReport& report) {
  std::map<std::string, std::vector<size_t>> groups;  // indices of members
  for (size_t i = 0; i < pod_sets.size(); ++i) {
    const auto& request = pod_sets[i].topology_request;
    if (request && request->pod_set_group_name) groups[*request->pod_set_group_name].push_back(i);
  }
  for (const auto& [name, members] : groups) {
    const bool has_leader =
        std::ranges::any_of(members, [&](size_t i) { return pod_sets[i].count.value_or(1) <= 1; });
    if (members.size() < 2 || (members.size() == 2 && has_leader)) continue;
    const std::string message = members.size() > 2
                                    ? "the group has " + std::to_string(members.size()) +
                                          " pod sets, and at most two can be"
                                          " placed together"
                                    : "neither pod set of the group is a single pod";
    for (const size_t i : members) {
      const auto at = report.In("podSets", i);
      const auto in = report.In("topologyRequest");
      report.Invalid("podSetGroupName", message,
                     "leave the group to two pod sets, one of them with count 1");
    }
  }
}

}  // namespace

void ValidatePodSets(const Workload& workload, const Workload* old,
                     const ValidationOptions& options, ProblemReport& report) {
  const auto in = report.In("spec");
  PodSetRules rules(options, report);
  int shrinking = 0;
  for (size_t i = 0; i < workload.spec.pod_sets.size(); ++i) {
    const auto at = report.In("podSets", i);
    rules.Check(workload.spec.pod_sets[i]);
    if (workload.spec.pod_sets[i].min_count) ++shrinking;
  }
  // A stored Workload must remain writable, so that it can be finished and deleted.
  if (old == nullptr) CheckGroups(workload.spec.pod_sets, report);
  if (shrinking > 1) {
    report.Invalid("podSets", "minCount is set in more than one pod set", "keep it in one of them");
  }
  if (shrinking > 0 && IsElastic(workload, options)) {
    report.Invalid("podSets", "partial admission is not supported for elastic jobs",
                   "remove minCount or the annotation " + std::string(kElasticJobAnnotation));
  }
}

}  // namespace berth::api
