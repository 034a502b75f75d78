#include "control/job_controllers.h"

#include <algorithm>
#include <string>
#include <utility>

#include "api/core/namespace.h"
#include "api/core/pod.h"
#include "api/core/priority_class.h"
#include "api/kueue/well_known.h"
#include "api/kueue/workload_priority_class.h"
#include "workload/convert/convert_topology.h"

namespace berth::control {
namespace {

constexpr std::string_view kRayClusterFramework = "ray.io/raycluster";

// Whether the kind has Workloads of its own. Pods of Deployments, for instance, queue one by one.
bool QueuesAsJob(const jobs::Integration& integration) {
  return integration.suspension != jobs::kSuspendedByGate &&
         integration.suspension != jobs::kSuspendedByPodGates;
}

template <class T>
T HooksOf(const JobControllers::Hooks& hooks) {
  return {.on_enqueued = hooks.on_enqueued, .log = hooks.log, .observe = hooks.observe};
}

}  // namespace

JobControllers::JobControllers(store::Store& store, store::Executor& executor,
                               const ControllerContext& context,
                               const jobs::IntegrationSet& integrations, KindWatches& watches,
                               Hooks hooks)
    : managed_(context.managed),
      integrations_(integrations),
      watches_(watches),
      hooks_(std::move(hooks)),
      jobs_(store, executor, context, integrations, HooksOf<JobController::Hooks>(hooks_)),
      placed_pods_(context.policy.workload.reads_name_annotations,
                   [this](const auto& owners) { OnPodsOf(owners); }) {
  if (PodController::IsNeeded(integrations_, managed_))
    pods_ = std::make_unique<PodController>(store, executor, context, jobs_.jobs(), integrations_,
                                            HooksOf<PodController::Hooks>(hooks_));
  if (context.policy.workload.has_elastic_jobs)
    elastic_pods_ = std::make_unique<ElasticPods>(store, executor, context.cluster, context.events,
                                                  HooksOf<ElasticPods::Hooks>(hooks_));
  if (context.policy.start.has_topology)
    ungater_ = std::make_unique<PodUngater>(store, executor, context.cluster, placed_pods_,
                                            context.events, HooksOf<PodUngater::Hooks>(hooks_));
  if (context.policy.node_failures)
    node_failures_ = std::make_unique<NodeFailureController>(
        store, executor, context, placed_pods_, *context.policy.node_failures,
        NodeFailureController::Hooks{.on_enqueued = hooks_.on_enqueued, .log = hooks_.log});
  if (context.policy.deletes_stuck_pods)
    failure_recovery_ = std::make_unique<FailureRecovery>(
        store, executor, context.events,
        FailureRecovery::Hooks{.on_enqueued = hooks_.on_enqueued, .log = hooks_.log});
}

JobControllers::~JobControllers() = default;

// --- Watches -------------------------------------------------------------------------------------

void JobControllers::Watch() {
  for (const jobs::Integration& integration : integrations_.all()) {
    if (!managed_.IsListed(integration.api_version, integration.kind) || !QueuesAsJob(integration))
      continue;
    WatchJobs(integration);
    if (integration.derives == jobs::kDerivesTrainJob) WatchRuntimesOf(integration);
  }
  WatchRayClusters();
  if (pods_ != nullptr) WatchPods(store::Selection());
  if (failure_recovery_ != nullptr) failure_recovery_->Watch(watches_);
}

void JobControllers::WatchJobs(const jobs::Integration& integration) {
  watches_.WatchOptional(
      ResourceOf(integration),
      [this, &integration](const store::Change& change) { OnJobChange(integration, change); });
}

void JobControllers::WatchRuntimesOf(const jobs::Integration& integration) {
  for (const jobs::TrainingRuntimeKind& kind : jobs::kTrainingRuntimeKinds)
    watches_.WatchOptional(ResourceOf(integration, kind),
                           [this, &integration, &kind](const store::Change& change) {
                             runtimes_.OnChange(kind, change);
                             jobs_.EnqueueAllOf(integration);
                             hooks_.on_enqueued();
                           });
}

void JobControllers::WatchRayClusters() {
  const jobs::Integration* clusters = integrations_.FindFramework(kRayClusterFramework);
  const bool is_followed = std::ranges::any_of(integrations_.all(), [&](const auto& kind) {
    return FollowsRayCluster(kind) && managed_.IsListed(kind.api_version, kind.kind);
  });
  if (clusters == nullptr || !is_followed || watches_.IsWatched(ResourceOf(*clusters))) return;
  watches_.WatchOptional(ResourceOf(*clusters),
                         [this](const store::Change& change) { OnRayCluster(change); });
}

void JobControllers::OnRayCluster(const store::Change& change) {
  ray_clusters_.OnChange(change);
  for (const jobs::Integration& integration : integrations_.all())
    if (FollowsRayCluster(integration)) jobs_.EnqueueAllOf(integration);
  hooks_.on_enqueued();
}

void JobControllers::WatchPods(store::Selection selection) {
  watches_.Watch(
      store::ResourceOf<api::Pod>(), [this](const store::Change& change) { OnPodChange(change); },
      std::move(selection));
}

void JobControllers::OnJobChange(const jobs::Integration& integration,
                                 const store::Change& change) {
  jobs_.OnChange(integration, change);
  if (integration.framework == kRayClusterFramework) OnRayCluster(change);
  const store::Object& any = change.after != nullptr ? *change.after : *change.before;
  if (pods_ != nullptr && integration.uses_scheduling_gates())
    pods_->OnSet({.integration = &integration, .namespace_ = any.namespace_, .name = any.name});
  NotifyIfDeleted(change);
}

void JobControllers::OnPodChange(const store::Change& change) {
  if (pods_ != nullptr) pods_->OnPodChange(change);
  if (elastic_pods_ != nullptr) elastic_pods_->OnPodChange(change);
  const store::Object& any = change.after != nullptr ? *change.after : *change.before;
  const std::set<store::ObjectName> owners = placed_pods_.OnPodChange(change);
  if (ungater_ != nullptr) ungater_->OnPodChange(any.key(), owners);
  if (node_failures_ != nullptr) node_failures_->OnPodChange(any.key(), owners);
  NotifyIfDeleted(change);
}

void JobControllers::OnPodsOf(const std::set<store::ObjectName>& owners) {
  if (ungater_ != nullptr) ungater_->OnPodsOf(owners);
  if (node_failures_ != nullptr) node_failures_->OnPodsOf(owners);
}

void JobControllers::NotifyIfDeleted(const store::Change& change) const {
  if (change.before == nullptr) return;
  const bool is_deleted = change.after == nullptr || change.after->uid != change.before->uid;
  if (is_deleted) hooks_.on_owner_deleted(change.before->uid);
}

void JobControllers::OnWorkload(const api::Workload& workload) {
  jobs_.OnWorkload(workload);
  if (pods_ != nullptr) pods_->OnWorkload(workload);
  if (node_failures_ != nullptr) node_failures_->OnWorkload(workload);
  const bool is_slice = elastic_pods_ != nullptr && elastic_pods_->OnWorkload(workload);
  const bool is_placed = ungater_ != nullptr && ungater_->OnWorkload(workload);
  // From the first of these on, pods matter that an admitted job has started.
  if ((is_slice || is_placed) && !watches_.IsWatched(store::ResourceOf<api::Pod>()))
    WatchPods({.label_selector = std::string(api::kPodSetLabel)});
}

void JobControllers::OnWorkloadDeleted(const api::Workload& workload) {
  if (node_failures_ != nullptr) node_failures_->OnWorkloadDeleted(workload);
  if (elastic_pods_ != nullptr) elastic_pods_->OnWorkloadDeleted(workload);
  if (ungater_ != nullptr) ungater_->OnWorkloadDeleted(workload);
}

// --- Plans ---------------------------------------------------------------------------------------

void JobControllers::AddHandlers(workload::ObjectHandlers& handlers) {
  handlers.Add<api::Namespace>(
      {.on_upsert =
           [this](const api::Namespace& space, const api::Namespace* before) {
             if (before == nullptr || before->metadata.labels != space.metadata.labels)
               EnqueueAll(space.metadata.name);
           },
       .on_delete = [](auto, auto) {}});
  if (node_failures_ != nullptr) node_failures_->AddHandlers(handlers);
  // A job may name a class that was missing or has another value now.
  const auto add_priority_class = [&]<class T>() {
    handlers.Add<T>({.on_upsert = [this](const T&, const T*) { EnqueueAll(""); },
                     .on_delete = [this](auto, auto) { EnqueueAll(""); }});
  };
  add_priority_class.template operator()<api::PriorityClass>();
  add_priority_class.template operator()<api::WorkloadPriorityClass>();
}

void JobControllers::EnqueueAll(std::string_view namespace_name) {
  if (pods_ != nullptr) pods_->EnqueueAll(namespace_name);
  jobs_.EnqueueAll(namespace_name);
}

void JobControllers::Plan(base::Time now) {
  jobs_.Reconcile(now);
  if (pods_ != nullptr) pods_->Reconcile(now);
  if (elastic_pods_ != nullptr) elastic_pods_->Plan();
  if (ungater_ != nullptr) ungater_->Plan();
  if (node_failures_ != nullptr) node_failures_->Plan(now);
  if (failure_recovery_ != nullptr) failure_recovery_->Plan(now);
}

bool JobControllers::IsWatched(const api::OwnerReference& owner) const {
  const bool is_pod = owner.kind == api::Pod::KindInfo().kind && owner.api_version == "v1";
  return is_pod ? pods_ != nullptr : managed_.IsListed(owner.api_version, owner.kind);
}

bool JobControllers::IsGone(const api::OwnerReference& owner) const {
  return IsWatched(owner) && jobs_.jobs().FindByUid(owner.uid) == nullptr &&
         (pods_ == nullptr || !pods_->HasPod(owner.uid));
}

bool JobControllers::is_idle() const {
  return jobs_.is_idle() && (pods_ == nullptr || pods_->is_idle()) &&
         (elastic_pods_ == nullptr || elastic_pods_->is_idle()) &&
         (ungater_ == nullptr || ungater_->is_idle()) &&
         (node_failures_ == nullptr || node_failures_->is_idle()) &&
         (failure_recovery_ == nullptr || failure_recovery_->is_idle());
}

}  // namespace berth::control
