#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "jobs/integration.h"
#include "jobs/path.h"
#include "jobs/pod_set_info.h"
#include "jobs/pod_sets.h"

// Reading and writing of what an admission changes, in the tree of a job.
namespace berth::jobs {

// Where the five things stand for one set of pods.
struct InjectionPaths {
  std::string annotations;
  std::string labels;
  std::string node_selector;
  std::string tolerations;
  std::string scheduling_gates;

  // Below a pod template; `path` "" is a pod.
  static InjectionPaths InTemplate(std::string_view path);
  // Below spec.driver or spec.executor of a SparkApplication.
  static InjectionPaths InSparkRole(std::string_view path);
};

// Adds what `info` has. Fails, and is permanent, where a key has another value already. Annotations
// of Berth's own that a former admission of an elastic job left are replaced.
std::expected<void, StartFailure> Inject(const InjectionPaths& paths, const PodSetInfo& info,
                                         const StartOptions& options, json::value& root);

// Sets all five to what `info` has, no more and no less, except for `own_labels`, which stay.
void Restore(const InjectionPaths& paths, const PodSetInfo& info,
             const std::vector<std::string>& own_labels, json::value& root);

// The five things as an object of their own, with the names that pod templates have for them.
json::object ToPodSetInfo(const PodSetInfo& info);

}  // namespace berth::jobs
