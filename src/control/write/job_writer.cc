#include "control/write/job_writer.h"

#include <utility>

#include "jobs/start_stop.h"
#include "json/path.h"
#include "schema/encode.h"
#include "workload/convert/convert_workload.h"

namespace berth::control {
namespace {

ObjectKey WriterKey(const JobKey& key) {
  return ObjectKey::Of(ResourceOf(*key.integration), key.namespace_, key.name);
}

// The part of a merge patch that the endpoint of the status takes, or the other one.
json::object PartOf(json::value patch, bool is_status) {
  json::object& all = patch.as_object();
  if (!is_status) {
    all.erase("status");
    return std::move(all);
  }
  json::object status;
  if (json::value* found = all.if_contains("status")) status["status"] = *found;
  return status;
}

}  // namespace

// A plan that is being run.
struct JobWriter::Work {
  JobKey key;
  JobPlan plan;
  std::string uid;      // of the job, which may be gone when its Events are recorded
  std::string version;  // of the job, which the next write builds on
};

JobWriter::JobWriter(store::Store& store, store::Executor& executor, JobCache& jobs,
                     WorkloadWriter& workloads, EventRecorder& events, Hooks hooks)
    : jobs_(jobs),
      workloads_(workloads),
      hooks_(std::move(hooks)),
      writer_(store, executor, events,
              {.find_version = [this](const ObjectKey& key) -> std::optional<std::string> {
                 const auto found = jobs_.FindKey(key);
                 const JobCache::Job* job = found ? jobs_.Find(*found) : nullptr;
                 if (job == nullptr) return std::nullopt;
                 return job->text.resource_version;
               },
               .upsert =
                   [this](const ObjectKey& key, const store::Object& object) {
                     jobs_.OnWatchEvent(*jobs_.FindKey(key), &object);
                   }},
              [this](const ObjectKey& key, const store::Failure& failure) {
                if (const auto job = jobs_.FindKey(key)) hooks_.on_failure(*job, failure);
              }) {}

JobWriter::~JobWriter() = default;

bool JobWriter::IsBusy(const JobKey& key) const { return writer_.IsBusy(WriterKey(key)); }

void JobWriter::OnWatchEvent(const JobKey& key) { writer_.OnWatchEvent(WriterKey(key)); }

void JobWriter::Run(const JobKey& key, JobPlan plan) {
  const store::Object& job = jobs_.Find(key)->text;
  auto work = std::make_shared<Work>(
      Work{.key = key, .plan = std::move(plan), .uid = job.uid, .version = job.resource_version});
  ObjectWriter::Sequence sequence;
  for (const JobAction& action : work->plan.actions)
    std::visit([&](const auto& a) { Add(work, a, sequence.writes); }, action);
  sequence.events = [work] { return EventsOf(*work); };
  sequence.on_done = [this, work](const ObjectWriter::Result& result) {
    if (result.is_written && !work->plan.actions.empty()) hooks_.replan(work->key);
  };
  sequence.replan = [this, key] { hooks_.replan(key); };
  writer_.Submit(WriterKey(key), std::move(sequence));
}

void JobWriter::Add(const std::shared_ptr<Work>& work, const CreateWorkload& action,
                    std::vector<Write>& writes) {
  writes.push_back({.build = [workload = &action.workload]() -> ObjectWriter::Request {
                      return CreateCallFor(*workload);
                    },
                    .on_answer =
                        [this, work](const store::Outcome<store::Reply>& outcome) {
                          if (outcome) OnCreated(work->key, outcome->object);
                        }});
}

void JobWriter::Add(const std::shared_ptr<Work>&, const ChangeWorkload& action,
                    std::vector<Write>& writes) {
  writes.push_back(
      workloads_.HandoffOf(workload::NamespacedName(action.workload.metadata), PlanFor(action)));
}

void JobWriter::Add(const std::shared_ptr<Work>& work, const DeleteWorkload& action,
                    std::vector<Write>& writes) {
  writes.push_back(workloads_.HandoffOf(workload::NamespacedName(work->key.namespace_, action.name),
                                        {.write = lifecycle::WorkloadPlan::Write::kDelete}));
}

void JobWriter::Add(const std::shared_ptr<Work>& work, const WriteJob& action,
                    std::vector<Write>& writes) {
  for (const jobs::JobWrite& write : action.writes)
    writes.push_back({.build = [this, work, state = &write] { return PatchTo(*work, *state); },
                      .on_answer =
                          [work](const store::Outcome<store::Reply>& outcome) {
                            if (outcome) work->version = outcome->object.resource_version;
                          }});
}

void JobWriter::Add(const std::shared_ptr<Work>& work, const DeleteJob&,
                    std::vector<Write>& writes) {
  writes.push_back({.build = [this, work] { return Deletion(work->key); }});
}

// A patch that is valid only for the version that the plan builds on.
ObjectWriter::Request JobWriter::PatchTo(const Work& work, const jobs::JobWrite& write) const {
  const JobCache::Job* job = jobs_.Find(work.key);
  if (job == nullptr || job->text.resource_version != work.version) return ObjectWriter::Outdated{};
  json::object patch = PartOf(jobs::MergePatchBetween(job->tree, write.object), write.is_status);
  if (patch.empty()) return ObjectWriter::NothingToWrite{};
  json::value& metadata = patch["metadata"];
  if (!metadata.is_object()) metadata.emplace_object();
  metadata.get_object()["resourceVersion"] = work.version;
  return store::Patch{.resource = ResourceOf(*work.key.integration),
                      .namespace_ = work.key.namespace_,
                      .name = work.key.name,
                      .subresource = write.is_status ? std::string(store::kStatusSubresource) : "",
                      .type = store::PatchType::kMerge,
                      .body = json::Print(patch),
                      .is_forced = false,
                      .options = {}};
}

ObjectWriter::Request JobWriter::Deletion(const JobKey& key) const {
  const JobCache::Job* job = jobs_.Find(key);
  if (job == nullptr) return ObjectWriter::Outdated{};
  return store::Delete{
      .resource = ResourceOf(*key.integration),
      .namespace_ = key.namespace_,
      .name = key.name,
      .options = {.uid = job->text.uid, .propagation = store::Propagation::kBackground}};
}

// Until the watch delivers the new Workload, the job would be planned without it again.
void JobWriter::OnCreated(const JobKey& key, const store::Object& object) {
  auto workload = object.Decode<api::Workload>();
  if (!workload) return;
  if (const JobCache::Job* job = jobs_.Find(key))
    hooks_.on_workload_created(MadeFor(job->tree, key.integration->kind, *workload));
  workloads_.OnWatchEvent(workload::NamespacedName(workload->metadata), *workload);
}

std::vector<ObjectWriter::ObjectEvent> JobWriter::EventsOf(const Work& work) {
  std::vector<ObjectWriter::ObjectEvent> events;
  for (const lifecycle::EventRecord& event : work.plan.events)
    events.push_back({.regarding = {.kind = work.key.integration->kind,
                                    .namespace_ = work.key.namespace_,
                                    .name = work.key.name,
                                    .uid = work.uid,
                                    .api_version = work.key.integration->api_version},
                      .controller = work.key.integration->framework + "-kueue-controller",
                      .event = event});
  return events;
}

}  // namespace berth::control
