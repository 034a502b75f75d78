#pragma once

#include <cstddef>
#include <span>

#include "api/config/feature_gates.h"
#include "api/meta/manifest.h"
#include "base/flat_map.h"
#include "lint/finding.h"

// Checks a set of objects, each alone and all together. Pure: objects in, findings out.
//
// Severity follows the consequence. Objects that an API server would reject are errors, and so are
// certain mistakes, such as a cycle of cohorts. Objects that would be accepted and wait forever are
// warnings, since the set may be incomplete. For the same reason a reference is checked only if the
// set has objects of its kind.
namespace berth::lint {

struct LintOptions {
  // For sets without a Configuration.
  api::FeatureGates gates;
};

struct LintResult {
  Findings findings;  // sorted
  size_t object_count = 0;
  // Number of objects by unknown kind ("apiVersion, Kind"). Only their metadata is checked.
  base::FlatMap<size_t> unknown_kinds;
};

LintResult Lint(std::span<const api::Manifest> manifests, const LintOptions& options = {});

}  // namespace berth::lint
