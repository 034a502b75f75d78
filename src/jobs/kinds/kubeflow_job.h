#pragma once

#include <string>
#include <string_view>

namespace berth::jobs::kinds {

// A job kind of Kubeflow. The kinds have the same structure and differ in these parameters only.
struct KubeflowJob {
  std::string_view kind;
  std::string_view version = "v1";
  std::string_view replica_specs;  // field of spec that maps roles to replicas
  std::string_view roles[5];       // pod sets in order, padded with ""
  std::string_view controller = "kubeflow.org/training-operator";
  bool allows_prebuilt = true;
};

inline constexpr KubeflowJob kMpiJob{.kind = "MPIJob",
                                     .version = "v2beta1",
                                     .replica_specs = "mpiReplicaSpecs",
                                     .roles = {"Launcher", "Worker"},
                                     .controller = "kubeflow.org/mpi-operator"};
inline constexpr KubeflowJob kPaddleJob{
    .kind = "PaddleJob", .replica_specs = "paddleReplicaSpecs", .roles = {"Master", "Worker"}};
inline constexpr KubeflowJob kPyTorchJob{
    .kind = "PyTorchJob", .replica_specs = "pytorchReplicaSpecs", .roles = {"Master", "Worker"}};
inline constexpr KubeflowJob kTfJob{.kind = "TFJob",
                                    .replica_specs = "tfReplicaSpecs",
                                    .roles = {"Chief", "Master", "PS", "Worker", "Evaluator"}};
inline constexpr KubeflowJob kXgBoostJob{
    .kind = "XGBoostJob", .replica_specs = "xgbReplicaSpecs", .roles = {"Master", "Worker"}};
inline constexpr KubeflowJob kJaxJob{.kind = "JAXJob",
                                     .replica_specs = "jaxReplicaSpecs",
                                     .roles = {"Worker"},
                                     .allows_prebuilt = false};

// The description of the kind in YAML: a pod set per role that the job has.
std::string DescribeKubeflowJob(const KubeflowJob& job);

}  // namespace berth::jobs::kinds
