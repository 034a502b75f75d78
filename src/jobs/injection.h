#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "jobs/integration.h"
#include "jobs/pods/pod_set_info.h"
#include "jobs/pods/pod_sets.h"
#include "json/path.h"

// Reads and writes the fields of a job that an admission changes.
namespace berth::jobs {

// The paths of the injected fields of a pod set.
struct InjectionPaths {
  std::string annotations;
  std::string labels;
  std::string node_selector;
  std::string tolerations;
  std::string scheduling_gates;

  // Of a pod template; "" is a pod.
  static InjectionPaths InTemplate(std::string_view path);
  // Of spec.driver or spec.executor of a SparkApplication.
  static InjectionPaths InSparkRole(std::string_view path);
};

// Adds the fields of `info`. Fails permanently if a key already has another value. Berth's
// annotations of a previous admission of an elastic job are replaced.
std::expected<void, StartFailure> Inject(const InjectionPaths& paths, const PodSetInfo& info,
                                         const StartOptions& options, json::value& root);

// Sets all fields to exactly those of `info`, except for `own_labels`, which are kept.
void Restore(const InjectionPaths& paths, const PodSetInfo& info,
             const std::vector<std::string>& own_labels, json::value& root);

// The fields as an object, named as in pod templates.
json::object ToPodSetInfo(const PodSetInfo& info);

}  // namespace berth::jobs
