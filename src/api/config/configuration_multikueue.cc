#include "api/config/configuration_multikueue.h"

namespace berth::api {

using schema::Member;

const schema::Struct& MultiKueueExternalFramework::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&MultiKueueExternalFramework::name>("name", "Kind, as Kind.version.group."),
  };
  static constexpr auto kStruct = schema::Describe<MultiKueueExternalFramework>(
      "MultiKueueExternalFramework",
      "MultiKueueExternalFramework is a kind of job without built-in support.", kFields);
  return kStruct;
}

const schema::Struct& ExecEnvironmentVariable::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ExecEnvironmentVariable::name>("name", "Name of the variable."),
      Member<&ExecEnvironmentVariable::value>("value", "Value of the variable."),
  };
  static constexpr auto kStruct = schema::Describe<ExecEnvironmentVariable>(
      "ExecEnvVar", "ExecEnvVar is an environment variable of the credential plugin.", kFields);
  return kStruct;
}

const schema::Struct& ExecSettings::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ExecSettings::command>("command", "Command that prints credentials."),
      Member<&ExecSettings::args>("args", "Arguments of the command."),
      Member<&ExecSettings::env>("env", "Environment variables in addition to the inherited ones."),
      Member<&ExecSettings::api_version>(
          "apiVersion", "Version of the ExecCredential that the command reads and writes."),
      Member<&ExecSettings::install_hint>("installHint", "Text shown if the command is missing."),
      Member<&ExecSettings::provide_cluster_info>(
          "provideClusterInfo", "Whether the command receives the cluster information."),
      Member<&ExecSettings::interactive_mode>("interactiveMode", "Never, IfAvailable or Always."),
  };
  static constexpr auto kStruct =
      schema::Describe<ExecSettings>("ExecConfig", "ExecConfig is a credential plugin.", kFields);
  return kStruct;
}

const schema::Struct& ClusterProfileProvider::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&ClusterProfileProvider::name>("name", "Name of the provider in ClusterProfiles."),
      Member<&ClusterProfileProvider::exec_config>("execConfig",
                                                   "Command that prints credentials."),
  };
  static constexpr auto kStruct = schema::Describe<ClusterProfileProvider>(
      "ClusterProfileProvider", "ClusterProfileProvider provides access to worker clusters.",
      kFields);
  return kStruct;
}

const schema::Struct& ClusterProfileSettings::Description() {
  using Self = ClusterProfileSettings;
  static constexpr schema::Field kFields[] = {
      Member<&Self::access_providers>("accessProviders", "Providers of access to worker clusters."),
      Member<&Self::credentials_providers>("credentialsProviders",
                                           "Deprecated: use accessProviders."),
  };
  static constexpr auto kStruct = schema::Describe<Self>(
      "ClusterProfile", "ClusterProfile configures worker clusters described by ClusterProfiles.",
      kFields);
  return kStruct;
}

const schema::Struct& IncrementalDispatcherSettings::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&IncrementalDispatcherSettings::step_size>(
          "stepSize", "Number of clusters nominated per step. Defaults to 3."),
  };
  static constexpr auto kStruct = schema::Describe<IncrementalDispatcherSettings>(
      "IncrementalDispatcher", "Options of the incremental dispatcher.", kFields);
  return kStruct;
}

const schema::Struct& MultiKueueSettings::Description() {
  using Self = MultiKueueSettings;
  static constexpr schema::Field kFields[] = {
      Member<&Self::gc_interval>(
          "gcInterval",
          "Interval of the garbage collection of orphans in worker clusters. 0 disables it.")
          .Default("\"1m\""),
      Member<&Self::origin>("origin",
                            "Label value of objects that this cluster creates in worker clusters.")
          .Default("\"multikueue\""),
      Member<&Self::worker_lost_timeout>(
          "workerLostTimeout",
          "Time for which a workload stays with an unreachable worker cluster.")
          .Default("\"15m\""),
      Member<&Self::dispatcher_name>("dispatcherName",
                                     "Dispatcher that nominates clusters for a workload.")
          .Default("\"kueue.x-k8s.io/multikueue-dispatcher-all-at-once\""),
      Member<&Self::external_frameworks>(
          "externalFrameworks", "Kinds of jobs without built-in support that are dispatched."),
      Member<&Self::cluster_profile>("clusterProfile",
                                     "Worker clusters described by ClusterProfiles.")
          .New(),
      Member<&Self::incremental_dispatcher_config>("incrementalDispatcherConfig",
                                                   "Options of the incremental dispatcher.")
          .New(),
  };
  static constexpr auto kStruct = schema::Describe<Self>(
      "MultiKueue",
      "MultiKueue configures dispatching to worker clusters. That part is missing: all fields are "
      "accepted without effect.",
      kFields);
  return kStruct;
}

}  // namespace berth::api

template class std::vector<berth::api::ClusterProfileProvider>;
template class std::vector<berth::api::ExecEnvironmentVariable>;
template class std::vector<berth::api::MultiKueueExternalFramework>;
