#pragma once

#include <cstddef>
#include <span>

#include "api/feature_gates.h"
#include "api/manifest.h"
#include "base/flat_map.h"
#include "lint/finding.h"

// What is wrong with a set of objects: each by itself, and all of them together. Pure: objects in,
// findings out.
//
// Severity follows the consequence. What an API server would refuse is an error, and so is what can
// never have been meant, such as a cycle of cohorts. What would be accepted and then wait forever
// is a warning, since the set may not be all there is. For the same reason a reference is looked
// at only if the set has objects of the kind that it names.
namespace berth::lint {

struct LintOptions {
  // Where the set has no Configuration.
  api::FeatureGates gates;
};

struct LintResult {
  Findings findings;  // sorted
  size_t object_count = 0;
  // "apiVersion, Kind" of the objects whose kinds are not known, and how many. They were only
  // checked for what all objects have in common.
  base::FlatMap<size_t> unknown_kinds;
};

LintResult Lint(std::span<const api::Manifest> manifests, const LintOptions& options = {});

}  // namespace berth::lint
