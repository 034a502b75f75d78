#include "control/job_desk.h"

#include <utility>

#include "control/pace.h"
#include "schema/encode.h"
#include "workload/convert_workload.h"

namespace berth::control {

namespace json = store::json;

// A plan that is being done.
struct JobDesk::Work {
  JobKey key;
  JobPlan plan;
  std::string uid;  // of the job, which may be gone when there is something to tell
  size_t action = 0;
  size_t write = 0;     // within an action
  std::string version;  // of the job, as it was known when the last request was sent
  std::string base;     // of the job, on which the next write builds
};

store::Resource ResourceOf(const jobs::Integration& integration) {
  const std::string_view api_version = integration.api_version;
  const size_t slash = api_version.find('/');
  return {.group = std::string(integration.group()),
          .version =
              std::string(slash == api_version.npos ? api_version : api_version.substr(slash + 1)),
          .plural = integration.plural,
          .kind = integration.kind,
          .is_namespaced = true};
}

JobDesk::JobDesk(store::Store& store, store::Executor& executor, WorkloadDesk& workloads,
                 EventRecorder& events, Hooks hooks)
    : store_(store),
      executor_(executor),
      workloads_(workloads),
      events_(events),
      hooks_(std::move(hooks)),
      self_(std::make_shared<JobDesk*>(this)) {}

JobDesk::~JobDesk() = default;

void JobDesk::Learn(const JobKey& key, const store::Object& object) {
  auto tree = store::ParseJson(object.text());
  if (!tree) return;
  // Plans read the metadata often, and who owns which field is much of it.
  if (json::value* metadata = store::FindJson(*tree, {"metadata"});
      metadata != nullptr && metadata->is_object())
    metadata->get_object().stable_erase("managedFields");
  Job& job = jobs_[key];
  if (job.text.uid != object.uid) by_uid_.erase(job.text.uid);
  by_uid_.insert_or_assign(object.uid, key);
  job.text = object;
  job.tree = std::move(*tree);
}

void JobDesk::OnSeen(const JobKey& key, const store::Object* object) {
  const auto known = jobs_.find(key);
  if (object == nullptr) {
    if (known == jobs_.end()) return;
    by_uid_.erase(known->second.text.uid);
    if (known->second.is_busy) --busy_;
    jobs_.erase(known);
  } else {
    if (known != jobs_.end() && known->second.text.uid == object->uid &&
        !IsOlderVersion(known->second.text.resource_version, object->resource_version))
      return;
    Learn(key, *object);
  }
  hooks_.on_known(key);
}

const JobDesk::Job* JobDesk::Find(const JobKey& key) const {
  const auto found = jobs_.find(key);
  return found == jobs_.end() ? nullptr : &found->second;
}

const JobKey* JobDesk::FindByUid(std::string_view uid) const {
  const auto found = by_uid_.find(uid);
  return found == by_uid_.end() ? nullptr : &found->second;
}

void JobDesk::ForEach(const std::function<void(const JobKey&, const Job&)>& visit) const {
  for (const auto& [key, job] : jobs_) visit(key, job);
}

void JobDesk::Perform(const JobKey& key, JobPlan plan) {
  auto work = std::make_shared<Work>(Work{.key = key, .plan = std::move(plan)});
  if (const auto job = jobs_.find(key); job != jobs_.end()) {
    job->second.is_busy = true;
    work->uid = job->second.text.uid;
    work->base = job->second.text.resource_version;
    ++busy_;
  }
  Next(std::move(work));
}

void JobDesk::Next(std::shared_ptr<Work> work) {
  if (work->action == work->plan.actions.size()) {
    Tell(*work);
    return Done(*work);
  }
  std::visit([&](const auto& action) { Act(work, action); }, work->plan.actions[work->action]);
}

void JobDesk::Release(const Work& work) {
  if (const auto job = jobs_.find(work.key); job != jobs_.end() && job->second.is_busy) {
    job->second.is_busy = false;
    --busy_;
  }
}

void JobDesk::Done(const Work& work) {
  Release(work);
  if (!work.plan.actions.empty()) hooks_.on_known(work.key);
}

// What is there is not what was known. Most often the watch is about to tell of it, and to try
// before that would only keep it from telling.
void JobDesk::TryLater(const Work& work) {
  Release(work);
  executor_.PostAfter(kPauseAfterRefusal, [weak = std::weak_ptr(self_), key = work.key] {
    if (const auto self = weak.lock()) (*self)->hooks_.on_known(key);
  });
}

// The watch may have told of it already, and of what others did to the job since.
void JobDesk::LearnWritten(const Work& work, const store::Object& object) {
  const Job* job = Find(work.key);
  if (job != nullptr && job->text.uid == object.uid &&
      IsOlderVersion(job->text.resource_version, object.resource_version))
    Learn(work.key, object);
}

// Until the watch tells of a new Workload, the job would be planned without it again and again.
void JobDesk::LearnCreated(const Work& work, const store::Object& object) {
  if (!std::holds_alternative<CreateWorkload>(work.plan.actions[work.action])) return;
  auto workload = object.Decode<api::Workload>();
  if (!workload) return;
  if (const Job* job = Find(work.key))
    hooks_.on_made(MadeFor(job->tree, work.key.integration->kind, *workload));
  const std::string name = workload::NamespacedName(workload->metadata);
  workloads_.OnSeen(name, std::move(*workload));
}

// Who is told of the Workload is the desk of Workloads.
void JobDesk::Act(const std::shared_ptr<Work>& work, const CreateWorkload& action) {
  Send(work,
       store::Create{.resource = store::ResourceOf<api::Workload>(),
                     .namespace_ = action.workload.metadata.namespace_,
                     .object = schema::Encode(action.workload),
                     .options = {}},
       false);
}

void JobDesk::Act(const std::shared_ptr<Work>& work, const ChangeWorkload& action) {
  workloads_.Write(workload::NamespacedName(action.workload.metadata), PlanFor(action));
  ++work->action;
  Next(work);
}

void JobDesk::Act(const std::shared_ptr<Work>& work, const DeleteWorkload& action) {
  workloads_.Write(
      workload::NamespacedName(work->key.namespace_, action.name),
      {.write = WorkloadPlan::Write::kDelete, .workload = {}, .notes = {}, .look_again = {}});
  ++work->action;
  Next(work);
}

// Each state as what it changes, good only for the state before.
void JobDesk::Act(const std::shared_ptr<Work>& work, const WriteJob& action) {
  const Job* job = Find(work->key);
  if (job == nullptr || job->text.resource_version != work->base) return Done(*work);
  if (work->write == action.writes.size()) {
    work->write = 0;
    ++work->action;
    return Next(work);
  }
  const jobs::JobWrite& write = action.writes[work->write];
  json::value patch = jobs::MergePatchBetween(job->tree, write.object);
  const auto keep_only = [&](std::string_view part) {
    json::object kept;
    if (json::value* found = store::FindJson(patch, {part})) kept[store::BoostView(part)] = *found;
    patch = std::move(kept);
  };
  if (write.is_status) {
    keep_only("status");
  } else {
    patch.as_object().erase("status");
  }
  if (patch.as_object().empty()) {
    ++work->write;
    return Next(work);
  }
  json::value& metadata = patch.as_object()["metadata"];
  if (!metadata.is_object()) metadata.emplace_object();
  metadata.get_object()["resourceVersion"] = job->text.resource_version;
  Send(work,
       store::Patch{.resource = ResourceOf(*work->key.integration),
                    .namespace_ = work->key.namespace_,
                    .name = work->key.name,
                    .subresource = write.is_status ? std::string(store::kStatusSubresource) : "",
                    .type = store::PatchType::kMerge,
                    .body = store::PrintJson(patch),
                    .is_forced = false,
                    .options = {}},
       true);
}

void JobDesk::Act(const std::shared_ptr<Work>& work, const DeleteJob&) {
  const Job* job = Find(work->key);
  if (job == nullptr) return Done(*work);
  Send(work,
       store::Delete{
           .resource = ResourceOf(*work->key.integration),
           .namespace_ = work->key.namespace_,
           .name = work->key.name,
           .options = {.uid = job->text.uid, .propagation = store::Propagation::kBackground}},
       false);
}

void JobDesk::OnRefused(const Work& work, const store::Failure& failure) {
  const bool is_overtaken =
      failure.IsConflict() || failure.IsNotFound() || failure.IsAlreadyExists();
  if (!is_overtaken) hooks_.on_failure(work.key, failure);
  const Job* job = Find(work.key);
  const bool is_news_known = job == nullptr || job->text.resource_version != work.version;
  if (!is_overtaken || (is_news_known && !failure.IsAlreadyExists())) return Done(work);
  TryLater(work);
}

void JobDesk::Send(const std::shared_ptr<Work>& work, store::Call call, bool is_of_job) {
  if (const Job* job = Find(work->key)) work->version = job->text.resource_version;
  store_.Do(std::move(call), executor_,
            [weak = std::weak_ptr(self_), work, is_of_job](store::Outcome<store::Reply> outcome) {
              const auto self = weak.lock();
              if (!self) return;
              JobDesk& desk = **self;
              if (!outcome) return desk.OnRefused(*work, outcome.error());
              if (is_of_job) {
                desk.LearnWritten(*work, outcome->object);
                work->base = outcome->object.resource_version;
                ++work->write;
              } else {
                desk.LearnCreated(*work, outcome->object);
                ++work->action;
              }
              desk.Next(work);
            });
}

void JobDesk::Tell(const Work& work) {
  const api::ObjectReference regarding{.kind = work.key.integration->kind,
                                       .namespace_ = work.key.namespace_,
                                       .name = work.key.name,
                                       .uid = work.uid,
                                       .api_version = work.key.integration->api_version,
                                       .resource_version = "",
                                       .field_path = "",
                                       .extra = {}};
  for (const Note& note : work.plan.notes)
    events_.Record(regarding, work.key.integration->framework + "-kueue-controller", note);
}

}  // namespace berth::control
