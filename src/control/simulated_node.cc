#include "control/simulated_node.h"

#include <algorithm>
#include <utility>

#include "control/job_desk.h"
#include "control/pace.h"
#include "jobs/job_state.h"
#include "jobs/path.h"
#include "jobs/start_stop.h"
#include "store/json_pool.h"
#include "store/same_json.h"

namespace berth::control {
namespace {

namespace json = store::json;

constexpr std::string_view kBatchJob = "batch/job";

// One look at a job.
class Simulation {
 public:
  Simulation(const jobs::Integration& integration, const json::value& job,
             const SimulationSettings& settings, base::Time now)
      : integration_(integration), job_(job), settings_(settings), now_(now) {
    const json::value* status = store::FindJson(job, {"status"});
    if (status != nullptr && status->is_object()) status_ = status->get_object();
    before_ = status_;
  }

  SimulatedStep Run() {
    if (!jobs::Finished(integration_, job_)) {
      if (jobs::IsSuspended(integration_, job_) || IsStopping())
        Halt();
      else
        Advance();
    }
    if (!store::SameJson(status_, before_)) step_.status = status_;
    return std::move(step_);
  }

 private:
  bool IsBatchJob() const { return integration_.framework == kBatchJob; }
  // Suspended already, though not yet as it was.
  bool IsStopping() const { return jobs::TextAt(job_, integration_.suspend) == "true"; }

  bool Fails() const { return FailsInTheEnd(job_, settings_); }

  void SetCount(std::string_view key, int64_t count) {
    if (count == 0)
      status_.erase(store::BoostView(key));
    else
      status_[store::BoostView(key)] = count;
  }

  void Halt() {
    if (!IsBatchJob()) return;
    SetCount("active", 0);
    if (status_.contains("ready")) status_["ready"] = 0;
  }

  int64_t Pods() const {
    const auto parallelism = jobs::IntAt(job_, "spec.parallelism");
    const auto completions = jobs::IntAt(job_, "spec.completions");
    return std::min(parallelism.value_or(1), completions.value_or(parallelism.value_or(1)));
  }

  std::optional<base::Time> StartedAt() const {
    return base::ParseTime(jobs::TextAt(job_, "status.startTime"));
  }

  void Advance() {
    const auto started = StartedAt();
    if (!started) {
      status_["startTime"] = base::FormatTime(now_);
      if (IsBatchJob()) {
        SetCount("active", Pods());
        status_["ready"] = 0;
      }
      step_.look_again = now_ + settings_.start_time;
      return;
    }
    const base::Time end = *started + SimulatedRunTime(job_, settings_);
    if (now_ >= end) return End();
    if (IsBatchJob()) {
      SetCount("active", Pods());
      status_["ready"] = Pods();
    }
    step_.look_again = end;
  }

  json::object Condition(std::string_view type, std::string_view reason,
                         std::string_view message) const {
    const std::string now = base::FormatTime(now_);
    return {{"type", store::BoostView(type)},
            {"status", "True"},
            {"reason", store::BoostView(reason)},
            {"message", store::BoostView(message)},
            {"lastProbeTime", now},
            {"lastTransitionTime", now}};
  }

  void AddCondition(json::object condition) {
    json::value& conditions = status_["conditions"];
    if (!conditions.is_array()) conditions.emplace_array();
    conditions.get_array().push_back(std::move(condition));
  }

  void End() {
    if (IsBatchJob()) return Fails() ? EndBatchJobBadly() : EndBatchJobWell();
    // The condition that the description of the kind takes for the end.
    for (const jobs::EndRule& rule : integration_.finished) {
      if (rule.is_success == Fails()) continue;
      for (const jobs::Test& test : rule.when)
        if (!test.condition.empty())
          return AddCondition(Condition(test.condition, "Simulated", "The simulated run is over"));
    }
  }

  void EndBatchJobWell() {
    SetCount("active", 0);
    status_["ready"] = 0;
    status_["succeeded"] = jobs::IntAt(job_, "spec.completions").value_or(1);
    status_["completionTime"] = base::FormatTime(now_);
    AddCondition(Condition("SuccessCriteriaMet", "CompletionsReached",
                           "Reached expected number of succeeded pods"));
    AddCondition(
        Condition("Complete", "CompletionsReached", "Reached expected number of succeeded pods"));
  }

  void EndBatchJobBadly() {
    SetCount("active", 0);
    status_["ready"] = 0;
    status_["failed"] = 1;
    AddCondition(Condition("FailureTarget", "BackoffLimitExceeded", "The simulated run failed"));
    AddCondition(Condition("Failed", "BackoffLimitExceeded", "The simulated run failed"));
  }

  const jobs::Integration& integration_;
  const json::value& job_;
  const SimulationSettings& settings_;
  const base::Time now_;
  json::object before_;
  json::object status_;
  SimulatedStep step_;
};

}  // namespace

SimulatedStep SimulateJob(const jobs::Integration& integration, const json::value& job,
                          const SimulationSettings& settings, base::Time now) {
  return Simulation(integration, job, settings, now).Run();
}

SimulatedNode::SimulatedNode(store::Store& store, store::Executor& executor,
                             const jobs::IntegrationSet& integrations, SimulationSettings settings)
    : store_(store),
      executor_(executor),
      settings_(settings),
      pods_(store, executor, settings),
      self_(std::make_shared<SimulatedNode*>(this)) {
  for (const jobs::Integration& integration : integrations.all()) {
    if (integration.waits_through_pods()) continue;
    Watched& watched = *watched_.emplace_back(std::make_unique<Watched>());
    watched.integration = &integration;
    watched.informer = std::make_unique<store::Informer>(
        store, executor, ResourceOf(integration), store::Selection(),
        store::Informer::Handlers{.on_change =
                                      [this, &watched](const store::Change& change) {
                                        if (change.after != nullptr)
                                          Look(watched, change.after->key());
                                      },
                                  .on_synced = [] {},
                                  .on_failure = [](const store::Failure&) {}},
        store::Reflector::Options{.longest_pause = base::Duration::Seconds(5)});
  }
}

SimulatedNode::~SimulatedNode() = default;

void SimulatedNode::Look(Watched& watched, const store::ObjectName& name) {
  if (watched.informer == nullptr || watched.busy.contains(name)) return;
  const store::Object* object = watched.informer->Find(name);
  if (object == nullptr) return;
  store::JsonPool pool;
  const auto job = store::ParseJsonIn(&pool, object->text());
  if (!job) return;
  const base::Time now = executor_.Now();
  const SimulatedStep step = SimulateJob(*watched.integration, *job, settings_, now);
  const auto look = [weak = std::weak_ptr(self_), &watched, name] {
    if (const auto self = weak.lock()) (*self)->Look(watched, name);
  };
  if (step.look_again) executor_.PostAfter(*step.look_again - now, look);
  if (!step.status) return;
  json::object after = job->get_object();
  after["status"] = *step.status;
  json::object patch = jobs::MergePatchBetween(*job, after).as_object();
  patch["metadata"] = json::object{{"resourceVersion", object->resource_version}};
  watched.busy.insert(name);
  store_.Do(store::Patch{.resource = ResourceOf(*watched.integration),
                         .namespace_ = name.namespace_,
                         .name = name.name,
                         .subresource = std::string(store::kStatusSubresource),
                         .type = store::PatchType::kMerge,
                         .body = store::PrintJson(patch),
                         .is_forced = false,
                         .options = {}},
            executor_,
            [weak = std::weak_ptr(self_), &watched, name,
             version = object->resource_version](const store::Outcome<store::Reply>& reply) {
              if (const auto self = weak.lock()) (*self)->OnAnswer(watched, name, version, reply);
            });
}

// A later state may have been told while it was busy; if not, the watch will tell of it. To try
// again with a state that is known to be old would only keep the watch from telling.
void SimulatedNode::OnAnswer(Watched& watched, const store::ObjectName& name,
                             const std::string& version,
                             const store::Outcome<store::Reply>& reply) {
  watched.busy.erase(name);
  const store::Object* object = watched.informer->Find(name);
  if (object != nullptr && object->resource_version != version) return Look(watched, name);
  if (reply || reply.error().IsConflict() || reply.error().IsNotFound()) return;
  executor_.PostAfter(kPauseAfterRefusal, [weak = std::weak_ptr(self_), &watched, name] {
    if (const auto self = weak.lock()) (*self)->Look(watched, name);
  });
}

}  // namespace berth::control
