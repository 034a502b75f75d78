// Malformed objects never crash: bad input is an error or reads as absent.

#include <gtest/gtest.h>

#include "base/random.h"
#include "jobs/defaulting.h"
#include "jobs/equivalent.h"
#include "jobs/job_state.h"
#include "jobs/pods/serving_pods.h"
#include "jobs/rules/job_rules.h"
#include "jobs/start_stop.h"
#include "jobs/testing/objects.h"
#include "jobs/workload_for.h"

namespace berth::jobs {
namespace {

using testing::Yaml;

// An object with every field that a description reads.
json::value Everything() {
  const char* pods =
      "{metadata: {labels: {a: b}, annotations: {kueue.x-k8s.io/podset-required-topology: rack}}, "
      "spec: {containers: [{name: c, env: [{name: A, value: x}], resources: {requests: {cpu: "
      "1}}}], "
      "tolerations: [{key: k}], nodeSelector: {x: y}, schedulingGates: [{name: "
      "kueue.x-k8s.io/admission}]}}";
  const std::string p(pods);
  const std::string cluster = "{headGroupSpec: {template: " + p +
                              "}, workerGroupSpecs: [{groupName: w, replicas: 2, numOfHosts: 2, "
                              "template: " +
                              p +
                              "}], enableInTreeAutoscaling: true, autoscalerOptions: "
                              "{resources: {requests: {cpu: 1}}}}";
  const std::string role = "{replicas: 2, template: " + p + "}";
  return Yaml(R"(
metadata:
  name: n
  namespace: ns
  uid: u
  labels: {kueue.x-k8s.io/queue-name: q, kueue.x-k8s.io/max-exec-time-seconds: '5'}
  annotations: {kueue.x-k8s.io/job-min-parallelism: '1', kueue.x-k8s.io/elastic-job: 'true',
                kueue.x-k8s.io/pod-group-total-count: '2', kueue.x-k8s.io/pod-group-name: g,
                kueue.x-k8s.io/pod-group-pod-index-label: i}
spec:
  suspend: true
  parallelism: 3
  completions: 3
  completionMode: Indexed
  replicas: 2
  template: )" +
              p + R"(
  containers: [{name: c}]
  replicatedJobs: [{name: a, replicas: 2, template: {spec: {parallelism: 2, template: )" +
              p + R"(}}}]
  runPolicy: {suspend: true, schedulingPolicy: {priorityClass: p}}
  pytorchReplicaSpecs: {Master: )" +
              role + R"(, Worker: )" + role + R"(}
  mpiReplicaSpecs: {Launcher: )" +
              role + R"(, Worker: )" + role + R"(}
  rayClusterSpec: )" +
              cluster + R"(
  rayClusterConfig: )" +
              cluster + R"(
  headGroupSpec: {template: )" +
              p + R"(}
  submissionMode: K8sJobMode
  components: [{podSets: [{path: template.spec.template, replicas: 2}], template: {spec: {template: )" +
              p + R"(}}}]
  driver: {coreRequest: '1', memory: 1g, sidecars: [{name: s}], nodeSelector: {a: b}}
  executor: {instances: 2, memory: 1g, gpu: {name: g, quantity: 1}}
  runtimePatches: [{manager: kueue.x-k8s.io/manager, trainingRuntimeSpec: {template: {spec: {}}}}]
  trainer: {numNodes: 2, env: [{name: A, value: b}], resourcesPerNode: {requests: {cpu: 1}}}
  leaderWorkerTemplate: {size: 3, leaderTemplate: )" +
              p + R"(, workerTemplate: )" + p + R"(}
status:
  active: 1
  succeeded: 1
  completedIndexes: 0,2-4
  startTime: '2026-01-01T00:00:00Z'
  conditions: [{type: Failed, status: 'True', message: m}]
  replicatedJobsStatus: [{name: a, ready: 1, succeeded: 1, active: 1}]
  replicaStatuses: {Worker: {active: 1}}
  executorState: {a: RUNNING}
)");
}

json::value OddValue(base::Random& random) {
  switch (random.Below(9)) {
    case 0:
      return nullptr;
    case 1:
      return json::array();
    case 2:
      return json::object();
    case 3:
      return "";
    case 4:
      return "x]y.z[";
    case 5:
      return std::numeric_limits<int64_t>::min();
    case 6:
      return std::numeric_limits<int32_t>::max();
    case 7:
      return true;
    default:
      return json::array{nullptr, 1, "a", json::object{{"name", 3}}};
  }
}

// Replaces a random descendant.
void Mutate(json::value& at, base::Random& random) {
  const bool is_nested = random.Below(4) != 0;
  json::object* object = at.if_object();
  json::array* list = at.if_array();
  if (is_nested && object != nullptr && !object->empty()) {
    auto member = object->begin() + static_cast<std::ptrdiff_t>(random.Below(object->size()));
    return Mutate(member->value(), random);
  }
  if (is_nested && list != nullptr && !list->empty())
    return Mutate((*list)[random.Below(list->size())], random);
  at = OddValue(random);
}

void Exercise(const Integration& kind, const json::value& job, const json::value& old_job) {
  IsSuspended(kind, job);
  IsActive(kind, job);
  Finished(kind, job);
  const PodSetOptions options{
      .related = {.find_training_runtime = [&](const json::value&) { return &old_job; },
                  .find_ray_cluster = [&](const json::value&) { return &old_job; }}};
  const auto sets = PodSetsOf(kind, job, options);
  if (sets) {
    PodsReady(kind, job, *sets);
    ReclaimablePods(kind, job, *sets);
    std::vector<PodSetInfo> infos;
    for (const JobPodSet& set : *sets)
      infos.push_back({.name = set.pod_set.name, .node_selector = {{"pool", "spot"}}});
    const auto started = StartJob(kind, job, *sets, infos, {});
    if (started) StopJob(kind, started->back().object, *sets, infos);
  }
  const auto made = WorkloadFor(kind, job, {}, {.pod_sets = options});
  if (made) {
    const auto same = IsEquivalent({.integration = &kind,
                                    .job = &job,
                                    .workload = &*made,
                                    .find_flavor = [](std::string_view) { return nullptr; }},
                                   {.pod_sets = options}, {});
    EXPECT_TRUE(same.has_value());
  }
  ValidateJobCreate(kind, job, {.pod_sets = options});
  ValidateJobUpdate(kind, old_job, job, {.pod_sets = options});
  (void)MarkServingPod(kind, old_job, job, {});
}

TEST(OddObjects, NeverCrash) {
  const json::value good = Everything();
  api::Configuration configuration;
  configuration.integrations.emplace().frameworks.emplace();
  for (const Integration& kind : IntegrationSet::BuiltIn().all())
    configuration.integrations->frameworks->push_back(kind.framework);
  const ManagedJobsPolicy policy(configuration, {});
  const api::Labels labels;
  base::Random random(7);
  for (int round = 0; round < 300; ++round) {
    json::value odd = good;
    for (uint64_t i = random.Below(4); i > 0; --i) Mutate(odd, random);
    for (const Integration& kind : IntegrationSet::BuiltIn().all()) {
      Exercise(kind, odd, good);
      (void)ApplyJobDefaults(kind, odd, {.policy = &policy, .namespace_labels = &labels});
    }
  }
}

}  // namespace
}  // namespace berth::jobs
