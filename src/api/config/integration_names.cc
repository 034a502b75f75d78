#include "api/config/integration_names.h"

#include <algorithm>

namespace berth::api {
namespace {

constexpr IntegrationName kIntegrations[] = {
    {"batch/job", "batch", "v1", "Job"},
    {"kubeflow.org/mpijob", "kubeflow.org", "v2beta1", "MPIJob"},
    {"ray.io/rayjob", "ray.io", "v1", "RayJob"},
    {"ray.io/rayservice", "ray.io", "v1", "RayService"},
    {"ray.io/raycluster", "ray.io", "v1", "RayCluster"},
    {"jobset.x-k8s.io/jobset", "jobset.x-k8s.io", "v1alpha2", "JobSet"},
    {"kubeflow.org/paddlejob", "kubeflow.org", "v1", "PaddleJob"},
    {"kubeflow.org/pytorchjob", "kubeflow.org", "v1", "PyTorchJob"},
    {"kubeflow.org/tfjob", "kubeflow.org", "v1", "TFJob"},
    {"kubeflow.org/xgboostjob", "kubeflow.org", "v1", "XGBoostJob"},
    {"kubeflow.org/jaxjob", "kubeflow.org", "v1", "JAXJob"},
    {"trainer.kubeflow.org/trainjob", "trainer.kubeflow.org", "v1alpha1", "TrainJob"},
    {"workload.codeflare.dev/appwrapper", "workload.codeflare.dev", "v1beta2", "AppWrapper"},
    {"sparkoperator.k8s.io/sparkapplication", "sparkoperator.k8s.io", "v1beta2", "SparkApplication",
     false},
    {"pod", "", "v1", "Pod"},
    {"deployment", "apps", "v1", "Deployment", false},
    {"statefulset", "apps", "v1", "StatefulSet"},
    {"leaderworkerset.x-k8s.io/leaderworkerset", "leaderworkerset.x-k8s.io", "v1",
     "LeaderWorkerSet"},
};

}  // namespace

std::span<const IntegrationName> AllIntegrations() { return kIntegrations; }

const IntegrationName* FindIntegration(std::string_view framework) {
  const auto* it = std::ranges::find(kIntegrations, framework, &IntegrationName::framework);
  return it == std::end(kIntegrations) ? nullptr : it;
}

std::optional<KindReference> ParseKindReference(std::string_view text) {
  const size_t first = text.find('.');
  if (first == text.npos) return std::nullopt;
  const size_t second = text.find('.', first + 1);
  if (second == text.npos) return std::nullopt;
  return KindReference{.kind = text.substr(0, first),
                       .version = text.substr(first + 1, second - first - 1),
                       .group = text.substr(second + 1)};
}

}  // namespace berth::api
