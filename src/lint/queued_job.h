#pragma once

#include <string>
#include <vector>

#include "api/pod_set.h"
#include "lint/catalog.h"

namespace berth::lint {

// Pods that an object asks for, and the field that says so.
struct PodSetAt {
  api::PodSet pod_set;
  std::string template_field;  // "spec.template"; of a Pod, "" for the object itself

  // "spec.template.spec"
  std::string SpecField() const {
    return (template_field.empty() ? "" : template_field + ".") + "spec";
  }
  // "spec.template.spec.containers"
  std::string ContainersField() const { return SpecField() + ".containers"; }
};

// Something that waits in a LocalQueue: a Workload, or an object of whatever kind with the label
// for it.
struct QueuedJob {
  const Entry* entry;
  const api::ObjectMeta* labelled;  // the metadata that has the label
  std::string labelled_field;       // "metadata"
  std::string queue;                // "" if a Workload names none
  std::string queue_field;
  std::vector<PodSetAt> pod_sets;  // none of unknown kinds

  const std::string& namespace_() const { return entry->metadata().namespace_; }
  // By its annotation or its field, whether or not that has an effect.
  bool CannotBorrow() const;
};

// All of the catalog's, in the order of the input. Counts are the smallest with which a job can
// start: the minimum where it asked for partial admission, one pod where each pod is admitted by
// itself.
std::vector<QueuedJob> QueuedJobs(const Catalog& catalog);

// The LocalQueue that a job would be in; null if there is none. A namespace that is left out may
// be any.
const Entry* FindLocalQueue(const Catalog& catalog, std::string_view namespace_,
                            std::string_view name);

}  // namespace berth::lint
