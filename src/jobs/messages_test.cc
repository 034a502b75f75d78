// Every text about jobs and pod groups that becomes an Event, with an example. Scripts match these
// shapes.

#include <gtest/gtest.h>

#include "api/kueue/well_known.h"
#include "jobs/injection.h"
#include "jobs/integration_set.h"
#include "jobs/pods/pod_group.h"
#include "jobs/pods/pod_sets.h"
#include "jobs/priority.h"
#include "jobs/start_stop.h"
#include "jobs/testing/objects.h"
#include "schema/decode.h"

namespace berth::jobs {
namespace {

struct MessageRow {
  std::string text;
  std::string_view expected;
};

void ExpectTexts(const std::vector<MessageRow>& rows) {
  for (const MessageRow& row : rows) EXPECT_EQ(row.text, row.expected);
}

// A member of group g; `metadata` is added to its own.
api::Pod GroupMember(std::string_view name, std::string_view annotations,
                     std::string_view queue = "q") {
  return *schema::Decode<api::Pod>(
      R"({"metadata":{"name":")" + std::string(name) + R"(","namespace":"ns","uid":")" +
      std::string(name) + R"(","labels":{"kueue.x-k8s.io/queue-name":")" + std::string(queue) +
      R"("},"annotations":{"kueue.x-k8s.io/role-hash":"r")" + std::string(annotations) +
      R"(}},"spec":{"containers":[]},"status":{"phase":"Pending"}})");
}

api::Pod EndedMember(std::string_view name) {
  api::Pod pod = GroupMember(name, "");
  pod.status.phase = "Failed";
  return pod;
}

std::string GroupErrorOf(std::vector<api::Pod> pods) {
  const auto composed = ComposeGroup({.name = "g", .pods = std::move(pods)}, {}, {});
  return composed ? "composed" : composed.error().error.message;
}

constexpr std::string_view kTotalOfTwo = R"(,"kueue.x-k8s.io/pod-group-total-count":"2")";
constexpr std::string_view kTotalOfNone = R"(,"kueue.x-k8s.io/pod-group-total-count":"0")";

const std::string kConstrained =
    std::string(kTotalOfTwo) + R"(,"kueue.x-k8s.io/cannot-borrow":"true")";

template <typename T>
std::string FailureOf(const std::expected<T, StartFailure>& start) {
  return start ? "" : start.error().error.message;
}

// Of a Workload with quota for pod set `assigned`, whose checks add `label` to its pods.
std::string FailureOfAdmission(std::string_view assigned, std::string_view label = "") {
  api::Workload workload;
  workload.spec.pod_sets = {{.name = "main"}};
  workload.status.admission = api::Admission{
      .cluster_queue = "q", .pod_set_assignments = {{.name = std::string(assigned)}}};
  for (const char* check : {"first", "second"}) {
    api::PodSetUpdate update{.name = "main"};
    update.labels.Set("zone", check == std::string_view("first") ? "a" : std::string(label));
    workload.status.admission_checks.push_back({.name = check, .pod_set_updates = {update}});
  }
  return FailureOf(InfosFromAdmission(workload, [](std::string_view) { return nullptr; }, {}));
}

std::string FailureOfInjection() {
  PodSetInfo info;
  info.labels.Set("zone", "b");
  json::value pods = testing::Yaml("{metadata: {labels: {zone: a}}}");
  return FailureOf(Inject(InjectionPaths::InTemplate(""), info, {}, pods));
}

std::string FailureOfStart(std::string_view framework, size_t pod_sets, size_t infos) {
  return FailureOf(StartJob(*IntegrationSet::BuiltIn().FindFramework(framework), json::object(),
                            std::vector<JobPodSet>(pod_sets), std::vector<PodSetInfo>(infos), {}));
}

// clang-format off
TEST(Messages, OfPodGroups) {
  ExpectTexts({
      {GroupErrorOf({GroupMember("a", kTotalOfTwo)}), "Pod group g incomplete: 1 of 2 pods exist"},
      {GroupErrorOf({EndedMember("a")}), "Pod group has no runnable pod"},
      {GroupErrorOf({GroupMember("a", "")}), "Annotation kueue.x-k8s.io/pod-group-total-count of pod a in group g is missing"},
      {GroupErrorOf({GroupMember("a", kTotalOfNone)}), "Annotation kueue.x-k8s.io/pod-group-total-count of pod a in group g is \"0\", not a number above 0"},
      {GroupErrorOf({GroupMember("a", kTotalOfTwo), GroupMember("b", kTotalOfTwo, "r")}), "Pods a and b of the group differ in kueue.x-k8s.io/queue-name: \"q\" and \"r\""},
      {GroupErrorOf({GroupMember("a", kTotalOfTwo), GroupMember("b", kConstrained)}), "Pods a and b of the group differ in their admission constraints"},
  });
}

TEST(Messages, OfMissingReferences) {
  const json::value job = testing::Yaml("{spec: {runtimeRef: {name: torch}}}");
  const Integration& train_job =
      *IntegrationSet::BuiltIn().FindFramework("trainer.kubeflow.org/trainjob");
  ExpectTexts({
      {PodSetsOf(train_job, job, {}).error().message, "training runtime torch not found"},
      {ResolvePriority("high", "", PriorityTable()).error().ToString(), "WorkloadPriorityClass \"high\" not found"},
  });
}

TEST(Messages, OfJobsThatCannotStart) {
  ExpectTexts({
      {FailureOfAdmission("other"), "pod set \"other\" of the admission not found in the Workload"},
      {FailureOfAdmission("main", "b"), "AdmissionCheck \"second\" changes label zone"},
      {FailureOfInjection(), "metadata.labels[zone] is \"a\" in the job and \"b\" in its admission"},
      {FailureOfStart("batch/job", 2, 1), "pod sets differ: 2 in the job, 1 in the admission"},
      {FailureOfStart("trainer.kubeflow.org/trainjob", 0, 0), "spec.runtimePatches has no entry of manager kueue.x-k8s.io/manager"},
  });
}
// clang-format on

}  // namespace
}  // namespace berth::jobs
