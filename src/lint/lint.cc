#include "lint/lint.h"

#include "lint/catalog.h"
#include "lint/checks.h"
#include "lint/report.h"

namespace berth::lint {

LintResult Lint(std::span<const api::Manifest> manifests, const LintOptions& options) {
  const Catalog catalog(manifests, options.gates);
  Report report;
  CheckObjects(catalog, report);
  CheckMetadata(catalog, report);
  CheckKinds(catalog, report);
  CheckPods(catalog, report);
  CheckConstraints(catalog, report);
  CheckDuplicates(catalog, report);
  CheckQueueReferences(catalog, report);
  CheckJobReferences(catalog, report);
  CheckCohorts(catalog, report);
  CheckNamespaceSelectors(catalog, report);
  CheckFit(catalog, report);
  CheckUndeclared(catalog, report);
  CheckPrefixes(catalog, report);
  CheckDevices(catalog, report);
  CheckTopologyRequests(catalog, report);
  CheckTopologyNodes(catalog, report);
  CheckTopologyFit(catalog, report);
  CheckManagedJobs(catalog, report);

  LintResult result{.findings = std::move(report).Take(), .object_count = 0, .unknown_kinds = {}};
  for (const api::Manifest& manifest : manifests) {
    if (manifest.kind.empty()) continue;
    ++result.object_count;
    if (manifest.known == nullptr && !manifest.api_version.empty())
      ++result.unknown_kinds[manifest.api_version + ", " + manifest.kind];
  }
  return result;
}

}  // namespace berth::lint
