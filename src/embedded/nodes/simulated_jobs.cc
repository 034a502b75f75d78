#include "embedded/nodes/simulated_jobs.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "api/batch/job.h"
#include "api/core/pod.h"
#include "embedded/nodes/job_status.h"
#include "embedded/nodes/simulated_children.h"
#include "jobs/integration_set.h"
#include "jobs/job_state.h"
#include "jobs/pods/pod_sets.h"
#include "json/path.h"
#include "schema/encode.h"

namespace berth::embedded {
namespace {

constexpr std::string_view kCompletionIndex = "batch.kubernetes.io/job-completion-index";
constexpr std::string_view kJobName = "batch.kubernetes.io/job-name";
constexpr std::string_view kControllerUid = "batch.kubernetes.io/controller-uid";

const jobs::Integration& BatchJob() {
  return *jobs::IntegrationSet::BuiltIn().FindFramework("batch/job");
}

bool HasPhase(const json::value& pod, std::string_view phase) {
  return json::TextAt(pod, "status.phase") == phase;
}

std::string AnnotationOf(const json::value& object, std::string_view name) {
  return json::TextAt(object, "metadata.annotations[" + std::string(name) + "]");
}

// Run time and failure of a job are those of its pods, if the template does not say otherwise.
void CopyAnnotations(const json::value& job, json::value& pod) {
  if (HasRunTimeAnnotation(job) && !HasRunTimeAnnotation(pod))
    SetMetadata(pod, "annotations", kRunTimeAnnotation, AnnotationOf(job, kRunTimeAnnotation));
  const std::string fails = AnnotationOf(job, kFailsAnnotation);
  if (!fails.empty() && AnnotationOf(pod, kFailsAnnotation).empty())
    SetMetadata(pod, "annotations", kFailsAnnotation, fails);
}

// All pods of a job fail by chance, or none.
void DecideFailure(const json::value& job, const SimulationSettings& settings, json::value& pod) {
  if (AnnotationOf(pod, kFailsAnnotation).empty())
    SetMetadata(pod, "annotations", kFailsAnnotation,
                SimulatedRunFails(job, settings) ? "true" : "false");
}

// --- Jobs of batch/v1 ----------------------------------------------------------------------------

class BatchJobSimulation {
 public:
  BatchJobSimulation(const json::value& job, SetChildren pods, const SimulationSettings& settings,
                     base::Time now)
      : job_(job), pods_(pods), settings_(settings), status_(job, now) {
    completions_ = json::IntAt(job, "spec.completions").value_or(Parallelism());
    is_indexed_ = json::TextAt(job, "spec.completionMode") == "Indexed";
    for (const json::value& pod : pods) Sort(pod);
  }

  SimulatedSetPlan Run() {
    if (jobs::Finished(BatchJob(), job_)) return {};
    if (json::TextAt(job_, BatchJob().suspend) == "true")
      Suspend();
    else
      Advance();
    if (status_.has_changed()) plan_.status = status_.fields();
    return std::move(plan_);
  }

 private:
  int32_t Parallelism() const {
    return std::max(json::IntAt(job_, "spec.parallelism").value_or(1), 0);
  }

  void Sort(const json::value& pod) {
    names_.insert(NameIn(pod));
    if (HasPhase(pod, api::kPodSucceeded)) {
      ++succeeded_;
      taken_indices_.insert(IndexOf(pod));
    } else if (IsTerminating(pod)) {
      return;  // it is replaced, as by podReplacementPolicy TerminatingOrFailed
    } else if (HasPhase(pod, api::kPodFailed)) {
      has_failed_ |= !json::TextAt(pod, "status.startTime").empty();
    } else {
      active_.push_back(&pod);
      taken_indices_.insert(IndexOf(pod));
    }
  }

  static int32_t IndexOf(const json::value& pod) {
    const std::string text =
        json::TextAt(pod, "metadata.labels[" + std::string(kCompletionIndex) + "]");
    int32_t index = -1;
    std::from_chars(text.data(), text.data() + text.size(), index);
    return index;
  }

  void Suspend() {
    for (const json::value* pod : active_) plan_.remove.push_back(NameIn(*pod));
    status_.Suspend();
  }

  void Advance() {
    if (json::TextAt(job_, "status.startTime").empty() ||
        status_.HasTrueCondition(api::kJobSuspended))
      status_.Resume(0);
    if (has_failed_) return End([this] { status_.Fail(); });
    if (succeeded_ >= completions_) return End([this] { status_.Complete(succeeded_); });
    const int32_t wanted = std::min({Parallelism(), completions_ - succeeded_, kMostPodsOfSet});
    Resize(static_cast<size_t>(wanted));
    CountPods();
  }

  void CountPods() {
    const auto ready =
        std::ranges::count_if(active_, [](const json::value* pod) { return IsReadyPod(*pod); });
    status_.SetCount("active", static_cast<int64_t>(active_.size()));
    status_.fields()["ready"] = ready;
    status_.SetCount("succeeded", succeeded_);
  }

  template <class Finish>
  void End(Finish finish) {
    for (const json::value* pod : active_) plan_.remove.push_back(NameIn(*pod));
    finish();
  }

  // The last pods by index are removed first, or those that are not ready.
  void Resize(size_t wanted) {
    if (active_.size() > wanted) {
      std::ranges::stable_sort(active_, {}, [&](const json::value* pod) {
        return is_indexed_ ? IndexOf(*pod) : IsReadyPod(*pod) ? 0 : 1;
      });
      for (size_t i = wanted; i < active_.size(); ++i) plan_.remove.push_back(NameIn(*active_[i]));
    }
    size_t missing = wanted - std::min(wanted, active_.size());
    for (int32_t place = 0; missing > 0 && plan_.create.size() < kMostPodsPerStep; ++place) {
      if (is_indexed_ && (place >= completions_ || taken_indices_.contains(place))) {
        if (place >= completions_) return;
        continue;
      }
      Create(place);
      --missing;
    }
  }

  void Create(int32_t place) {
    json::value pod = ChildOf(job_, NewName(place), json::FindAt(job_, "spec.template"));
    SetMetadata(pod, "labels", kJobName, NameIn(job_));
    SetMetadata(pod, "labels", kControllerUid, json::TextAt(job_, "metadata.uid"));
    if (is_indexed_)
      for (const std::string_view map : {"labels", "annotations"})
        SetMetadata(pod, map, kCompletionIndex, std::to_string(place));
    CopyAnnotations(job_, pod);
    DecideFailure(job_, settings_, pod);
    plan_.create.push_back(std::move(pod));
  }

  // Deterministic, so that a pod is never created twice, and unlike those of pods that still exist.
  std::string NewName(int32_t place) {
    const std::string prefix =
        NameIn(job_) + "-" + (is_indexed_ ? std::to_string(place) + "-" : "");
    const std::string seed = json::TextAt(job_, "metadata.uid") + "/" + std::to_string(place) + "/";
    for (int attempt = 0;; ++attempt) {
      std::string name = prefix + ShortHash(seed + std::to_string(attempt)).substr(0, 5);
      if (names_.insert(name).second) return name;
    }
  }

  const json::value& job_;
  SetChildren pods_;
  const SimulationSettings& settings_;
  int32_t completions_ = 1;
  bool is_indexed_ = false;
  std::set<std::string> names_;
  std::set<int32_t> taken_indices_;
  std::vector<const json::value*> active_;
  int32_t succeeded_ = 0;
  bool has_failed_ = false;
  JobStatus status_;
  SimulatedSetPlan plan_;
};

// --- Other kinds ---------------------------------------------------------------------------------

class JobPodsSimulation {
 public:
  JobPodsSimulation(const json::value& job, SetChildren pods)
      : job_(job), pods_(pods), by_name_(ByName(pods)) {}

  SimulatedSetPlan Run(const std::vector<jobs::JobPodSet>& sets) {
    std::set<std::string> names;
    for (const jobs::JobPodSet& set : sets) AddPods(set, names);
    for (const json::value& pod : pods_)
      if (!IsTerminating(pod) && !names.contains(NameIn(pod))) plan_.remove.push_back(NameIn(pod));
    return std::move(plan_);
  }

 private:
  void AddPods(const jobs::JobPodSet& set, std::set<std::string>& names) {
    const json::value pod_template = *json::Parse(schema::Encode(set.pod_set.template_));
    const int32_t count = std::min(set.pod_set.count.value_or(1), kMostPodsOfSet);
    for (int32_t i = 0; i < count; ++i) {
      std::string name = NameIn(job_) + "-" + set.pod_set.name + "-" + std::to_string(i);
      const auto pod = by_name_.find(name);
      if (pod == by_name_.end())
        Create(set, pod_template, name, i);
      else if (HasPhase(*pod->second, api::kPodFailed))
        continue;  // not among the names: removed, and then replaced
      names.insert(std::move(name));
    }
  }

  void Create(const jobs::JobPodSet& set, const json::value& pod_template, const std::string& name,
              int32_t i) {
    if (plan_.create.size() == kMostPodsPerStep) return;
    json::value pod = ChildOf(job_, name, &pod_template);
    const int32_t size = std::max(set.pods_per_replica, 1);
    const auto label = [&](const std::string& key, int32_t number) {
      if (!key.empty()) SetMetadata(pod, "labels", key, std::to_string(number));
    };
    if (set.rule != nullptr) {
      const bool has_groups = !set.rule->sub_group_index_label.empty();
      label(set.rule->pod_index_label, has_groups ? i % size : i);
      label(set.rule->sub_group_index_label, i / size);
    }
    CopyAnnotations(job_, pod);
    plan_.create.push_back(std::move(pod));
  }

  const json::value& job_;
  SetChildren pods_;
  const ChildrenByName by_name_;
  SimulatedSetPlan plan_;
};

}  // namespace

SimulatedSetPlan SimulateBatchJob(const json::value& job, SetChildren pods,
                                  const SimulationSettings& settings, base::Time now) {
  return BatchJobSimulation(job, pods, settings, now).Run();
}

SimulatedSetPlan SimulateJobPods(const jobs::Integration& integration, const json::value& job,
                                 SetChildren pods) {
  const bool runs = !jobs::IsSuspended(integration, job) && !jobs::Finished(integration, job) &&
                    integration.injects == jobs::kInjectsIntoTemplates;
  std::vector<jobs::JobPodSet> sets;
  if (runs) {
    auto read = jobs::PodSetsOf(integration, job, jobs::PodSetOptions());
    if (read) sets = *std::move(read);
  }
  return JobPodsSimulation(job, pods).Run(sets);
}

}  // namespace berth::embedded
