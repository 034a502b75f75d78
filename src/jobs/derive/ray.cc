#include <algorithm>
#include <cctype>

#include "api/kueue/well_known.h"
#include "jobs/derive/derive.h"
#include "schema/decode.h"

namespace berth::jobs {
namespace {

constexpr std::string_view kSubmitter = "ray-job-submitter";
constexpr std::string_view kFaultTolerant = "metadata.annotations[ray.io/ft-enabled]";

api::ResourceList Amounts(std::string_view cpu, std::string_view memory) {
  api::ResourceList list;
  list.Set("cpu", quantity::Quantity::Parse(cpu).value());
  list.Set("memory", quantity::Quantity::Parse(memory).value());
  return list;
}

api::Container ContainerOf(std::string_view name, api::ResourceList requests,
                           api::ResourceList limits) {
  api::Container container;
  container.name = name;
  container.resources.requests = std::move(requests);
  container.resources.limits = std::move(limits);
  return container;
}

// Defaults of the Ray operator for its own containers.
api::Container DefaultSubmitter() {
  return ContainerOf(kSubmitter, Amounts("500m", "200Mi"), Amounts("1", "1Gi"));
}

base::Result<api::Container> Autoscaler(const json::value& cluster) {
  api::Container container =
      ContainerOf("autoscaler", Amounts("500m", "512Mi"), Amounts("500m", "512Mi"));
  const json::value* given = json::FindAt(cluster, "autoscalerOptions.resources");
  if (given == nullptr) return container;
  auto resources = schema::Decode<api::ResourceRequirements>(json::Print(*given));
  if (!resources)
    return base::Fail("autoscalerOptions.resources: " + resources.error().front().message);
  container.resources = *std::move(resources);
  return container;
}

// The Redis cleanup job runs after the head is gone, in its quota.
void ReserveCleanup(api::PodSpec& head) {
  if (head.containers.empty()) return;
  api::ResourceList& requests = head.containers.front().resources.requests;
  for (const auto& [resource, amount] : Amounts("200m", "256Mi")) {
    const quantity::Quantity* there = requests.Find(resource);
    if (there == nullptr || *there < amount) requests.Set(resource, amount);
  }
}

// The autoscaler changes the counts in the cluster of an elastic job.
base::Result<void> FollowAutoscaler(const Integration& integration, const json::value& job,
                                    const PodSetOptions& options, PodSetList& sets) {
  const auto& find = options.related.find_ray_cluster;
  const json::value* cluster = find ? find(job) : nullptr;
  const bool is_elastic =
      json::TextAt(job, "metadata.annotations[" + std::string(api::kElasticJobAnnotation) + "]") ==
      "true";
  if (cluster == nullptr || !is_elastic ||
      !json::IsSetAt(job, integration.ray_cluster + ".enableInTreeAutoscaling"))
    return {};
  const json::value* groups = json::FindAt(*cluster, "spec.workerGroupSpecs");
  if (groups == nullptr || !groups->is_array()) return {};
  for (const json::value& group : groups->get_array()) {
    const std::string name = PodSetName(json::TextAt(group, "groupName"));
    const auto set = std::ranges::find(
        sets, name, [](const JobPodSet& s) -> const std::string& { return s.pod_set.name; });
    if (set == sets.end())
      return base::Fail("its RayCluster has a worker group " + name +
                        " that it does not have itself");
    if (set->rule != nullptr && json::IntAt(group, "replicas"))
      set->pod_set.count = CountOf(set->rule->count, group);
  }
  return {};
}

}  // namespace

bool IsFaultTolerantRay(const Integration& integration, const json::value& job) {
  std::string flag = json::TextAt(job, kFaultTolerant);
  std::ranges::transform(flag, flag.begin(), [](unsigned char c) { return std::tolower(c); });
  return flag == "true" ||
         json::FindAt(job, integration.ray_cluster + ".gcsFaultToleranceOptions") != nullptr;
}

base::Result<PodSetList> DeriveRayCluster(const Integration& integration, const json::value& job,
                                          const PodSetOptions& options, PodSetList sets) {
  const json::value* cluster = json::FindAt(job, integration.ray_cluster);
  if (cluster == nullptr || sets.empty())
    return base::Fail(integration.ray_cluster + ": is missing",
                      "describe the head and the workers there");
  api::PodSpec& head = sets.front().pod_set.template_.spec;
  if (IsFaultTolerantRay(integration, job)) ReserveCleanup(head);
  if (json::IsSetAt(*cluster, "enableInTreeAutoscaling")) {
    auto container = Autoscaler(*cluster);
    if (!container) return std::unexpected(container.error());
    head.containers.push_back(*std::move(container));
  }
  const auto followed = FollowAutoscaler(integration, job, options, sets);
  if (!followed) return std::unexpected(followed.error());
  return sets;
}

base::Result<api::PodTemplateSpec> RaySubmitterTemplate(const json::value& job) {
  constexpr std::string_view kTemplate = "spec.submitterPodTemplate";
  if (const json::value* own = json::FindAt(job, kTemplate)) return ReadTemplate(*own, kTemplate);
  api::PodTemplateSpec pods;
  pods.spec.restart_policy = api::kRestartNever;
  pods.spec.containers.push_back(DefaultSubmitter());
  pods.spec.containers.front().image =
      json::TextAt(job, "spec.rayClusterSpec.headGroupSpec.template.spec.containers[0].image");
  return pods;
}

base::Result<PodSetList> DeriveRayJob(const Integration& integration, const json::value& job,
                                      const PodSetOptions& options, PodSetList pod_sets) {
  auto sets = DeriveRayCluster(integration, job, options, std::move(pod_sets));
  if (!sets) return sets;
  const std::string mode = json::TextAt(job, "spec.submissionMode");
  if (mode == "SidecarMode")
    sets->front().pod_set.template_.spec.containers.push_back(DefaultSubmitter());
  if (mode != "K8sJobMode") return sets;
  auto pods = RaySubmitterTemplate(job);
  if (!pods) return std::unexpected(pods.error());
  const auto request = TopologyRequest(pods->metadata.annotations, {}, options);
  if (!request) return std::unexpected(request.error());
  JobPodSet submitter{.template_path = "spec.submitterPodTemplate"};
  submitter.pod_set.name = "submitter";
  submitter.pod_set.count = 1;
  submitter.pod_set.topology_request = *request;
  submitter.pod_set.template_ = *std::move(pods);
  DropRepeatedVariables(submitter.pod_set.template_.spec);
  sets->push_back(std::move(submitter));
  return sets;
}

}  // namespace berth::jobs
