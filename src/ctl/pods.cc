#include "ctl/pods.h"

#include <string_view>
#include <vector>

#include "api/core/pod.h"
#include "api/kueue/well_known.h"
#include "apiserver/table/table.h"
#include "json/path.h"

namespace berth::ctl {
namespace {

// A label that holds the name of the job, or another text of it.
struct PodLabel {
  std::string_view group;
  std::string_view kind;  // "" is any of the group
  std::string_view label;
  std::string_view path = "metadata.name";
  std::string_view also = {};  // another selector
};

constexpr std::string_view kJobSetName = "jobset.sigs.k8s.io/jobset-name";
constexpr std::string_view kTrainingName = "training.kubeflow.org/job-name";
constexpr std::string_view kRayCluster = "ray.io/cluster";

constexpr PodLabel kPodLabels[] = {
    {"batch", "Job", "batch.kubernetes.io/job-name"},
    {"jobset.x-k8s.io", "JobSet", kJobSetName},
    {"trainer.kubeflow.org", "TrainJob", kJobSetName},
    {"kubeflow.org", "MPIJob", kTrainingName, "metadata.name",
     "training.kubeflow.org/operator-name=mpi-operator"},
    {"kubeflow.org", "JAXJob", kTrainingName, "metadata.name",
     "training.kubeflow.org/operator-name=jaxjob-controller"},
    {"kubeflow.org", "PaddleJob", kTrainingName, "metadata.name",
     "training.kubeflow.org/operator-name=paddlejob-controller"},
    {"kubeflow.org", "PyTorchJob", kTrainingName, "metadata.name",
     "training.kubeflow.org/operator-name=pytorchjob-controller"},
    {"kubeflow.org", "TFJob", kTrainingName, "metadata.name",
     "training.kubeflow.org/operator-name=tfjob-controller"},
    {"kubeflow.org", "XGBoostJob", kTrainingName, "metadata.name",
     "training.kubeflow.org/operator-name=xgboostjob-controller"},
    {"ray.io", "RayCluster", kRayCluster},
    {"ray.io", "RayJob", kRayCluster, "status.rayClusterName"},
    {"ray.io", "RayService", kRayCluster, "status.activeServiceStatus.rayClusterName"},
    {"sparkoperator.k8s.io", "SparkApplication", "sparkoperator.k8s.io/app-name"},
    {"leaderworkerset.x-k8s.io", "LeaderWorkerSet", "leaderworkerset.sigs.k8s.io/name"},
    {"workload.codeflare.dev", "AppWrapper", "workload.codeflare.dev/appwrapper"},
};

store::Selection ByLabels(std::string selector) {
  return {.namespace_ = {}, .label_selector = std::move(selector), .field_selector = {}};
}

store::Selection ByName(std::string_view name) {
  return {.namespace_ = {},
          .label_selector = {},
          .field_selector = "metadata.name=" + std::string(name)};
}

store::Selection OfPod(const json::value& pod) {
  const std::string_view group = json::StringAt(pod, {"metadata", "labels", api::kPodGroupName});
  if (group.empty()) return ByName(json::StringAt(pod, {"metadata", "name"}));
  return ByLabels(std::string(api::kPodGroupName) + "=" + std::string(group));
}

// spec.selector.matchLabels of a Deployment or StatefulSet; "" if there is none.
std::string SelectorOf(const json::value& job) {
  const json::value* labels = json::Find(job, {"spec", "selector", "matchLabels"});
  std::string text;
  if (labels == nullptr || !labels->is_object()) return text;
  for (const auto& label : labels->get_object()) {
    if (!label.value().is_string()) continue;
    if (!text.empty()) text += ',';
    text += json::View(label.key());
    text += '=';
    text += json::View(label.value().get_string());
  }
  return text;
}

std::string CellText(const json::value& cell) {
  if (cell.is_null()) return "<none>";
  return cell.is_string() ? std::string(json::View(cell.get_string())) : json::Print(cell);
}

}  // namespace

base::Result<store::Selection> PodsOf(const store::Resource& kind, const json::value& job) {
  if (kind.group.empty() && kind.kind == "Pod") return OfPod(job);
  for (const PodLabel& label : kPodLabels) {
    if (label.group != kind.group || label.kind != kind.kind) continue;
    const std::string value = json::TextAt(job, label.path);
    if (value.empty())
      return base::Fail(kind.kind + " " + std::string(json::StringAt(job, {"metadata", "name"})) +
                            " has no pods yet",
                        "its field " + std::string(label.path) + " is not set");
    return ByLabels(BothSelectors(std::string(label.label) + "=" + value, std::string(label.also)));
  }
  const std::string selector = SelectorOf(job);
  if (selector.empty())
    return base::Fail("unsupported kind: " + kind.kind,
                      "select its pods by their labels with `kubectl get pods -l`");
  return ByLabels(selector);
}

std::string BothSelectors(const std::string& a, const std::string& b) {
  return a.empty() || b.empty() ? a + b : a + "," + b;
}

TextTable PodTable(std::span<const store::Object> pods, bool has_namespace, base::Time now) {
  const apiserver::TableMaker maker({.resource = store::ResourceOf<api::Pod>()},
                                    apiserver::RowObject::kNone, "v1");
  const auto made = json::Parse(maker.Make(pods, "{}", now));
  TextTable table{.columns = {{"Namespace"}}, .rows = {}};
  if (!made) return table;
  for (const json::value& column : made->at("columnDefinitions").as_array())
    table.columns.push_back({.name = std::string(json::StringAt(column, {"name"})),
                             .is_wide = json::IntAt(column, "priority").value_or(0) > 0});
  const json::array& rows = made->at("rows").as_array();
  for (size_t i = 0; i < rows.size(); ++i) {
    std::vector<std::string>& row = table.rows.emplace_back();
    row.push_back(pods[i].namespace_);
    for (const json::value& cell : rows[i].at("cells").as_array()) row.push_back(CellText(cell));
  }
  if (!has_namespace) table.RemoveFirstColumn();
  return table;
}

}  // namespace berth::ctl
