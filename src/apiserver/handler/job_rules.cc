#include "apiserver/handler/job_rules.h"

#include <utility>

#include "api/meta/problem_report.h"

namespace berth::apiserver {
namespace {

constexpr std::string_view kImmutable = "field is immutable";

bool MayResize(const api::Job& job) {
  return job.spec.completion_mode == api::kIndexed && job.spec.completions == job.spec.parallelism;
}

// True if scheduling directives of the template may change.
bool MayReschedule(const api::Job& old_job) {
  return old_job.spec.suspend.value_or(false) && !old_job.status.start_time;
}

// The template without its scheduling directives.
api::PodTemplateSpec WithoutSchedulingDirectives(api::PodTemplateSpec pod) {
  pod.metadata.labels.clear();
  pod.metadata.annotations.clear();
  pod.spec.node_selector.clear();
  pod.spec.affinity.reset();
  pod.spec.tolerations.clear();
  pod.spec.scheduling_gates.clear();
  return pod;
}

bool SameTemplate(const api::Job& job, const api::Job& old_job) {
  if (job.spec.template_ == old_job.spec.template_) return true;
  return MayReschedule(old_job) && WithoutSchedulingDirectives(job.spec.template_) ==
                                       WithoutSchedulingDirectives(old_job.spec.template_);
}

}  // namespace

schema::Problems JobChangeProblems(const api::Job& job, const api::Job& old_job) {
  api::ProblemReport report;
  auto in_spec = report.In("spec");
  if (job.spec.selector != old_job.spec.selector)
    report.Invalid("selector", std::string(kImmutable));
  if (job.spec.completion_mode != old_job.spec.completion_mode)
    report.Invalid("completionMode", std::string(kImmutable));
  if (job.spec.completions != old_job.spec.completions && !MayResize(job))
    report.Invalid("completions", std::string(kImmutable),
                   "create another job, or use completionMode Indexed and change parallelism, too");
  if (!SameTemplate(job, old_job))
    report.Invalid("template", std::string(kImmutable),
                   "only a suspended job that has not started may get other node selectors, "
                   "tolerations, labels and annotations");
  return std::move(report).Take();
}

}  // namespace berth::apiserver
