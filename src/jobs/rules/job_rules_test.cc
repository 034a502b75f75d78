// Validation of created and updated jobs.

#include "jobs/rules/job_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "jobs/pods/pod_group.h"
#include "jobs/testing/objects.h"

namespace berth::jobs {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::Kind;
using testing::Yaml;

std::vector<std::string> FieldsOf(const schema::Problems& problems) {
  std::vector<std::string> fields;
  for (const schema::Problem& problem : problems) {
    fields.push_back(problem.field + ": " + std::string(schema::CauseOf(problem.type)));
    EXPECT_FALSE(problem.message.empty());
  }
  std::ranges::sort(fields);
  return fields;
}

std::vector<std::string> CreateFaults(std::string_view framework, const std::string& yaml,
                                      const JobRules& rules = {}) {
  return FieldsOf(ValidateJobCreate(Kind(framework), Yaml(yaml), rules));
}

std::vector<std::string> JobFaults(const std::string& yaml, const JobRules& rules = {}) {
  return CreateFaults("batch/job", yaml, rules);
}

constexpr const char* kQueueField = "metadata.labels[kueue.x-k8s.io/queue-name]: FieldValueInvalid";

TEST(NewJobs, QueueNamesAreNamesOfObjects) {
  EXPECT_THAT(JobFaults("{metadata: {labels: {kueue.x-k8s.io/queue-name: A_b}}}"),
              ElementsAre(kQueueField));
  EXPECT_THAT(JobFaults("{metadata: {labels: {kueue.x-k8s.io/queue-name: a-b}}}"), IsEmpty());
}

TEST(NewJobs, TimeLimitsAreAboveZero) {
  for (const char* limit : {"x", "0", "-1", "1.5"}) {
    EXPECT_THAT(JobFaults("{metadata: {labels: {kueue.x-k8s.io/max-exec-time-seconds: '" +
                          std::string(limit) + "'}}}"),
                ElementsAre("metadata.labels[kueue.x-k8s.io/max-exec-time-seconds]: "
                            "FieldValueInvalid"))
        << limit;
  }
}

TEST(NewJobs, PrebuiltWorkloadsAreNotForEveryKind) {
  const std::string job = "{metadata: {labels: {kueue.x-k8s.io/prebuilt-workload-name: w}}}";
  EXPECT_THAT(JobFaults(job), IsEmpty());
  EXPECT_THAT(CreateFaults("kubeflow.org/jaxjob", job),
              ElementsAre("metadata.labels[kueue.x-k8s.io/prebuilt-workload-name]: "
                          "FieldValueForbidden"));
}

TEST(NewJobs, ElasticJobsAreNotForEveryKind) {
  const std::string job = "{metadata: {annotations: {kueue.x-k8s.io/elastic-job: 'true'}}}";
  EXPECT_THAT(JobFaults(job), IsEmpty());
  EXPECT_THAT(CreateFaults("jobset.x-k8s.io/jobset", job),
              ElementsAre("metadata.annotations[kueue.x-k8s.io/elastic-job]: FieldValueForbidden"));
  JobRules off;
  off.gates.Set(api::Gate::kElasticJobsViaWorkloadSlices, false);
  EXPECT_THAT(CreateFaults("jobset.x-k8s.io/jobset", job, off), IsEmpty());
}

TEST(NewJobs, TheMinimumIsBelowTheNumberOfPods) {
  for (const auto& [least, is_fine] :
       {std::pair("0", false), std::pair("x", false), std::pair("1", true), std::pair("3", true),
        std::pair("4", false)}) {
    const auto faults =
        JobFaults("{metadata: {annotations: {kueue.x-k8s.io/job-min-parallelism: '" +
                  std::string(least) + "'}}, spec: {parallelism: 4}}");
    EXPECT_EQ(faults.empty(), is_fine) << least;
  }
}

TEST(NewJobs, CompletionsThatFollowParallelismAreIndexedAndEqual) {
  const std::string on =
      "metadata: {annotations: "
      "{kueue.x-k8s.io/job-completions-equal-parallelism: 'true'}}";
  const char* field =
      "metadata.annotations[kueue.x-k8s.io/job-completions-equal-parallelism]: FieldValueInvalid";
  EXPECT_THAT(JobFaults("{" + on +
                        ", spec: {parallelism: 2, completions: 2, completionMode: "
                        "Indexed}}"),
              IsEmpty());
  EXPECT_THAT(JobFaults("{" + on +
                        ", spec: {parallelism: 2, completions: 3, completionMode: "
                        "Indexed}}"),
              ElementsAre("spec.completions: FieldValueInvalid"));
  EXPECT_THAT(JobFaults("{" + on + ", spec: {parallelism: 2, completions: 2}}"),
              ElementsAre(field));
}

TEST(NewJobs, AdmissionConstraintsAreTrueOrFalse) {
  JobRules rules;
  rules.gates.Set(api::Gate::kWorkloadAdmissionConstraints, true);
  const std::string job = "{metadata: {annotations: {kueue.x-k8s.io/cannot-borrow: maybe}}}";
  EXPECT_EQ(JobFaults(job, rules).size(), 1u);
  EXPECT_THAT(JobFaults(job), IsEmpty());
}

// Their Workload is refused, so they would never start.
TEST(NewJobs, OfAQueueRequestNothingBelowZero) {
  const std::string queued = "metadata: {labels: {kueue.x-k8s.io/queue-name: q}}";
  const auto container = [](const std::string& resources) {
    return "{spec: {containers: [{name: a}, {name: c, resources: {" + resources + "}}]}}";
  };
  const auto job = [&](const std::string& metadata, const std::string& resources) {
    return "{" + metadata + ", spec: {template: " + container(resources) + "}}";
  };
  EXPECT_THAT(JobFaults(job(queued, "requests: {cpu: -1}, limits: {memory: -1Gi}")),
              ElementsAre("spec.template.spec.containers[1].resources.limits[memory]: "
                          "FieldValueInvalid",
                          "spec.template.spec.containers[1].resources.requests[cpu]: "
                          "FieldValueInvalid"));
  EXPECT_THAT(JobFaults(job(queued, "requests: {cpu: 0}")), IsEmpty());
  EXPECT_THAT(JobFaults(job("metadata: {name: a}", "requests: {cpu: -1}")), IsEmpty());
  EXPECT_THAT(CreateFaults("jobset.x-k8s.io/jobset",
                           "{" + queued +
                               ", spec: {replicatedJobs: [{name: w, template: {spec: "
                               "{template: " +
                               container("requests: {cpu: -1}") + "}}}]}}"),
              ElementsAre("spec.replicatedJobs[0].template.spec.template.spec.containers[1]."
                          "resources.requests[cpu]: FieldValueInvalid"));
  JobRules off;
  off.gates.Set(api::Gate::kWorkloadValidateResourcesAreNonNegative, false);
  EXPECT_THAT(JobFaults(job(queued, "requests: {cpu: -1}"), off), IsEmpty());
}

TEST(NewJobs, RayJobsOwnTheirCluster) {
  const std::string queue = "metadata: {labels: {kueue.x-k8s.io/queue-name: q}}, ";
  EXPECT_THAT(CreateFaults("ray.io/rayjob", "{" + queue + "spec: {}}"),
              ElementsAre("spec.rayClusterSpec: FieldValueRequired"));
  EXPECT_THAT(CreateFaults("ray.io/rayjob", "{" + queue + "spec: {rayClusterSpec: {}}}"),
              ElementsAre("spec.shutdownAfterJobFinishes: FieldValueInvalid"));
  EXPECT_THAT(
      CreateFaults("ray.io/rayjob", "{" + queue +
                                        "spec: {shutdownAfterJobFinishes: true, rayClusterSpec: "
                                        "{enableInTreeAutoscaling: true, workerGroupSpecs: "
                                        "[{groupName: head}]}}}"),
      ElementsAre("spec.rayClusterSpec.enableInTreeAutoscaling: FieldValueInvalid",
                  "spec.rayClusterSpec.workerGroupSpecs[0].groupName: FieldValueForbidden"));
  EXPECT_THAT(CreateFaults("ray.io/rayjob", "{spec: {}}"), IsEmpty());
}

// --- Topology ----------------------------------------------------------------------------------

std::vector<std::string> TopologyFaults(const std::string& annotations) {
  return JobFaults("{spec: {parallelism: 8, template: {metadata: {annotations: {" + annotations +
                   "}}}}}");
}

std::string TopologyField(std::string_view name, std::string_view cause) {
  return "spec.template.metadata.annotations[kueue.x-k8s.io/" + std::string(name) +
         "]: FieldValue" + std::string(cause);
}

TEST(TopologyRules, OneLevelOnly) {
  EXPECT_THAT(TopologyFaults("kueue.x-k8s.io/podset-required-topology: a, "
                             "kueue.x-k8s.io/podset-preferred-topology: b"),
              ElementsAre("spec.template.metadata.annotations: FieldValueInvalid"));
  EXPECT_THAT(TopologyFaults("kueue.x-k8s.io/podset-required-topology: a b"),
              ElementsAre(TopologyField("podset-required-topology", "Invalid")));
}

TEST(TopologyRules, SlicesHaveALevelAndASizeThatFits) {
  const std::string level = "kueue.x-k8s.io/podset-slice-required-topology: rack";
  EXPECT_THAT(TopologyFaults(level + ", kueue.x-k8s.io/podset-slice-size: '4'"), IsEmpty());
  EXPECT_THAT(TopologyFaults(level + ", kueue.x-k8s.io/podset-slice-size: '9'"),
              ElementsAre(TopologyField("podset-slice-size", "Invalid")));
  EXPECT_THAT(TopologyFaults(level), ElementsAre(TopologyField("podset-slice-size", "Required")));
  EXPECT_THAT(TopologyFaults("kueue.x-k8s.io/podset-slice-size: '4'"),
              ElementsAre(TopologyField("podset-slice-size", "Forbidden")));
}

TEST(TopologyRules, LayersDivideEachOther) {
  const auto faults = [](const std::string& json) {
    return TopologyFaults("kueue.x-k8s.io/podset-slice-required-topology-constraints: '" + json +
                          "'");
  };
  EXPECT_THAT(faults(R"([{"topology":"block","size":8},{"topology":"rack","size":4}])"), IsEmpty());
  EXPECT_EQ(faults(R"([{"topology":"block","size":8},{"topology":"rack","size":3}])").size(), 1u);
  EXPECT_EQ(faults(R"([{"topology":"rack","size":8},{"topology":"rack","size":4}])").size(), 1u);
  EXPECT_EQ(faults("[]").size(), 1u);
  EXPECT_EQ(faults("x").size(), 1u);
  EXPECT_EQ(faults(R"([{"topology":"block","size":16}])").size(), 1u);
}

TEST(TopologyRules, AGroupIsTwoPodSetsOneOfThemASinglePod) {
  const auto faults = [](int leaders) {
    const std::string annotations =
        "metadata: {annotations: {kueue.x-k8s.io/podset-group-name: g, "
        "kueue.x-k8s.io/podset-required-topology: rack}}";
    return CreateFaults("jobset.x-k8s.io/jobset",
                        "{spec: {replicatedJobs: [{name: a, replicas: " + std::to_string(leaders) +
                            ", template: {spec: {template: {" + annotations +
                            "}}}}, {name: b, replicas: 4, template: {spec: {template: {" +
                            annotations + "}}}}]}}");
  };
  EXPECT_THAT(faults(1), IsEmpty());
  EXPECT_EQ(faults(2).size(), 2u);
}

TEST(TopologyRules, LeaveTheGroupsOfPodGroupsToTheirPods) {
  EXPECT_THAT(CreateFaults("pod",
                           "{metadata: {annotations: {kueue.x-k8s.io/podset-group-name: g, "
                           "kueue.x-k8s.io/podset-required-topology: rack}}}"),
              IsEmpty());
}

TEST(TopologyRules, DoNotLimitTheSlicesOfAPodGroupByOneOfItsPods) {
  const std::string level = "{metadata: {annotations: {kueue.x-k8s.io/podset-slice-size: '4'";
  EXPECT_THAT(
      CreateFaults("pod", level + ", kueue.x-k8s.io/podset-slice-required-topology: rack}}}"),
      IsEmpty());
  EXPECT_THAT(CreateFaults("pod", level + "}}}"),
              ElementsAre("metadata.annotations[kueue.x-k8s.io/podset-slice-size]: "
                          "FieldValueForbidden"));
}

TEST(TopologyRules, NameTheFieldThatTheAnnotationIsIn) {
  const std::string annotations =
      "annotations: {kueue.x-k8s.io/podset-unconstrained-topology: maybe}";
  const std::string fault =
      "annotations[kueue.x-k8s.io/podset-unconstrained-topology]: FieldValueInvalid";
  EXPECT_THAT(CreateFaults("sparkoperator.k8s.io/sparkapplication",
                           "{spec: {driver: {" + annotations + "}, executor: {}}}"),
              ElementsAre("spec.driver." + fault));
  EXPECT_THAT(CreateFaults("workload.codeflare.dev/appwrapper",
                           "{spec: {components: [{template: {apiVersion: batch/v1, kind: Job, "
                           "spec: {template: {metadata: {" +
                               annotations + "}}}}}]}}"),
              ElementsAre("spec.components[0].template.spec.template.metadata." + fault));
}

// --- Changes -----------------------------------------------------------------------------------

std::string JobWith(bool is_suspended, const std::string& labels,
                    const std::string& annotations = "", int parallelism = 4) {
  return "{metadata: {labels: {" + labels + "}, annotations: {" + annotations +
         "}}, spec: {suspend: " + (is_suspended ? "true" : "false") +
         ", parallelism: " + std::to_string(parallelism) + "}}";
}

std::vector<std::string> ChangeFaults(const std::string& before, const std::string& after,
                                      const JobRules& rules = {}) {
  return FieldsOf(ValidateJobUpdate(Kind("batch/job"), Yaml(before), Yaml(after), rules));
}

TEST(ChangedJobs, OfRayAndSparkAreValidatedIfTheyAreOrWereQueued) {
  const std::string queued = JobWith(false, "kueue.x-k8s.io/queue-name: a");
  const std::string limited = JobWith(false, "kueue.x-k8s.io/max-exec-time-seconds: '0'");
  JobRules off;
  off.gates.Set(api::Gate::kValidateRayAndSparkJobUpdates, false);
  const JobRules manages_all{.manages_without_queue_name = true};
  for (const char* framework : {"ray.io/rayjob", "ray.io/raycluster", "ray.io/rayservice",
                                "sparkoperator.k8s.io/sparkapplication"}) {
    const auto is_free = [&](const std::string& before, const std::string& after,
                             const JobRules& rules) {
      return ValidateJobUpdate(Kind(framework), Yaml(before), Yaml(after), rules).empty();
    };
    EXPECT_FALSE(is_free(queued, JobWith(false, ""), {})) << framework;
    EXPECT_TRUE(is_free(queued, JobWith(false, ""), off)) << framework;
    EXPECT_TRUE(is_free(JobWith(false, ""), limited, {})) << framework;
    EXPECT_FALSE(is_free(JobWith(false, ""), limited, manages_all)) << framework;
  }
}

// A stored one can still be changed, so that it can end.
TEST(ChangedJobs, MayKeepARequestBelowZeroAndNotAddOne) {
  const auto job = [](const std::string& queue, int cpu) {
    return Yaml("{metadata: {labels: {" + queue +
                "}}, spec: {suspend: true, template: {spec: "
                "{containers: [{name: c, resources: {requests: {cpu: " +
                std::to_string(cpu) + "}}}]}}}}");
  };
  const std::string queued = "kueue.x-k8s.io/queue-name: q";
  const auto faults = [](const json::value& before, const json::value& after) {
    return FieldsOf(ValidateJobUpdate(Kind("batch/job"), before, after, {}));
  };
  EXPECT_THAT(faults(job(queued, -1), job(queued, -1)), IsEmpty());
  EXPECT_EQ(faults(job(queued, 1), job(queued, -1)).size(), 1u);
  EXPECT_EQ(faults(job("", -1), job(queued, -1)).size(), 1u);
}

TEST(ChangedJobs, TheQueueIsFixedWhileTheJobRuns) {
  const std::string a = "kueue.x-k8s.io/queue-name: a";
  const std::string b = "kueue.x-k8s.io/queue-name: b";
  EXPECT_THAT(ChangeFaults(JobWith(true, a), JobWith(true, b)), IsEmpty());
  EXPECT_THAT(ChangeFaults(JobWith(false, a), JobWith(false, b)), ElementsAre(kQueueField));
  EXPECT_THAT(ChangeFaults(JobWith(false, a), JobWith(true, b)), IsEmpty());
  EXPECT_THAT(ChangeFaults(JobWith(false, ""), JobWith(false, b)), ElementsAre(kQueueField));
}

TEST(ChangedJobs, AQueueCannotBeRemovedWhereThereIsADefault) {
  const std::string queue = "kueue.x-k8s.io/queue-name: a";
  EXPECT_THAT(ChangeFaults(JobWith(true, queue), JobWith(true, "")), IsEmpty());
  EXPECT_THAT(ChangeFaults(JobWith(true, queue), JobWith(true, ""), {.has_default_queue = true}),
              ElementsAre(kQueueField));
}

TEST(ChangedJobs, PriorityClassesComeWhileSuspendedAndNeverGo) {
  const std::string a = "kueue.x-k8s.io/priority-class: a";
  const char* field = "metadata.labels[kueue.x-k8s.io/priority-class]: FieldValueInvalid";
  EXPECT_THAT(ChangeFaults(JobWith(false, ""), JobWith(false, a)), ElementsAre(field));
  EXPECT_THAT(ChangeFaults(JobWith(true, ""), JobWith(true, a)), IsEmpty());
  EXPECT_THAT(ChangeFaults(JobWith(true, a), JobWith(true, "")), ElementsAre(field));
  EXPECT_THAT(ChangeFaults(JobWith(false, a), JobWith(false, "kueue.x-k8s.io/priority-class: b")),
              IsEmpty());
}

TEST(ChangedJobs, TimeLimitsAndPrebuiltWorkloadsAreFixedWhileTheJobRuns) {
  for (const char* label :
       {"kueue.x-k8s.io/max-exec-time-seconds: '9'", "kueue.x-k8s.io/prebuilt-workload-name: w"}) {
    EXPECT_EQ(ChangeFaults(JobWith(false, ""), JobWith(false, label)).size(), 1u) << label;
    EXPECT_THAT(ChangeFaults(JobWith(true, ""), JobWith(true, label)), IsEmpty()) << label;
  }
}

TEST(ChangedJobs, AnAdmittedNumberOfPodsIsFixed) {
  const std::string least = "kueue.x-k8s.io/job-min-parallelism: '2'";
  EXPECT_THAT(ChangeFaults(JobWith(false, "", least, 4), JobWith(false, "", least, 3)),
              ElementsAre("spec.parallelism: FieldValueForbidden"));
  EXPECT_THAT(ChangeFaults(JobWith(true, "", least, 4), JobWith(true, "", least, 3)), IsEmpty());
}

TEST(ChangedJobs, AdmissionConstraintsAreFixedWhileTheJobRuns) {
  JobRules rules;
  rules.gates.Set(api::Gate::kWorkloadAdmissionConstraints, true);
  for (const std::string key : {"kueue.x-k8s.io/cannot-borrow", "kueue.x-k8s.io/cannot-preempt"}) {
    const std::string yes = key + ": 'true'", no = key + ": 'false'";
    const std::string field = "metadata.annotations[" + key + "]: FieldValueInvalid";
    const auto faults = [&](bool is_suspended, const std::string& before, const std::string& after,
                            const JobRules& with) {
      return ChangeFaults(JobWith(is_suspended, "", before), JobWith(is_suspended, "", after),
                          with);
    };
    EXPECT_THAT(faults(false, "", yes, rules), ElementsAre(field));
    EXPECT_THAT(faults(false, yes, no, rules), ElementsAre(field));
    EXPECT_THAT(faults(false, "", no, rules), IsEmpty());
    EXPECT_THAT(faults(true, "", yes, rules), IsEmpty());
    EXPECT_THAT(faults(false, "", yes, {}), IsEmpty());
  }
}

TEST(ChangedJobs, ElasticJobsStayElastic) {
  const std::string elastic = "kueue.x-k8s.io/elastic-job: 'true'";
  EXPECT_THAT(ChangeFaults(JobWith(true, "", elastic), JobWith(true, "")),
              ElementsAre("metadata.annotations[kueue.x-k8s.io/elastic-job]: FieldValueInvalid"));
}

TEST(ChangedDeployments, TheQueueIsFixedOnceAPodIsReadyAndCannotBeRemoved) {
  const auto faults = [](const char* queue, int ready) {
    const std::string before =
        "{metadata: {labels: {kueue.x-k8s.io/queue-name: a}}, status: "
        "{readyReplicas: " +
        std::to_string(ready) + "}}";
    const std::string after = "{metadata: {labels: {" + std::string(queue) + "}}}";
    return FieldsOf(ValidateJobUpdate(Kind("deployment"), Yaml(before), Yaml(after), {}));
  };
  EXPECT_THAT(faults("kueue.x-k8s.io/queue-name: b", 0), IsEmpty());
  EXPECT_THAT(faults("kueue.x-k8s.io/queue-name: b", 1), ElementsAre(kQueueField));
  EXPECT_THAT(faults("", 0), ElementsAre(kQueueField));
}

// --- Pods --------------------------------------------------------------------------------------

TEST(PodRules, AGroupHasANameAndASize) {
  EXPECT_THAT(CreateFaults("pod", "{metadata: {labels: {kueue.x-k8s.io/pod-group-name: g}}}"),
              ElementsAre("metadata.annotations[kueue.x-k8s.io/pod-group-total-count]: "
                          "FieldValueRequired"));
  EXPECT_THAT(
      CreateFaults("pod", "{metadata: {annotations: {kueue.x-k8s.io/pod-group-total-count: '2'}}}"),
      ElementsAre("metadata.labels[kueue.x-k8s.io/pod-group-name]: FieldValueRequired"));
  EXPECT_THAT(CreateFaults("pod",
                           "{metadata: {labels: {kueue.x-k8s.io/pod-group-name: g}, annotations: "
                           "{kueue.x-k8s.io/pod-group-total-count: '0'}}}"),
              ElementsAre("metadata.annotations[kueue.x-k8s.io/pod-group-total-count]: "
                          "FieldValueInvalid"));
}

TEST(PodRules, TheMissingHalfOfAGroupIsNamed) {
  const auto message = [](std::string_view pod) {
    const auto problems =
        ValidateJobCreate(*IntegrationSet::BuiltIn().FindFramework("pod"), Yaml(pod), JobRules{});
    return problems.empty() ? std::string() : schema::ToString(problems.front());
  };
  EXPECT_EQ(message("{metadata: {labels: {kueue.x-k8s.io/pod-group-name: g}}}"),
            "metadata.annotations[kueue.x-k8s.io/pod-group-total-count]: must be set: the pod is "
            "in group \"g\", but annotation kueue.x-k8s.io/pod-group-total-count is missing (write "
            "the number of pods of the group, such as \"2\")");
  EXPECT_EQ(message("{metadata: {annotations: {kueue.x-k8s.io/pod-group-total-count: '2'}}}"),
            "metadata.labels[kueue.x-k8s.io/pod-group-name]: must be set: annotation "
            "kueue.x-k8s.io/pod-group-total-count is \"2\", but label "
            "kueue.x-k8s.io/pod-group-name is missing (write the name of the group, or remove the "
            "annotation)");
}

TEST(PodRules, TheManagedLabelIsTrue) {
  EXPECT_THAT(CreateFaults("pod", "{metadata: {labels: {kueue.x-k8s.io/managed: 'no'}}}"),
              ElementsAre("metadata.labels[kueue.x-k8s.io/managed]: FieldValueForbidden"));
}

TEST(PodRules, APodStaysInItsGroup) {
  const auto faults = FieldsOf(
      ValidateJobUpdate(Kind("pod"),
                        Yaml("{metadata: {labels: {kueue.x-k8s.io/pod-group-name: g}, annotations: "
                             "{kueue.x-k8s.io/pod-group-total-count: '1'}}}"),
                        Yaml("{metadata: {labels: {kueue.x-k8s.io/pod-group-name: h}, annotations: "
                             "{kueue.x-k8s.io/pod-group-total-count: '1'}}}"),
                        {}));
  EXPECT_THAT(faults,
              ElementsAre("metadata.labels[kueue.x-k8s.io/pod-group-name]: FieldValueInvalid"));
}

TEST(ElasticJobRules, TheGateOfThePodsCannotBeRemoved) {
  const auto cluster = [](std::string_view workers) {
    return testing::Yaml(
        "{metadata: {name: c, labels: {kueue.x-k8s.io/queue-name: lq}, annotations: "
        "{kueue.x-k8s.io/elastic-job: 'true'}}, spec: {suspend: true, headGroupSpec: {template: "
        "{spec: {schedulingGates: [{name: kueue.x-k8s.io/elastic-job}]}}}, workerGroupSpecs: "
        "[{groupName: w, template: {spec: {" +
        std::string(workers) + "}}}]}}");
  };
  const json::value gated = cluster("schedulingGates: [{name: kueue.x-k8s.io/elastic-job}]");
  const Integration& kind = testing::Kind("ray.io/raycluster");
  EXPECT_TRUE(ValidateJobUpdate(kind, gated, gated, {}).empty());
  const schema::Problems problems = ValidateJobUpdate(kind, gated, cluster(""), {});
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].field, "spec.workerGroupSpecs[0].template.spec.schedulingGates");
  EXPECT_TRUE(ValidateJobUpdate(kind, cluster(""), cluster(""), {}).empty());
}

}  // namespace
}  // namespace berth::jobs
