#pragma once

#include <string>
#include <vector>

#include "api/kueue/pod_set.h"
#include "lint/catalog.h"

namespace berth::lint {

// Pods of an object, and their field.
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

// A Workload, or an object of any kind with a queue name.
struct QueuedJob {
  const Entry* entry;
  const api::ObjectMeta* labelled;  // the metadata with the label
  std::string labelled_field;       // "metadata"
  std::string queue;                // "" if a Workload names none
  std::string queue_field;
  std::vector<PodSetAt> pod_sets;  // empty for unknown kinds

  const std::string& namespace_() const { return entry->metadata().namespace_; }
  // By annotation or field, whether or not effective.
  bool CannotBorrow() const;
};

// All queued jobs, in the order of the input. Counts are the smallest with which a job can start:
// the minimum with partial admission, one if each pod is admitted alone.
std::vector<QueuedJob> QueuedJobs(const Catalog& catalog);

// The LocalQueue of a job; null if there is none. An empty namespace matches any.
const Entry* FindLocalQueue(const Catalog& catalog, std::string_view namespace_,
                            std::string_view name);

}  // namespace berth::lint
