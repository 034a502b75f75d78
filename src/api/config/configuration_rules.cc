#include "api/config/configuration_rules.h"

#include <algorithm>
#include <set>
#include <string>

#include "api/config/configuration_rules_parts.h"
#include "api/kueue/resource_prefix.h"

namespace berth::api {
namespace {

void ValidateRequeuing(const RequeuingSettings& requeuing, ProblemReport& report) {
  const auto in = report.In("requeuingStrategy");
  if (requeuing.timestamp && std::ranges::find(kRequeuingTimestamps, *requeuing.timestamp) ==
                                 std::end(kRequeuingTimestamps)) {
    report.NotSupported("timestamp", Quoted(*requeuing.timestamp) + " is not a timestamp",
                        "write Eviction or Creation");
  }
  const auto check = [&](const std::optional<int32_t>& number, std::string_view field) {
    if (number.value_or(0) >= 0) return;
    report.Invalid(field, std::to_string(*number) + " is negative", "write 0 or more");
  };
  check(requeuing.backoff_limit_count, "backoffLimitCount");
  check(requeuing.backoff_base_seconds, "backoffBaseSeconds");
  check(requeuing.backoff_max_seconds, "backoffMaxSeconds");
}

void ValidateWaitForPodsReady(const WaitForPodsReadySettings& wait, ProblemReport& report) {
  const auto in = report.In("waitForPodsReady");
  if (wait.timeout == base::Duration()) {
    report.Required("timeout", "must be set: the time until pods must be ready",
                    "write a time such as \"5m\"");
  }
  ValidateNotNegative(wait.timeout, "timeout", report);
  if (wait.recovery_timeout) ValidateNotNegative(*wait.recovery_timeout, "recoveryTimeout", report);
  if (wait.requeuing_strategy) ValidateRequeuing(*wait.requeuing_strategy, report);
}

void ValidateFairSharing(const FairSharingSettings& fair_sharing, ProblemReport& report) {
  const std::vector<std::string>& strategies = fair_sharing.preemption_strategies;
  const auto in = report.In("fairSharing");
  const auto is = [&](std::initializer_list<std::string_view> list) {
    return std::ranges::equal(strategies, list);
  };
  const std::string hint = "write [" + std::string(kLessThanOrEqualToFinalShare) + "], [" +
                           std::string(kLessThanInitialShare) + "] or [" +
                           std::string(kLessThanOrEqualToFinalShare) + ", " +
                           std::string(kLessThanInitialShare) + "]";
  if (strategies.empty()) {
    report.Required("preemptionStrategies", "must not be empty", hint);
  } else if (!is({kLessThanOrEqualToFinalShare}) && !is({kLessThanInitialShare}) &&
             !is({kLessThanOrEqualToFinalShare, kLessThanInitialShare})) {
    report.NotSupported("preemptionStrategies", "this combination or order is not possible", hint);
  }
}

void ValidateAdmissionFairSharing(const AdmissionFairSharingSettings& sharing,
                                  ProblemReport& report) {
  const auto in = report.In("admissionFairSharing");
  ValidateNotNegative(sharing.usage_half_life_time, "usageHalfLifeTime", report);
  if (sharing.usage_sampling_interval <= base::Duration()) {
    report.Invalid("usageSamplingInterval", "must be more than 0", "write a time such as \"5m\"");
  }
  const auto in_weights = report.In("resourceWeights");
  for (const auto& [resource, weight] : sharing.resource_weights) {
    if (weight >= 0) continue;
    const auto at = report.AtKey(resource);
    report.Invalid("", "a weight must not be negative", "write 0 or more");
  }
}

void ValidateRetention(const ObjectRetentionSettings& retention, ProblemReport& report) {
  if (!retention.workloads) return;
  const auto in = report.In("objectRetentionPolicies");
  const auto in_workloads = report.In("workloads");
  const WorkloadRetentionSettings& workloads = *retention.workloads;
  if (workloads.after_finished) {
    ValidateNotNegative(*workloads.after_finished, "afterFinished", report);
  }
  if (workloads.after_deactivated_by_kueue) {
    ValidateNotNegative(*workloads.after_deactivated_by_kueue, "afterDeactivatedByKueue", report);
  }
}

// --- Warnings -----------------------------------------------------------------------------------

void WarnAboutPrefix(std::string_view prefix, PrefixMatch match, ProblemReport& report) {
  if (prefix.empty() && match == PrefixMatch::kBytes) {
    report.Invalid("", "the empty prefix excludes every resource in every queue",
                   "remove it if that is not intended");
    return;
  }
  if (!CanBeginResourceName(prefix)) {
    report.Invalid("",
                   "no resource name can begin with " + Quoted(prefix) + "; it excludes nothing",
                   "remove it");
  }
  for (std::string_view resource : {"cpu", "memory", "nvidia.com/gpu"}) {
    if (!PrefixExcludes(prefix, resource, match)) continue;
    report.Invalid("", Quoted(resource) + " will not be limited by quota in any queue",
                   "remove the prefix if that is not intended");
  }
}

void WarnAboutResources(const ResourcesSettings& resources, const FeatureGates& gates,
                        ProblemReport& report) {
  const auto in = report.In("resources");
  if (resources.quota_check && !gates.IsOn(Gate::kQuotaCheck)) {
    report.Invalid("quotaCheck", "has no effect", "turn on the feature gate QuotaCheck");
  }
  if (resources.quota_check_strategy && !gates.IsOn(Gate::kQuotaCheckStrategy)) {
    report.Invalid("quotaCheckStrategy", "has no effect",
                   "turn on the feature gate QuotaCheckStrategy");
  }
  const auto& prefixes = resources.exclude_resource_prefixes;
  if (!prefixes.empty() && ChecksOnlyDeclared(resources, gates)) {
    report.Invalid("excludeResourcePrefixes",
                   "has no effect: only resources that a queue declares count",
                   "remove the prefixes, or check all resources");
    return;  // what they would exclude is limited by quota wherever a queue declares it
  }
  std::set<std::string_view> seen;
  for (size_t i = 0; i < prefixes.size(); ++i) {
    const auto at = report.In("excludeResourcePrefixes", i);
    if (seen.insert(prefixes[i]).second) {
      WarnAboutPrefix(prefixes[i], MatchOfConfiguredPrefixes(gates), report);
    } else {
      report.Duplicate("", Quoted(prefixes[i]) + " is listed already", "remove it");
    }
  }
}

// Gates of missing parts that were changed.
void WarnAboutGates(const FeatureGates& gates, ProblemReport& report) {
  std::string text;
  for (const GateInfo& info : AllGates()) {
    if (info.no_effect_reason.empty() || gates.IsOn(info.gate) == info.is_on) continue;
    text += (text.empty() ? "" : "; ") + std::string(info.name) + ": " +
            std::string(info.no_effect_reason);
  }
  if (!text.empty())
    report.Invalid("featureGates", "gates without effect: " + text, "remove their settings");
}

void WarnAboutPodOptions(const IntegrationsSettings& integrations, ProblemReport& report) {
  if (!integrations.pod_options) return;
  const auto in = report.In("integrations");
  report.Invalid("podOptions", "is deprecated",
                 "write managedJobsNamespaceSelector, with which it is intersected until then");
}

}  // namespace

void ValidateNotNegative(base::Duration duration, std::string_view field, ProblemReport& report) {
  if (duration >= base::Duration()) return;
  report.Invalid(field, base::FormatDuration(duration) + " is negative", "write 0s or more");
}

schema::Problems ValidateConfiguration(const Configuration& configuration,
                                       const FeatureGates& gates) {
  ProblemReport report;
  if (configuration.wait_for_pods_ready && !gates.IsOn(Gate::kDisableWaitForPodsReady)) {
    ValidateWaitForPodsReady(*configuration.wait_for_pods_ready, report);
  }
  ValidateManagedJobs(configuration, report);
  ValidateMultiKueue(configuration, report);
  if (configuration.fair_sharing) ValidateFairSharing(*configuration.fair_sharing, report);
  if (configuration.admission_fair_sharing) {
    ValidateAdmissionFairSharing(*configuration.admission_fair_sharing, report);
  }
  if (configuration.resources) ValidateResources(*configuration.resources, gates, report);
  if (configuration.object_retention_policies) {
    ValidateRetention(*configuration.object_retention_policies, report);
  }
  ValidateServers(configuration, report);
  schema::Problems problems = std::move(report).Take();
  if (const auto set = ReadFeatureGates(configuration.feature_gates); !set)
    problems.insert(problems.end(), set.error().begin(), set.error().end());
  return problems;
}

schema::Problems WarningsForConfiguration(const Configuration& configuration,
                                          const FeatureGates& gates) {
  ProblemReport report;
  WarnAboutGates(gates, report);
  if (configuration.integrations) WarnAboutPodOptions(*configuration.integrations, report);
  if (configuration.resources) WarnAboutResources(*configuration.resources, gates, report);
  return std::move(report).Take();
}

schema::Problems NoticesForConfiguration(const Configuration& configuration,
                                         const FeatureGates& gates) {
  ProblemReport report;
  if (!configuration.resources || ChecksOnlyDeclared(configuration.resources, gates) ||
      MatchOfConfiguredPrefixes(gates) == PrefixMatch::kBytes)
    return {};
  std::vector<std::string_view> changed;
  for (const std::string& prefix : configuration.resources->exclude_resource_prefixes)
    if (DependsOnMatch(prefix)) changed.push_back(prefix);
  if (!changed.empty())
    report.Invalid("resources.excludeResourcePrefixes",
                   "with the feature gate ClusterQueueResourceExclusion these entries match a "
                   "whole name or the part before '/', not, as in Kueue, every name that begins "
                   "with them: " +
                       QuotedList(changed),
                   "end a prefix in '/', '-' or '.' to match the same with and without the gate");
  return std::move(report).Take();
}

}  // namespace berth::api
