#include "control/controller.h"

#include <optional>
#include <utility>

#include "api/kueue/cluster_queue.h"
#include "api/kueue/cohort.h"
#include "api/kueue/local_queue.h"
#include "workload/convert/convert_workload.h"

namespace berth::control {
namespace {

std::optional<UsageSampling> SamplingFrom(const api::Configuration& configuration,
                                          const api::FeatureGates& gates) {
  if (!configuration.admission_fair_sharing || !gates.IsOn(api::Gate::kAdmissionFairSharing))
    return std::nullopt;
  return UsageSampling{.half_life = configuration.admission_fair_sharing->usage_half_life_time,
                       .interval = configuration.admission_fair_sharing->usage_sampling_interval};
}

// Nodes come and go by the rack, and pods by the thousand.
constexpr workload::NodeRounds kNodeRounds{.nodes = base::Duration::Seconds(1),
                                           .pods = base::Duration::Seconds(10)};

}  // namespace

const workload::ClusterStateOptions Controller::kStateOptions{.topology = true,
                                                              .rounds = kNodeRounds};

Controller::Controller(store::Store& store, store::Executor& executor, Settings settings)
    : executor_(executor),
      settings_(std::move(settings)),
      policy_(JobPolicy::From(settings_.configuration, settings_.gates)),
      managed_(settings_.configuration, settings_.gates, settings_.integrations->AddedKinds()),
      cluster_(settings_.configuration, settings_.gates, kStateOptions),
      events_(store, executor, settings_.instance),
      writer_(
          store, executor, cluster_, events_,
          {.on_state_changed = [this](std::string_view name,
                                      const api::Workload* w) { OnWorkloadStateChanged(name, w); },
           .complete_status = [this](api::Workload& w) { jobs_.CompleteStatus(w); },
           .on_failure =
               [this](std::string_view name, const store::Failure& failure) {
                 Log("Workload " + std::string(name) + " not written: " + store::ToString(failure));
               },
           .on_reservation_rejected =
               [this](std::string_view name, const store::Failure& failure) {
                 cycles_.OnRejected(name, failure);
               },
           .on_decision_rejected =
               [this](std::string_view name, const store::Failure& failure) {
                 cycles_.OnDecisionRejected(name, failure);
               },
           .on_transition = [this](const WorkloadTransition& step) { Notify(step); }}),
      uncounted_requests_(
          cluster_, {.log = [this](std::string_view text) { Log(text); },
                     .record_event = [this](const api::Workload& w,
                                            const auto& event) { writer_.Record(w, event); }}),
      watches_(store, executor,
               {.on_synced = [this] { ScheduleReconcile(); },
                .log = [this](std::string_view text) { Log(text); }}),
      feed_(executor, watches_,
            {.on_change = [this] { ScheduleReconcile(); },
             .log = [this](std::string_view text) { Log(text); }}),
      workloads_(executor,
                 {.cluster = cluster_,
                  .writer = writer_,
                  .uncounted_requests = uncounted_requests_,
                  .rejected_admissions = rejected_admissions_,
                  .policy = policy_.life,
                  .priorities = priorities_.table()},
                 {.on_enqueued = [this] { ScheduleReconcile(); },
                  .is_owner_gone = [this](const auto& owner) { return jobs_.IsGone(owner); }}),
      jobs_(store, executor, Context(), *settings_.integrations, watches_,
            {.on_enqueued = [this] { ScheduleReconcile(); },
             .log = [this](std::string_view text) { Log(text); },
             .observe = [this](const ControllerEvent& event) { Notify(event); },
             .on_owner_deleted = [this](std::string_view uid) { workloads_.OnOwnerDeleted(uid); }}),
      cycles_(executor,
              {.cluster = cluster_,
               .writer = writer_,
               .uncounted_requests = uncounted_requests_,
               .rejected_admissions = rejected_admissions_,
               .blocks_admission =
                   policy_.life.pods_ready && policy_.life.pods_ready->blocks_admission},
              {.schedule_reconcile = [this] { ScheduleReconcile(); },
               .observe = [this](const ControllerEvent& event) { Notify(event); },
               .on_decision = [this](std::string_view w) { queues_.OnWorkload(w); },
               .on_cycle = settings_.record_cycle}),
      queues_(store, executor, cluster_, events_,
              SamplingFrom(settings_.configuration, settings_.gates),
              {.on_written = [this](const schema::Kind& kind,
                                    const store::Object& object) { feed_.OnWritten(kind, object); },
               .on_enqueued = [this] { ScheduleReconcile(); },
               .log = [this](std::string_view text) { Log(text); }}),
      reconcile_(executor, [this] { Reconcile(); }) {
  policy_.workload.pod_sets.related.find_training_runtime = [this](const json::value& job) {
    return jobs_.runtimes().FindFor(job);
  };
  policy_.workload.pod_sets.related.find_ray_cluster = [this](const json::value& job) {
    return jobs_.ray_clusters().FindFor(job);
  };
  cluster_.TrustStatus();
  cluster_.OnCall(settings_.record_call);
  cluster_.OnPlaced([this](const std::string& workload) { queues_.OnWorkload(workload); });
  AddHandlers();
  Watch();
}

Controller::~Controller() = default;

ControllerContext Controller::Context() {
  return {.cluster = cluster_,
          .workloads = writer_,
          .owners = workloads_.owners(),
          .events = events_,
          .policy = policy_,
          .managed = managed_,
          .priorities = priorities_.table()};
}

bool Controller::is_idle() const {
  return is_synced() && !reconcile_.is_scheduled() && writer_.is_idle() && jobs_.is_idle() &&
         cycles_.is_idle() && queues_.is_idle() && events_.is_idle() && feed_.is_idle();
}

workload::ClusterState& Controller::cluster() {
  if (is_synced()) cluster_.Sync(executor_.Now());
  return cluster_;
}

// --- Objects -------------------------------------------------------------------------------------

// The caches first: the others read them.
void Controller::AddHandlers() {
  workload::ObjectHandlers& handlers = feed_.handlers();
  cluster_.AddHandlers(handlers);
  priorities_.AddHandlers(handlers);
  queues_.AddHandlers(handlers);
  workloads_.AddHandlers(handlers);
  jobs_.AddHandlers(handlers);
  AddDeletionObserver<api::ClusterQueue>();
  AddDeletionObserver<api::LocalQueue>();
  AddDeletionObserver<api::Cohort>();
}

template <class T>
void Controller::AddDeletionObserver() {
  feed_.handlers().Add<T>(
      {.on_upsert = [](const T&, const T*) {},
       .on_delete =
           [this](std::string_view namespace_name, std::string_view name) {
             Notify(QueueGone{.kind = &T::KindInfo(), .namespace_ = namespace_name, .name = name});
           }});
}

void Controller::Watch() {
  feed_.Watch(settings_.gates.IsOn(api::Gate::kTopologyAwareScheduling));
  watches_.Watch(store::ResourceOf<api::Workload>(),
                 [this](const store::Change& change) { OnWorkloadChange(change); });
  jobs_.Watch();
}

void Controller::OnWorkloadChange(const store::Change& change) {
  const store::Object& any = change.after != nullptr ? *change.after : *change.before;
  const std::string name = workload::NamespacedName(any.namespace_, any.name);
  if (change.after == nullptr) return writer_.OnWatchEvent(name, std::nullopt);
  if (writer_.IsKnown(*change.after)) return;
  auto workload = change.after->Decode<api::Workload>();
  if (!workload)
    return Log(std::string(api::Workload::KindInfo().kind) +
               " not readable: " + change.after->key().ToString());
  writer_.OnWatchEvent(name, std::move(*workload));
}

void Controller::OnWorkloadStateChanged(std::string_view name, const api::Workload* workload) {
  const api::Workload* before = cluster_.FindWorkload(name);
  if (before != nullptr) jobs_.OnWorkload(*before);
  workloads_.OnStateChanged(name, before, workload);
  if (workload != nullptr) {
    cluster_.Apply(*workload);
    feed_.OnWorkload(*workload);
    jobs_.OnWorkload(*workload);
  } else {
    if (before != nullptr) jobs_.OnWorkloadDeleted(*before);
    const size_t slash = name.find('/');
    cluster_.Delete(api::Workload::KindInfo(), name.substr(0, slash), name.substr(slash + 1));
    cycles_.OnDelete(name);
  }
  ScheduleReconcile();
}

// --- The reconcile loop --------------------------------------------------------------------------

void Controller::Lead() {
  settings_.is_leading = true;
  ScheduleReconcile();
}

void Controller::Reconcile() {
  if (!is_synced()) return;
  ++revision_;
  const base::Time now = executor_.Now();
  // Followers sync too, so that changes do not pile up until they lead.
  cluster_.Sync(now);
  queues_.Count();
  if (!settings_.is_leading) return;
  cluster_.AdvanceTo(now);
  cycles_.Run(workloads_.Plan(now), now);
  cycles_.FlushPendingReasons(now);
  jobs_.Plan(now);
  queues_.Plan(now);
}

}  // namespace berth::control
