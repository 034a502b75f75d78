#include "load/write_baseline.h"

#include <utility>

#include "api/events_v1_event.h"
#include "api/well_known.h"
#include "schema/encode.h"
#include "workload/status_changes.h"

namespace berth::load {
namespace {

constexpr base::Duration kPatience = base::Duration::Seconds(1800);
constexpr size_t kMostAtATime = 64;  // as many as the client has connections
constexpr size_t kMostFaultsKept = 20;

std::string StatusPatch(const api::Workload& workload) {
  return R"({"status":)" + schema::Encode(workload.status) + "}";
}

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
  }
  return admission;
}

}  // namespace

WriteBaseline::WriteBaseline(store::Store& store, const simulate::Input& input)
    : store_(store), input_(input) {
  const base::Time now = inbox_.Now();
  for (const simulate::JobKind& kind : input_.kinds) {
    Life& life = lives_.emplace_back();
    api::Workload workload = kind.workload;
    workload::MarkUnreserved(workload, api::reason::kWaitingForQuota,
                             "Its queue has not enough free quota: it waits for others to end",
                             now);
    life.waits = StatusPatch(workload);
    workload::MarkReserved(workload, SomeAdmission(workload), now);
    workload::SyncAdmitted(workload, now);
    life.is_admitted = StatusPatch(workload);
    workload::MarkFinished(workload, "Succeeded", "Its time is over", now);
    life.has_finished = StatusPatch(workload);
  }
}

WriteBaseline::Figures WriteBaseline::WriteWorkloads() {
  return Play(4, [this](uint32_t job, size_t step) { return WorkloadCall(job, step); });
}

WriteBaseline::Figures WriteBaseline::WriteEvents(size_t each) {
  return Play(each, [this](uint32_t job, size_t step) { return EventCall(job, step); });
}

WriteBaseline::Figures WriteBaseline::Play(size_t steps, const MakeCall& make_call) {
  make_call_ = make_call;
  steps_ = steps;
  next_ = ended_ = 0;
  figures_ = {};
  const base::Time begin = inbox_.Now();
  for (size_t i = 0; i < kMostAtATime; ++i) Begin();
  inbox_.RunUntil([&] { return ended_ == input_.jobs.size(); }, kPatience);
  figures_.seconds = (inbox_.Now() - begin).seconds();
  if (ended_ < input_.jobs.size()) figures_.faults.emplace_back("not all was written in time");
  return std::move(figures_);
}

void WriteBaseline::Begin() {
  if (next_ < input_.jobs.size()) Do(static_cast<uint32_t>(next_++), 0);
}

void WriteBaseline::Do(uint32_t job, size_t step) {
  if (step == steps_) {
    ++ended_;
    return Begin();
  }
  store_.Do(make_call_(job, step), inbox_,
            [this, job, step](const store::Outcome<store::Reply>& reply) {
              ++figures_.writes;
              if (!reply && figures_.faults.size() < kMostFaultsKept)
                figures_.faults.push_back(store::ToString(reply.error()));
              Do(job, step + 1);
            });
}

store::Call WriteBaseline::WorkloadCall(uint32_t job, size_t step) const {
  const uint32_t kind = input_.jobs[job].kind;
  const std::string full_name = simulate::NameOf(input_, job);
  const size_t slash = full_name.find('/');
  const store::Resource resource = store::ResourceOf<api::Workload>();
  if (step == 0) {
    api::Workload workload = input_.kinds[kind].workload;
    workload.metadata.name = full_name.substr(slash + 1);
    return store::Create{.resource = resource,
                         .namespace_ = full_name.substr(0, slash),
                         .object = schema::Encode(workload),
                         .options = {}};
  }
  const Life& life = lives_[kind];
  return store::Patch{.resource = resource,
                      .namespace_ = full_name.substr(0, slash),
                      .name = full_name.substr(slash + 1),
                      .subresource = std::string(store::kStatusSubresource),
                      .type = store::PatchType::kMerge,
                      .body = step == 1   ? life.waits
                              : step == 2 ? life.is_admitted
                                          : life.has_finished,
                      .is_forced = false,
                      .options = {}};
}

store::Call WriteBaseline::EventCall(uint32_t job, size_t step) const {
  const std::string full_name = simulate::NameOf(input_, job);
  const size_t slash = full_name.find('/');
  api::EventsV1Event event;
  event.metadata.namespace_ = full_name.substr(0, slash);
  event.metadata.name = full_name.substr(slash + 1) + "." + std::to_string(step);
  event.event_time = inbox_.Now();
  event.reporting_controller = "load-runner";
  event.reporting_instance = "load-runner";
  event.action = event.reason = api::reason::kQuotaReserved;
  event.regarding.kind = api::Workload::KindInfo().kind;
  event.regarding.namespace_ = event.metadata.namespace_;
  event.regarding.name = full_name.substr(slash + 1);
  event.regarding.api_version = store::ResourceOf<api::Workload>().ApiVersion();
  event.note = "Quota reserved in a ClusterQueue";
  event.type = "Normal";
  return store::Create{.resource = store::ResourceOf<api::EventsV1Event>(),
                       .namespace_ = event.metadata.namespace_,
                       .object = schema::Encode(event),
                       .options = {}};
}

}  // namespace berth::load
