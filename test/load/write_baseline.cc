#include "load/write_baseline.h"

#include <deque>
#include <utility>

#include "api/core/event.h"
#include "api/core/events_v1_event.h"
#include "api/kueue/topology_assignment.h"
#include "api/kueue/well_known.h"
#include "load/workload_of.h"
#include "schema/encode.h"
#include "workload/status_changes.h"

namespace berth::load {
namespace {

constexpr base::Duration kTimeout = base::Duration::Seconds(1800);
constexpr size_t kMaxOutstanding = 64;  // as many as the client has connections
constexpr size_t kMaxFaultsKept = 20;
// Differs from the owner: the server tracks field managers.
constexpr std::string_view kController = "controller";

api::Admission SomeAdmission(const api::Workload& workload) {
  api::Admission admission{.cluster_queue = workload.spec.queue_name.value_or(""),
                           .pod_set_assignments = {},
                           .extra = {}};
  for (const api::PodSet& pods : workload.spec.pod_sets) {
    api::PodSetAssignment& assignment = admission.pod_set_assignments.emplace_back();
    assignment.name = pods.name;
    assignment.count = pods.count;
    assignment.flavors.Set("cpu", std::string("default"));
    assignment.resource_usage.Set("cpu", *quantity::Quantity::Parse("1"));
    // Of the size of a placement.
    if (pods.topology_request)
      assignment.topology_assignment = api::PackTopologyAssignment(
          {std::string(api::kHostnameLabel)}, {{.values = {"node-0-0-0"}, .count = *pods.count}});
  }
  return admission;
}

}  // namespace

WriteBaseline::WriteBaseline(store::Store& store, const simulate::Input& input,
                             const Counts& counts)
    : store_(store), input_(input), counts_(counts) {
  for (const api::Object& object : input_.objects) {
    const std::string_view kind = object.kind().kind;
    if (kind == "ClusterQueue" || kind == "LocalQueue") queues_.push_back(&object);
  }
}

WriteBaseline::Figures WriteBaseline::Run() {
  size_t synced = 0;
  const auto watch = [&](const store::Resource& resource) {
    return std::make_unique<store::Informer>(
        store_, inbox_, resource, store::Selection{},
        store::Informer::Handlers{.on_change = [](const store::Change&) {},
                                  .on_synced = [&] { ++synced; },
                                  .on_failure = {}});
  };
  const auto as_owner = watch(store::ResourceOf<api::Workload>());
  const auto as_controller = watch(store::ResourceOf<api::Workload>());
  const auto as_reader = watch(store::ResourceOf<api::Event>());
  inbox_.RunUntil([&] { return synced == 3; }, kTimeout);

  const base::Time begin = inbox_.Now();
  std::deque<Life> lives(std::min(kMaxOutstanding, input_.jobs.size()));
  for (Life& life : lives) Begin(life);
  inbox_.RunUntil([&] { return ended_ == input_.jobs.size(); }, kTimeout);
  figures_.seconds = (inbox_.Now() - begin).seconds();
  if (ended_ < input_.jobs.size()) Fault("not all was written in time");
  return std::move(figures_);
}

WriteBaseline::Life WriteBaseline::LifeOf(uint32_t job) const {
  const auto share = [&](size_t total) {
    return (job + 1) * total / input_.jobs.size() - job * total / input_.jobs.size();
  };
  Life life{.job = job, .steps = {Step::kCreate}};
  const auto add = [&](size_t count, Step step, Step last) {
    for (size_t i = 0; i < count; ++i) life.steps.push_back(i + 1 < count ? step : last);
  };
  add(share(counts_.status_patches), Step::kWait, Step::kAdmit);
  add(share(counts_.events), Step::kEvent, Step::kEvent);
  add(share(counts_.status_updates), Step::kUpdate, Step::kFinish);
  add(share(counts_.queue_patches), Step::kQueue, Step::kQueue);
  return life;
}

void WriteBaseline::Begin(Life& life) {
  if (begun_ == input_.jobs.size()) return;
  life = LifeOf(begun_++);
  Do(life);
}

void WriteBaseline::Do(Life& life) {
  if (life.next == life.steps.size()) {
    ++ended_;
    return Begin(life);
  }
  store_.Do(CallFor(life), inbox_, [this, &life](store::Outcome<store::Reply> reply) {
    ++figures_.writes;
    const Step step = life.steps[life.next++];
    if (!reply) {
      Fault(store::ToString(reply.error()));
    } else if (step != Step::kEvent && step != Step::kQueue) {
      life.newest = std::move(reply->object);
    }
    Do(life);
  });
}

store::Call WriteBaseline::CallFor(const Life& life) const {
  switch (life.steps[life.next]) {
    case Step::kCreate:
      return CreateCall(life);
    case Step::kWait:
    case Step::kAdmit:
      return PatchCall(life);
    case Step::kUpdate:
    case Step::kFinish:
      return UpdateCall(life);
    case Step::kEvent:
      return EventCall(life);
    case Step::kQueue:
      break;
  }
  return QueueCall(life);
}

store::Call WriteBaseline::CreateCall(const Life& life) const {
  const api::Workload workload = WorkloadOf(input_, life.job);
  return store::Create{.resource = store::ResourceOf<api::Workload>(),
                       .namespace_ = workload.metadata.namespace_,
                       .object = schema::Encode(workload),
                       .options = {}};
}

store::Call WriteBaseline::PatchCall(const Life& life) const {
  api::Workload workload = life.newest.Decode<api::Workload>().value_or(api::Workload());
  const base::Time now = inbox_.Now();
  if (life.steps[life.next] == Step::kWait) {
    workload::MarkUnreserved(workload, api::reason::kWaitingForQuota,
                             "Its queue has not enough free quota: it waits for others to end (" +
                                 std::to_string(life.next) + ")",
                             now);
  } else {
    workload::MarkReserved(workload, SomeAdmission(workload), now);
    workload::SyncAdmitted(workload, now);
  }
  return store::Patch{.resource = store::ResourceOf<api::Workload>(),
                      .namespace_ = workload.metadata.namespace_,
                      .name = workload.metadata.name,
                      .subresource = std::string(store::kStatusSubresource),
                      .type = store::PatchType::kMerge,
                      .body = R"({"metadata":{"resourceVersion":")" + life.newest.resource_version +
                              R"("},"status":)" + schema::Encode(workload.status) + "}",
                      .is_forced = false,
                      .options = {.field_manager = std::string(kController)}};
}

store::Call WriteBaseline::UpdateCall(const Life& life) const {
  api::Workload workload = life.newest.Decode<api::Workload>().value_or(api::Workload());
  if (life.steps[life.next] == Step::kUpdate) {
    workload::MarkStopped(workload, inbox_.Now());
  } else {
    workload::MarkFinished(workload, "Succeeded", "Its time is over", inbox_.Now());
  }
  return store::Update{.resource = store::ResourceOf<api::Workload>(),
                       .namespace_ = workload.metadata.namespace_,
                       .name = workload.metadata.name,
                       .subresource = std::string(store::kStatusSubresource),
                       .object = schema::Encode(workload),
                       .options = {}};
}

store::Call WriteBaseline::EventCall(const Life& life) const {
  const api::ObjectMeta about = WorkloadOf(input_, life.job).metadata;
  api::EventsV1Event event;
  event.metadata.namespace_ = about.namespace_;
  event.metadata.name = about.name + "." + std::to_string(life.next);
  event.event_time = inbox_.Now();
  event.reporting_controller = "load-runner";
  event.reporting_instance = "load-runner";
  event.action = event.reason = api::reason::kQuotaReserved;
  event.regarding.kind = api::Workload::KindInfo().kind;
  event.regarding.namespace_ = about.namespace_;
  event.regarding.name = about.name;
  event.regarding.api_version = store::ResourceOf<api::Workload>().ApiVersion();
  event.note = "Quota reserved in a ClusterQueue";
  event.type = "Normal";
  return store::Create{.resource = store::ResourceOf<api::EventsV1Event>(),
                       .namespace_ = about.namespace_,
                       .object = schema::Encode(event),
                       .options = {}};
}

store::Call WriteBaseline::QueueCall(const Life& life) const {
  const api::Object& queue = *queues_[(life.job + life.next) % queues_.size()];
  return store::Patch{.resource = store::ResourceOf(queue.kind()),
                      .namespace_ = queue.metadata()->namespace_,
                      .name = queue.metadata()->name,
                      .subresource = std::string(store::kStatusSubresource),
                      .type = store::PatchType::kMerge,
                      .body = R"({"status":{"pendingWorkloads":)" + std::to_string(life.job) + "}}",
                      .is_forced = false,
                      .options = {}};
}

void WriteBaseline::Fault(std::string text) {
  if (figures_.faults.size() < kMaxFaultsKept) figures_.faults.push_back(std::move(text));
}

}  // namespace berth::load
