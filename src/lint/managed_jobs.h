#pragma once

#include <span>
#include <string>
#include <vector>

#include "api/manifest.h"
#include "lint/catalog.h"
#include "lint/finding.h"
#include "lint/lint.h"

namespace berth::lint {

// A job of the set, and whether the Configuration of the set makes queues manage it.
struct ManagedJob {
  ObjectName object;
  base::Place place;
  bool is_managed = false;
  std::string reason;  // "managed: …" or "left alone: …"

  friend bool operator==(const ManagedJob&, const ManagedJob&) = default;
};

// Every object of a kind that could be managed, in the order of the input. A CronJob stands for the
// Jobs that it makes. Owners are found among the objects by UID. A namespace that is not among them
// has the label with its name only.
std::vector<ManagedJob> ManagedJobs(std::span<const api::Manifest> manifests,
                                    const LintOptions& options = {});

}  // namespace berth::lint
