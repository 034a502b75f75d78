// Validates the MultiKueue section.

#include <algorithm>
#include <set>
#include <string>

#include "api/config/configuration_rules_parts.h"
#include "api/config/integration_names.h"
#include "api/meta/label_rules.h"
#include "api/meta/names.h"

namespace berth::api {
namespace {

using KindSet = std::set<KindReference>;

// Kinds dispatched without externalFrameworks.
KindSet BuiltInKinds(const Configuration& configuration) {
  KindSet kinds;
  if (!configuration.integrations || !configuration.integrations->frameworks) return kinds;
  for (const std::string& framework : *configuration.integrations->frameworks) {
    const IntegrationName* found = FindIntegration(framework);
    if (found == nullptr || !found->is_dispatched) continue;
    kinds.insert({found->kind, found->version, found->group});
  }
  return kinds;
}

void ValidateExternalFrameworks(const std::vector<MultiKueueExternalFramework>& frameworks,
                                const KindSet& built_in, ProblemReport& report) {
  KindSet seen;
  for (size_t i = 0; i < frameworks.size(); ++i) {
    const std::string& name = frameworks[i].name;
    const auto at = report.In("externalFrameworks", i);
    const auto kind = ParseKindReference(name);
    if (!kind) {
      report.Invalid("name", Quoted(name) + " is not a kind", "write Kind.version.group.com");
      continue;
    }
    if (!seen.insert(*kind).second) {
      report.Duplicate("name", Quoted(name) + " is listed already", "remove it");
    }
    if (built_in.contains(*kind)) {
      report.Invalid("name", Quoted(name) + " is dispatched without being listed", "remove it");
    }
  }
}

void ValidateExec(const ExecSettings& exec, ProblemReport& report) {
  const auto in = report.In("execConfig");
  if (exec.command.empty()) report.Required("command", "must name the program to run");
  if (exec.api_version.empty()) {
    report.Required("apiVersion", "must be the ExecCredential version of the program",
                    "write client.authentication.k8s.io/v1");
  }
  for (const ExecEnvironmentVariable& variable : exec.env) {
    const auto in_env = report.In("env");
    if (variable.name.empty()) report.Required("name", "an environment variable must have a name");
  }
  if (exec.interactive_mode.empty()) {
    report.Required("interactiveMode", "must be set", "write Never, IfAvailable or Always");
  } else if (std::ranges::find(kExecInteractiveModes, exec.interactive_mode) ==
             std::end(kExecInteractiveModes)) {
    report.NotSupported("interactiveMode", Quoted(exec.interactive_mode) + " is not a mode",
                        "write Never, IfAvailable or Always");
  }
}

// As in Kueue, problems of providers are reported on the list, without an index.
void ValidateProviders(const std::vector<ClusterProfileProvider>& providers, std::string_view field,
                       ProblemReport& report) {
  const auto in = report.In(field);
  for (const ClusterProfileProvider& provider : providers) {
    if (provider.name.empty()) report.Required("name", "a provider must have a name");
    ValidateExec(provider.exec_config, report);
  }
}

void ValidateClusterProfile(const ClusterProfileSettings& profile, ProblemReport& report) {
  const auto in = report.In("clusterProfile");
  if (profile.access_providers.empty()) {
    ValidateProviders(profile.credentials_providers, "credentialsProviders", report);
    return;
  }
  if (!profile.credentials_providers.empty()) {
    report.Forbidden("credentialsProviders", "is the deprecated name of accessProviders",
                     "move its entries there");
  }
  ValidateProviders(profile.access_providers, "accessProviders", report);
}

void ValidateDispatcher(const MultiKueueSettings& settings, ProblemReport& report) {
  if (!settings.incremental_dispatcher_config) return;
  if (settings.dispatcher_name != kDispatcherIncremental) {
    report.Invalid("incrementalDispatcherConfig", "applies to the incremental dispatcher only",
                   "remove it or set dispatcherName to " + std::string(kDispatcherIncremental));
  }
  const auto in = report.In("incrementalDispatcherConfig");
  if (settings.incremental_dispatcher_config->step_size.value_or(1) < 1) {
    report.Invalid("stepSize", "must be at least 1", "write 1 or more");
  }
}

}  // namespace

void ValidateMultiKueue(const Configuration& configuration, ProblemReport& report) {
  if (!configuration.multi_kueue) return;
  const MultiKueueSettings& settings = *configuration.multi_kueue;
  const auto in = report.In("multiKueue");
  if (settings.gc_interval) ValidateNotNegative(*settings.gc_interval, "gcInterval", report);
  if (settings.worker_lost_timeout) {
    ValidateNotNegative(*settings.worker_lost_timeout, "workerLostTimeout", report);
  }
  if (const NameProblems faults = LabelValueProblems(settings.origin); !faults.empty()) {
    report.Invalid("origin", Quoted(settings.origin) + " " + faults.front());
  }
  ValidateExternalFrameworks(settings.external_frameworks, BuiltInKinds(configuration), report);
  if (settings.cluster_profile) ValidateClusterProfile(*settings.cluster_profile, report);
  ValidateDispatcher(settings, report);
}

}  // namespace berth::api
