#pragma once

#include "api/configuration.h"
#include "api/feature_gates.h"
#include "api/problem_report.h"

// The parts of configuration_rules.h, a file each.
namespace berth::api {

// tls, metrics, internalCertManagement, visibilityServer.
void ValidateServers(const Configuration& configuration, ProblemReport& report);
// integrations, managedJobsNamespaceSelector.
void ValidateManagedJobs(const Configuration& configuration, ProblemReport& report);
void ValidateMultiKueue(const Configuration& configuration, ProblemReport& report);
void ValidateResources(const ResourcesSettings& resources, const FeatureGates& gates,
                       ProblemReport& report);

// Reports a negative duration.
void ValidateNotNegative(base::Duration duration, std::string_view field, ProblemReport& report);

}  // namespace berth::api
