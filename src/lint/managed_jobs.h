#pragma once

#include <span>
#include <string>
#include <vector>

#include "api/meta/manifest.h"
#include "lint/catalog.h"
#include "lint/finding.h"
#include "lint/lint.h"

namespace berth::lint {

// A job of the set, and whether the Configuration of the set manages it.
struct ManagedJob {
  ObjectName object;
  base::Place place;
  bool is_managed = false;
  std::string reason;  // "managed: …" or "not managed: …"

  friend bool operator==(const ManagedJob&, const ManagedJob&) = default;
};

// All objects of kinds that can be managed, in the order of the input. A CronJob stands for the
// Jobs that it creates. Owners are found in the set by uid. A namespace that is not in the set has
// only its name label.
std::vector<ManagedJob> ManagedJobs(std::span<const api::Manifest> manifests,
                                    const LintOptions& options = {});

}  // namespace berth::lint
