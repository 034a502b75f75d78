#pragma once

#include "api/config/configuration.h"
#include "api/config/feature_gates.h"
#include "api/meta/problem_report.h"

// The parts of configuration_rules.h, one file each.
namespace berth::api {

// Validates tls, metrics, internalCertManagement and visibilityServer.
void ValidateServers(const Configuration& configuration, ProblemReport& report);
// Validates integrations and managedJobsNamespaceSelector.
void ValidateManagedJobs(const Configuration& configuration, ProblemReport& report);
void ValidateMultiKueue(const Configuration& configuration, ProblemReport& report);
void ValidateResources(const ResourcesSettings& resources, const FeatureGates& gates,
                       ProblemReport& report);

// Reports a negative duration.
void ValidateNotNegative(base::Duration duration, std::string_view field, ProblemReport& report);

}  // namespace berth::api
