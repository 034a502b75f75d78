// Validates the selection of managed jobs: integrations and managedJobsNamespaceSelector.

#include <algorithm>
#include <set>
#include <string>

#include "api/config/configuration_rules_parts.h"
#include "api/config/integration_names.h"
#include "api/kueue/well_known.h"
#include "api/meta/selector.h"
#include "base/suggest.h"

namespace berth::api {
namespace {

constexpr std::string_view kSelectorField = "managedJobsNamespaceSelector";
constexpr std::string_view kPodFramework = "pod";

using KindSet = std::set<KindReference>;

std::string UnknownFrameworkHint(std::string_view framework) {
  std::vector<std::string_view> names;
  for (const IntegrationName& integration : AllIntegrations()) {
    names.push_back(integration.framework);
  }
  std::string hint = base::DidYouMean(framework, names);
  return hint.empty() ? "there are " + QuotedList(names) : hint;
}

void ValidateFrameworks(const std::vector<std::string>& frameworks, KindSet& managed,
                        ProblemReport& report) {
  for (size_t i = 0; i < frameworks.size(); ++i) {
    const auto at = report.In("frameworks", i);
    const IntegrationName* found = FindIntegration(frameworks[i]);
    if (found == nullptr) {
      report.NotSupported("", "no kind of job is called " + Quoted(frameworks[i]),
                          UnknownFrameworkHint(frameworks[i]));
    } else if (!managed.insert({found->kind, found->version, found->group}).second) {
      report.Duplicate("", Quoted(frameworks[i]) + " is listed already", "remove it");
    }
  }
}

void ValidateExternalFrameworks(const std::vector<std::string>& frameworks, KindSet& managed,
                                ProblemReport& report) {
  for (size_t i = 0; i < frameworks.size(); ++i) {
    const auto at = report.In("externalFrameworks", i);
    const auto kind = ParseKindReference(frameworks[i]);
    if (!kind) {
      report.Invalid("", Quoted(frameworks[i]) + " is not a kind", "write Kind.version.group.com");
    } else if (!managed.insert(*kind).second) {
      report.Duplicate("", Quoted(frameworks[i]) + " is managed already", "remove it");
    }
  }
}

// Managing jobs of system namespaces could block workloads that the cluster needs to run.
void ValidateNamespaceSelector(const Configuration& configuration, ProblemReport& report) {
  const auto& source = configuration.managed_jobs_namespace_selector;
  ValidateSelector(source, kSelectorField, report);
  const auto selector = Selector::Compile(source);
  if (!selector) return;
  for (std::string_view name : {kSystemNamespace, std::string_view(configuration.namespace_)}) {
    if (name.empty() ||
        !selector->Matches({{std::string(kNamespaceNameLabel), std::string(name)}})) {
      continue;
    }
    report.Invalid(kSelectorField, "matches the namespace " + Quoted(name),
                   "exclude it, for example by an expression " + std::string(kNamespaceNameLabel) +
                       " NotIn [" + std::string(name) + "]");
  }
}

void ValidatePodIntegration(const Configuration& configuration, ProblemReport& report) {
  const auto& frameworks = *configuration.integrations->frameworks;
  if (std::ranges::find(frameworks, kPodFramework) == frameworks.end()) return;
  if (configuration.managed_jobs_namespace_selector) {
    ValidateNamespaceSelector(configuration, report);
  } else {
    report.Required(kSelectorField, "must select the namespaces in which pods are managed",
                    "select every namespace but kube-system and the controller's own");
  }
}

void ValidatePodOptions(const IntegrationsSettings& integrations, ProblemReport& report) {
  if (!integrations.pod_options) return;
  const auto in = report.In("podOptions");
  ValidateSelector(integrations.pod_options->namespace_selector, "namespaceSelector", report);
  ValidateSelector(integrations.pod_options->pod_selector, "podSelector", report);
}

void ValidateIntegrations(const Configuration& configuration, ProblemReport& report) {
  if (!configuration.integrations) {
    report.Required("integrations", "must list the managed kinds of jobs",
                    "write frameworks: [batch/job] below it");
    return;
  }
  const IntegrationsSettings& integrations = *configuration.integrations;
  {
    const auto in = report.In("integrations");
    if (!integrations.frameworks) {
      report.Required("frameworks", "must list the managed kinds of jobs",
                      "write for example [batch/job]");
      return;
    }
    KindSet managed;
    ValidateFrameworks(*integrations.frameworks, managed, report);
    ValidateExternalFrameworks(integrations.external_frameworks, managed, report);
    ValidatePodOptions(integrations, report);
  }
  ValidatePodIntegration(configuration, report);
}

}  // namespace

void ValidateManagedJobs(const Configuration& configuration, ProblemReport& report) {
  ValidateIntegrations(configuration, report);
  ValidateNamespaceSelector(configuration, report);
}

}  // namespace berth::api
