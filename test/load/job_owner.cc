#include "load/job_owner.h"

#include <algorithm>
#include <set>

#include "api/core/event.h"
#include "api/core/namespace.h"
#include "api/core/node.h"
#include "api/kueue/cluster_queue.h"
#include "api/kueue/well_known.h"
#include "api/meta/conditions.h"
#include "load/workload_of.h"
#include "schema/encode.h"
#include "store/wait_for.h"
#include "workload/status_changes.h"

namespace berth::load {
namespace {

constexpr base::Duration kAnswerLimit = base::Duration::Seconds(120);
constexpr size_t kMaxFaults = 20;
// Delay before a retry.
constexpr base::Duration kPause = base::Duration::Milliseconds(100);

}  // namespace

JobOwner::JobOwner(store::Store& store, const simulate::Input& input)
    : store_(store), input_(input), audit_(input.objects), node_audit_(input.objects) {}

JobOwner::~JobOwner() {
  workloads_.reset();
  inbox_.RunUntil([&] { return outstanding_calls_ == 0; }, kAnswerLimit);
}

void JobOwner::Do(store::Call call, std::function<void(const store::Outcome<store::Reply>&)> then) {
  ++outstanding_calls_;
  store_.Do(std::move(call), inbox_,
            [this, then = std::move(then)](const store::Outcome<store::Reply>& reply) {
              --outstanding_calls_;
              then(reply);
            });
}

std::string JobOwner::CreateObject(const store::Resource& resource, const std::string& space,
                                   std::string json) {
  const auto reply = store::WaitFor(
      store_,
      store::Create{
          .resource = resource, .namespace_ = space, .object = std::move(json), .options = {}},
      kAnswerLimit);
  return reply || reply.error().IsAlreadyExists()
             ? ""
             : resource.kind + ": " + store::ToString(reply.error());
}

std::string JobOwner::RestoreTaints(const api::Node& node) {
  std::string taints;
  for (const api::Taint& taint : node.spec.taints)
    taints += (taints.empty() ? "" : ",") + schema::Encode(taint);
  const auto reply = store::WaitFor(store_,
                                    store::Patch{.resource = store::ResourceOf<api::Node>(),
                                                 .namespace_ = "",
                                                 .name = node.metadata.name,
                                                 .body = R"({"spec":{"taints":[)" + taints + "]}}"},
                                    kAnswerLimit);
  return reply ? "" : "Node " + node.metadata.name + ": " + store::ToString(reply.error());
}

std::string JobOwner::CreateObjects() {
  std::set<std::string> namespaces;
  for (const simulate::JobKind& kind : input_.kinds)
    namespaces.insert(kind.workload.metadata.namespace_);
  for (const std::string& name : namespaces) {
    api::Namespace object;
    object.metadata.name = name;
    std::string refusal =
        CreateObject(store::ResourceOf<api::Namespace>(), "", schema::Encode(object));
    if (!refusal.empty()) return refusal;
  }
  for (const api::Object& object : input_.objects) {
    const store::Resource resource = store::ResourceOf(object.kind());
    if (resource.kind == "Namespace") continue;
    std::string refusal = CreateObject(resource, object.metadata()->namespace_, object.Encode());
    const auto* node = object.As<api::Node>();
    if (refusal.empty() && node != nullptr) refusal = RestoreTaints(*node);
    if (!refusal.empty()) return refusal;
  }
  return "";
}

bool JobOwner::AwaitActiveQueues(base::Duration limit) {
  std::map<std::string, bool> are_active;
  const auto note = [&](const store::Change& change) {
    if (change.after == nullptr) return;
    const auto queue = change.after->Decode<api::ClusterQueue>();
    if (queue)
      are_active[change.after->name] =
          api::IsConditionTrue(queue->status.conditions, api::condition::kActive);
  };
  bool is_synced = false;
  const store::Informer queues(
      store_, inbox_, store::ResourceOf<api::ClusterQueue>(), {},
      {.on_change = note, .on_synced = [&] { is_synced = true; }, .on_failure = {}});
  return inbox_.RunUntil(
      [&] {
        return is_synced &&
               std::ranges::all_of(are_active, [](const auto& entry) { return entry.second; });
      },
      limit);
}

JobOwner::Figures JobOwner::Run(base::Duration limit) {
  bool is_synced = false;
  const auto count_failure = [this](const store::Failure&) {
    ++figures_.failures;
    is_catching_up_ = true;
  };
  workloads_ = std::make_unique<store::Informer>(
      store_, inbox_, store::ResourceOf<api::Workload>(), store::Selection{},
      store::Informer::Handlers{
          .on_change = [this](const store::Change& change) { OnWorkload(change); },
          .on_synced = [&] { is_synced = true; },
          .on_failure = count_failure});
  const store::Informer events(store_, inbox_, store::ResourceOf<api::Event>(), {},
                               {.on_change =
                                    [this](const store::Change& change) {
                                      if (change.after != nullptr) ++figures_.event_writes;
                                    },
                                .on_synced = [] {},
                                .on_failure = count_failure});
  inbox_.RunUntil([&] { return is_synced; }, kAnswerLimit);
  begin_ = inbox_.Now();
  CreateNext();
  inbox_.RunUntil([&] { return figures_.finished == input_.jobs.size(); }, limit);
  figures_.wall_seconds = (inbox_.Now() - begin_).seconds();
  figures_.writes_of_others = versions_seen_ - own_writes_;
  workloads_.reset();
  return std::move(figures_);
}

void JobOwner::CreateNext() {
  const base::Time now = inbox_.Now();
  while (next_ < input_.jobs.size()) {
    const base::Time due = begin_ + (input_.jobs[next_].arrival - input_.start);
    if (due > now) return inbox_.PostAfter(due - now, [this] { CreateNext(); });
    Create(static_cast<uint32_t>(next_++));
  }
}

void JobOwner::Create(uint32_t number) {
  const simulate::Job& given = input_.jobs[number];
  const api::Workload workload = WorkloadOf(input_, number);
  jobs_.try_emplace(simulate::NameOf(input_, number),
                    Job{.given = &given, .created = inbox_.Now()});
  Do(store::Create{.resource = store::ResourceOf<api::Workload>(),
                   .namespace_ = workload.metadata.namespace_,
                   .object = schema::Encode(workload),
                   .options = {}},
     [this, number](const store::Outcome<store::Reply>& reply) {
       if (reply || reply.error().IsAlreadyExists()) {
         ++own_writes_;
       } else if (reply.error().IsTransient()) {
         ++figures_.failures;
         inbox_.PostAfter(kPause, [this, number] { Create(number); });
       } else {
         Fault("a Workload was not created: " + store::ToString(reply.error()));
       }
     });
}

void JobOwner::OnWorkload(const store::Change& change) {
  const store::Object& object = change.after != nullptr ? *change.after : *change.before;
  const std::string name = object.key().ToString();
  const auto found = jobs_.find(name);
  if (found == jobs_.end()) return;
  if (change.after == nullptr) {
    audit_.Observe(name, nullptr);
    node_audit_.Observe(name, nullptr);
    return Fault(name + " is gone");
  }
  ++versions_seen_;
  const auto workload = object.Decode<api::Workload>();
  if (!workload) return Fault(name + " cannot be read");
  audit_.Observe(name, &*workload);
  node_audit_.Observe(name, &*workload);
  if (is_catching_up_) {
    inbox_.Post([this] { Audit(); });
  } else {
    Audit();
  }
  Record(*workload, found->second);
  // After all changes of this event have arrived.
  inbox_.Post([this, name] { Act(name); });
}

void JobOwner::Audit() {
  is_catching_up_ = false;
  for (std::string exceeded : {audit_.Exceeded(), node_audit_.Exceeded()})
    if (!exceeded.empty()) Fault(std::move(exceeded));
}

void JobOwner::Record(const api::Workload& workload, Job& job) {
  if (workload::IsFinished(workload)) {
    figures_.finished += job.is_finished ? 0 : 1;
    job.is_finished = true;
  } else if (workload::IsEvicted(workload)) {
    figures_.evictions += job.ends_at ? 1 : 0;
    job.ends_at.reset();
  } else if (workload::IsAdmitted(workload) && !job.ends_at) {
    const base::Time now = inbox_.Now();
    job.ends_at = now + job.given->run_time;
    figures_.admissions.push_back(now);
    if (!job.was_admitted)
      figures_.wait_seconds[input_.kinds[job.given->kind].label].push_back(
          (now - job.created).seconds());
    job.was_admitted = true;
    ActAfter(job.given->run_time, workload.metadata.namespace_ + "/" + workload.metadata.name);
  }
}

void JobOwner::ActAfter(base::Duration delay, const std::string& name) {
  inbox_.PostAfter(delay, [this, name] { Act(name); });
}

void JobOwner::Act(const std::string& name) {
  Job& job = jobs_.at(name);
  if (job.is_finished || workloads_ == nullptr) return;
  const size_t slash = name.find('/');
  const store::Object* object =
      workloads_->Find({.namespace_ = name.substr(0, slash), .name = name.substr(slash + 1)});
  if (object == nullptr || object->resource_version == job.acted_on) return;
  auto workload = object->Decode<api::Workload>();
  if (!workload) return;
  const base::Time now = inbox_.Now();
  if (workload::IsEvicted(*workload) && workload::HasReservation(*workload)) {
    workload::MarkStopped(*workload, now);
  } else if (job.ends_at && *job.ends_at <= now) {
    workload::MarkFinished(*workload, "Succeeded", "Its time is over", now);
  } else {
    return;
  }
  Write(*object, *workload, job);
}

void JobOwner::Write(const store::Object& object, const api::Workload& workload, Job& job) {
  job.acted_on = object.resource_version;
  Do(store::Update{.resource = store::ResourceOf<api::Workload>(),
                   .namespace_ = object.namespace_,
                   .name = object.name,
                   .subresource = std::string(store::kStatusSubresource),
                   .object = schema::Encode(workload),
                   .options = {}},
     [this, name = object.key().ToString()](const store::Outcome<store::Reply>& reply) {
       OnWritten(name, reply);
     });
}

void JobOwner::OnWritten(const std::string& name, const store::Outcome<store::Reply>& reply) {
  if (reply) {
    ++own_writes_;
  } else if (reply.error().IsConflict()) {
    // The newer state is known or will arrive.
    ++figures_.conflicts;
    Act(name);
  } else if (reply.error().IsTransient()) {
    ++figures_.failures;
    jobs_.at(name).acted_on.clear();
    ActAfter(kPause, name);
  } else {
    Fault(name + " was not written: " + store::ToString(reply.error()));
  }
}

void JobOwner::Fault(std::string text) {
  if (figures_.faults.size() < kMaxFaults) figures_.faults.push_back(std::move(text));
}

}  // namespace berth::load
