#include "api/configuration_multikueue.h"

namespace berth::api {

using schema::Member;

const schema::Struct& MultiKueueExternalFramework::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&MultiKueueExternalFramework::name>("name", "The kind, as Kind.version.group."),
  };
  static constexpr auto kStruct = schema::Describe<MultiKueueExternalFramework>(
      "MultiKueueExternalFramework", "A kind of job that is not built in.", kFields);
  return kStruct;
}

const schema::Struct& ExecEnvironmentVariable::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ExecEnvironmentVariable::name>("name", "Name of the variable."),
      Member<&ExecEnvironmentVariable::value>("value", "Its value."),
  };
  static constexpr auto kStruct = schema::Describe<ExecEnvironmentVariable>(
      "ExecEnvVar", "An environment variable of the program.", kFields);
  return kStruct;
}

const schema::Struct& ExecSettings::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ExecSettings::command>("command", "Program that prints credentials."),
      Member<&ExecSettings::args>("args", "Its arguments."),
      Member<&ExecSettings::env>("env", "Environment variables besides the inherited ones."),
      Member<&ExecSettings::api_version>("apiVersion",
                                         "Version of the ExecCredential it reads and writes."),
      Member<&ExecSettings::install_hint>("installHint", "Shown if the program is missing."),
      Member<&ExecSettings::provide_cluster_info>("provideClusterInfo",
                                                  "Whether the program is told about the cluster."),
      Member<&ExecSettings::interactive_mode>("interactiveMode", "Never, IfAvailable or Always."),
  };
  static constexpr auto kStruct =
      schema::Describe<ExecSettings>("ExecConfig", "A program that prints credentials.", kFields);
  return kStruct;
}

const schema::Struct& ClusterProfileProvider::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ClusterProfileProvider::name>("name", "Name of the provider in ClusterProfiles."),
      Member<&ClusterProfileProvider::exec_config>("execConfig", "How credentials are obtained."),
  };
  static constexpr auto kStruct = schema::Describe<ClusterProfileProvider>(
      "ClusterProfileProvider", "A way to get into worker clusters.", kFields);
  return kStruct;
}

const schema::Struct& ClusterProfileSettings::Description() {
  using Self = ClusterProfileSettings;
  static constexpr schema::Field kFields[] = {
      Member<&Self::access_providers>("accessProviders", "Ways to get into worker clusters."),
      Member<&Self::credentials_providers>("credentialsProviders",
                                           "Deprecated: write accessProviders."),
  };
  static constexpr auto kStruct = schema::Describe<Self>(
      "ClusterProfile", "Worker clusters that ClusterProfiles describe.", kFields);
  return kStruct;
}

const schema::Struct& IncrementalDispatcherSettings::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&IncrementalDispatcherSettings::step_size>(
          "stepSize", "How many clusters are added to the candidates at a time; 3 if absent."),
  };
  static constexpr auto kStruct = schema::Describe<IncrementalDispatcherSettings>(
      "IncrementalDispatcher", "Options of the incremental dispatcher.", kFields);
  return kStruct;
}

const schema::Struct& MultiKueueSettings::Description() {
  using Self = MultiKueueSettings;
  static constexpr schema::Field kFields[] = {
      Member<&Self::gc_interval>("gcInterval",
                                 "Time between two searches for orphans on workers; 0 is never.")
          .Default("\"1m\""),
      Member<&Self::origin>("origin",
                            "Label value that marks what this cluster created on workers.")
          .Default("\"multikueue\""),
      Member<&Self::worker_lost_timeout>(
          "workerLostTimeout", "How long a workload stays with a worker that cannot be reached.")
          .Default("\"15m\""),
      Member<&Self::dispatcher_name>("dispatcherName", "Who nominates clusters for a workload.")
          .Default("\"kueue.x-k8s.io/multikueue-dispatcher-all-at-once\""),
      Member<&Self::external_frameworks>("externalFrameworks",
                                         "Kinds of jobs that are dispatched though not built in."),
      Member<&Self::cluster_profile>("clusterProfile",
                                     "Worker clusters that ClusterProfiles describe.")
          .New(),
      Member<&Self::incremental_dispatcher_config>("incrementalDispatcherConfig",
                                                   "Options of the incremental dispatcher.")
          .New(),
  };
  static constexpr auto kStruct =
      schema::Describe<Self>("MultiKueue", "Dispatching to other clusters.", kFields);
  return kStruct;
}

}  // namespace berth::api

template class std::vector<berth::api::ClusterProfileProvider>;
template class std::vector<berth::api::ExecEnvironmentVariable>;
template class std::vector<berth::api::MultiKueueExternalFramework>;
