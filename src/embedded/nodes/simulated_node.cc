#include "embedded/nodes/simulated_node.h"

#include <algorithm>
#include <utility>

#include "api/batch/job.h"
#include "api/kueue/well_known.h"
#include "control/rate_limit.h"
#include "control/reconcile/job_cache.h"
#include "control/reconcile/slices.h"
#include "embedded/nodes/job_status.h"
#include "jobs/job_state.h"
#include "jobs/start_stop.h"
#include "json/path.h"
#include "json/pool.h"
#include "objects/owner_chain.h"
#include "workload/status_changes.h"

namespace berth::embedded {
namespace {

// One simulation step of a job.
class Simulation {
 public:
  Simulation(const jobs::Integration& integration, const json::value& job,
             const SimulationSettings& settings, base::Time now, std::optional<int64_t> max_ready)
      : integration_(integration),
        job_(job),
        settings_(settings),
        now_(now),
        max_ready_(max_ready),
        status_(job, now) {}

  SimulatedStep Run() {
    if (!jobs::Finished(integration_, job_)) {
      if (!jobs::IsSuspended(integration_, job_) && !IsStopping())
        Advance();
      else if (IsBatchJob())
        status_.Suspend();
    }
    if (status_.has_changed()) step_.status = status_.fields();
    return std::move(step_);
  }

 private:
  bool IsBatchJob() const { return integration_.framework == kBatchJob; }
  // Suspended, but the status does not show it yet.
  bool IsStopping() const { return json::TextAt(job_, integration_.suspend) == "true"; }
  bool Fails() const { return SimulatedRunFails(job_, settings_); }

  int64_t Pods() const {
    const auto parallelism = json::IntAt(job_, "spec.parallelism");
    const auto completions = json::IntAt(job_, "spec.completions");
    return std::min(parallelism.value_or(1), completions.value_or(parallelism.value_or(1)));
  }

  std::optional<base::Time> StartedAt() const {
    return base::ParseTime(json::TextAt(job_, "status.startTime"));
  }

  // A resumed Job starts again.
  void Start() {
    if (IsBatchJob())
      status_.Resume(Pods());
    else
      status_.fields()["startTime"] = base::FormatTime(now_);
    step_.requeue_at = now_ + settings_.start_time;
  }

  void Advance() {
    const auto started = StartedAt();
    if (!started || (IsBatchJob() && status_.HasTrueCondition(api::kJobSuspended))) return Start();
    const base::Time end = *started + SimulatedRunTime(job_, settings_);
    if (now_ >= end) return Finish();
    if (IsBatchJob()) {
      status_.SetCount("active", Pods());
      status_.fields()["ready"] = std::min(Pods(), max_ready_.value_or(Pods()));
    }
    step_.requeue_at = end;
  }

  void Finish() {
    if (IsBatchJob() && Fails()) return status_.Fail();
    if (IsBatchJob()) return status_.Complete(json::IntAt(job_, "spec.completions").value_or(1));
    // The condition by which the integration recognizes completion.
    for (const jobs::EndRule& rule : integration_.finished) {
      if (rule.is_success == Fails()) continue;
      for (const jobs::Test& test : rule.when)
        if (!test.condition.empty())
          return status_.SetCondition(test.condition, true, "Simulated", "Simulated run finished");
    }
  }

  const jobs::Integration& integration_;
  const json::value& job_;
  const SimulationSettings& settings_;
  const base::Time now_;
  const std::optional<int64_t> max_ready_;
  JobStatus status_;
  SimulatedStep step_;
};

}  // namespace

SimulatedStep SimulateJob(const jobs::Integration& integration, const json::value& job,
                          const SimulationSettings& settings, base::Time now,
                          std::optional<int64_t> max_ready) {
  return Simulation(integration, job, settings, now, max_ready).Run();
}

SimulatedNode::SimulatedNode(store::Store& store, store::Executor& executor,
                             const jobs::IntegrationSet& integrations,
                             const SimulationSettings& settings)
    : store_(store),
      executor_(executor),
      settings_(settings),
      pods_(store, executor, integrations, settings) {
  for (const jobs::Integration& integration : integrations.all()) {
    if (integration.uses_scheduling_gates()) continue;
    // On nodes, Jobs follow their pods.
    if (settings_.has_nodes() && integration.framework == kBatchJob) continue;
    Watched& watched = *watched_.emplace_back(std::make_unique<Watched>());
    watched.integration = &integration;
    watched.informer = std::make_unique<store::Informer>(
        store, executor, control::ResourceOf(integration), store::Selection(),
        store::Informer::Handlers{.on_change =
                                      [this, &watched](const store::Change& change) {
                                        if (change.after != nullptr)
                                          Reconcile(watched, change.after->key());
                                      },
                                  .on_synced = [] {},
                                  .on_failure = [](const store::Failure&) {}},
        store::Reflector::Options{.longest_pause = base::Duration::Seconds(5)});
  }
  workloads_ = std::make_unique<store::Informer>(
      store, executor, store::ResourceOf<api::Workload>(), store::Selection(),
      store::Informer::Handlers{
          .on_change = [this](const store::Change& change) { OnWorkload(change); },
          .on_synced = [] {},
          .on_failure = [](const store::Failure&) {}});
}

SimulatedNode::~SimulatedNode() = default;

void SimulatedNode::Reconcile(Watched& watched, const store::ObjectName& name) {
  if (watched.informer == nullptr || watched.busy.contains(name)) return;
  const store::Object* object = watched.informer->Find(name);
  if (object == nullptr) return;
  json::Pool pool;
  const auto job = json::ParseIn(&pool, object->text());
  if (!job) return;
  const base::Time now = executor_.Now();
  const SimulatedStep step =
      SimulateJob(*watched.integration, *job, settings_, now, MaxReadyOf(object->uid));
  auto reconcile = self_.Wrap([this, &watched, name] { Reconcile(watched, name); });
  if (step.requeue_at) executor_.PostAfter(*step.requeue_at - now, reconcile);
  if (!step.status) return;
  json::object after = job->get_object();
  after["status"] = *step.status;
  json::object patch = jobs::MergePatchBetween(*job, after).as_object();
  patch["metadata"] = json::object{{"resourceVersion", object->resource_version}};
  watched.busy.insert(name);
  store_.Do(store::Patch{.resource = control::ResourceOf(*watched.integration),
                         .namespace_ = name.namespace_,
                         .name = name.name,
                         .subresource = std::string(store::kStatusSubresource),
                         .type = store::PatchType::kMerge,
                         .body = json::Print(patch),
                         .is_forced = false,
                         .options = {}},
            executor_,
            self_.Wrap([this, &watched, name, version = object->resource_version](
                           const store::Outcome<store::Reply>& reply) {
              OnReply(watched, name, version, reply);
            }));
}

void SimulatedNode::OnWorkload(const store::Change& change) {
  const store::Object& any = change.after != nullptr ? *change.after : *change.before;
  if (!any.text().contains(api::kWorkloadSliceNameAnnotation)) return;
  auto slice = any.Decode<api::Workload>();
  const api::OwnerReference* job = slice ? objects::ControllerOf(slice->metadata) : nullptr;
  if (job == nullptr) return;
  const api::OwnerReference owner = *job;
  std::map<std::string, api::Workload>& slices = slices_[owner.uid];
  slices.erase(any.name);
  if (change.after != nullptr) slices.emplace(any.name, *std::move(slice));
  if (slices.empty()) slices_.erase(owner.uid);
  for (const auto& watched : watched_)
    if (watched->integration->kind == owner.kind)
      Reconcile(*watched, {.namespace_ = any.namespace_, .name = owner.name});
}

std::optional<int64_t> SimulatedNode::MaxReadyOf(const std::string& job_uid) const {
  const auto found = slices_.find(job_uid);
  if (found == slices_.end()) return std::nullopt;
  std::vector<const api::Workload*> slices;
  for (const auto& [name, slice] : found->second) slices.push_back(&slice);
  const api::Workload* holder = control::ChooseSlices(std::move(slices)).holder;
  int64_t pods = 0;
  if (holder != nullptr && workload::IsAdmitted(*holder))
    for (const api::PodSet& set : holder->spec.pod_sets) pods += set.count.value_or(1);
  return pods;
}

// Reconciles again if a newer state arrived meanwhile; otherwise the watch delivers it. A retry on
// a stale state would only conflict again.
void SimulatedNode::OnReply(Watched& watched, const store::ObjectName& name,
                            const std::string& version, const store::Outcome<store::Reply>& reply) {
  watched.busy.erase(name);
  const store::Object* object = watched.informer->Find(name);
  if (object != nullptr && object->resource_version != version) return Reconcile(watched, name);
  if (reply || reply.error().IsConflict() || reply.error().IsNotFound()) return;
  executor_.PostAfter(control::kRejectionBackOff,
                      self_.Wrap([this, &watched, name] { Reconcile(watched, name); }));
}

}  // namespace berth::embedded
