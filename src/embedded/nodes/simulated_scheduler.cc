#include "embedded/nodes/simulated_scheduler.h"

#include <utility>

#include "control/rate_limit.h"
#include "embedded/nodes/node_lifecycle.h"
#include "jobs/start_stop.h"
#include "json/json.h"
#include "schema/encode.h"
#include "workload/convert/convert_topology.h"

namespace berth::embedded {
namespace {

constexpr size_t kMostRegistrations = 64;  // in flight
constexpr size_t kRetriedPods = 20;        // in a batch
constexpr base::Duration kRetryPause = base::Duration::Milliseconds(50);

// Nullopt for no object, too.
template <class T>
std::optional<T> Decoded(const store::Object* object) {
  if (object == nullptr) return std::nullopt;
  auto decoded = object->Decode<T>();
  return decoded ? std::optional(*std::move(decoded)) : std::nullopt;
}

}  // namespace

SimulatedScheduler::SimulatedScheduler(store::Store& store, store::Executor& executor,
                                       const SimulationSettings& settings, ReconcilePod reconcile)
    : store_(store), executor_(executor), settings_(settings), reconcile_(std::move(reconcile)) {
  nodes_ = std::make_unique<store::Informer>(
      store_, executor_, store::ResourceOf<api::Node>(), store::Selection(),
      store::Informer::Handlers{
          .on_change = [this](const store::Change& change) { OnNode(change); },
          .on_synced =
              [this] {
                for (const auto& [node, pods] : pods_of_) ReconcilePodsOf(node);
                Retry();
              },
          .on_failure = [](const store::Failure&) {}},
      store::Reflector::Options{.longest_pause = base::Duration::Seconds(5)});
  for (size_t i = 0; i < kMostRegistrations; ++i) RegisterMore();
}

SimulatedScheduler::~SimulatedScheduler() = default;

// --- Nodes ---------------------------------------------------------------------------------------

void SimulatedScheduler::RegisterMore() {
  if (next_registration_ == settings_.nodes->size()) return;
  const api::Node& node = (*settings_.nodes)[next_registration_++];
  store_.Do(store::Create{.resource = store::ResourceOf<api::Node>(),
                          .namespace_ = "",
                          .object = schema::Encode(node),
                          .options = {}},
            executor_, self_.Wrap([this, &node](const store::Outcome<store::Reply>& reply) {
              if (!reply && !reply.error().IsAlreadyExists())
                settings_.log("Node " + node.metadata.name +
                              " is not registered: " + store::ToString(reply.error()));
              RegisterMore();
            }));
}

void SimulatedScheduler::OnNode(const store::Change& change) {
  const std::string name = change.after != nullptr ? change.after->name : change.before->name;
  if (const auto node = Decoded<api::Node>(change.after))
    room_.Set(*node);
  else
    room_.Remove(name);
  executor_.Post(self_.Wrap([this, name] { ReconcileNode(name); }));
  ReconcilePodsOf(name);
  Retry();
}

std::optional<api::Node> SimulatedScheduler::FindNode(const std::string& name) const {
  return Decoded<api::Node>(nodes_->Find({.namespace_ = "", .name = name}));
}

void SimulatedScheduler::ReconcileNode(const std::string& name) {
  if (busy_.contains(name)) return;
  const std::optional<api::Node> node = FindNode(name);
  if (!node || node->metadata.deletion_timestamp) return;
  const std::optional<api::Node> wanted = SimulateNode(*node, executor_.Now());
  if (wanted) Write(*nodes_->Find({.namespace_ = "", .name = name}), *node, *wanted);
}

// One write at a time: the next one follows from the state that it leaves.
void SimulatedScheduler::Write(const store::Object& node, const api::Node& now,
                               const api::Node& wanted) {
  const auto before = json::Parse(schema::Encode(now)), after = json::Parse(schema::Encode(wanted));
  json::object patch = jobs::MergePatchBetween(*before, *after).as_object();
  const bool is_status = patch.contains("status");
  json::object body{{"metadata", json::object{{"resourceVersion", node.resource_version}}}};
  if (is_status) {
    body["status"] = patch["status"];
  } else {
    if (patch.contains("spec")) body["spec"] = patch["spec"];
    if (patch.contains("metadata"))
      for (const auto& [key, value] : patch["metadata"].as_object())
        body["metadata"].as_object()[key] = value;
  }
  busy_.insert(node.name);
  store_.Do(store::Patch{.resource = store::ResourceOf<api::Node>(),
                         .namespace_ = "",
                         .name = node.name,
                         .subresource = std::string(is_status ? store::kStatusSubresource : ""),
                         .body = json::Print(body)},
            executor_,
            self_.Wrap([this, name = node.name](const store::Outcome<store::Reply>& reply) {
              busy_.erase(name);
              const base::Duration pause = reply ? base::Duration{} : control::kRejectionBackOff;
              executor_.PostAfter(pause, self_.Wrap([this, name] { ReconcileNode(name); }));
            }));
}

// --- Pods ----------------------------------------------------------------------------------------

void SimulatedScheduler::OnPod(const store::Change& change) {
  const store::ObjectName name =
      change.after != nullptr ? change.after->key() : change.before->key();
  if (const auto before = Decoded<api::Pod>(change.before)) {
    const auto pods = pods_of_.find(before->spec.node_name);
    if (pods != pods_of_.end() && pods->second.erase(name) > 0 && pods->second.empty())
      pods_of_.erase(pods);
  }
  const auto after = Decoded<api::Pod>(change.after);
  const bool is_bound = after && !after->spec.node_name.empty();
  if (is_bound) pods_of_[after->spec.node_name].insert(name);
  if (is_bound || !after) unscheduled_.erase(name);
  const bool has_freed =
      after ? room_.SetPod(name.ToString(), *after) : room_.RemovePod(name.ToString());
  if (has_freed) Retry();
}

SimulatedScheduler::PodVerdict SimulatedScheduler::VerdictOf(const api::Pod& pod) const {
  if (!workload::OccupiesNode(pod)) return {};
  if (!nodes_->is_synced()) return {.disposition = PodDisposition::kUnreachable};
  const std::optional<api::Node> node = FindNode(pod.spec.node_name);
  if (!node && pod.metadata.deletion_timestamp) return {};
  if (!node) return {.disposition = PodDisposition::kOrphaned};
  const PodDisposition otherwise =
      IsUnreachable(*node) ? PodDisposition::kUnreachable : PodDisposition::kKeep;
  if (pod.metadata.deletion_timestamp) return {.disposition = otherwise};
  const base::Time now = executor_.Now();
  const std::optional<base::Time> leaves = LeavesAt(pod, *node, settings_, now);
  if (leaves && *leaves <= now) return {.disposition = PodDisposition::kEvicted};
  return {.disposition = otherwise, .changes_at = leaves};
}

NodeChoice SimulatedScheduler::Choose(const store::ObjectName& name, const api::Pod& pod) {
  NodeChoice choice = room_.Choose(pod.spec);
  if (choice.node.empty()) {
    unscheduled_.insert(name);
    return choice;
  }
  room_.Assume(name.ToString(), pod, choice.node);
  return choice;
}

bool SimulatedScheduler::IsBeingBound(const store::ObjectName& name, const api::Pod& pod) const {
  return room_.IsAssumed(name.ToString(), pod);
}

void SimulatedScheduler::GiveUp(const store::ObjectName& name) {
  if (room_.Forget(name.ToString())) Retry();
}

void SimulatedScheduler::ReconcilePodsOf(const std::string& node) {
  const auto pods = pods_of_.find(node);
  if (pods == pods_of_.end()) return;
  for (const store::ObjectName& pod : pods->second) reconcile_(pod);
}

void SimulatedScheduler::Retry() {
  if (unscheduled_.empty()) return;
  must_retry_ = true;
  PostRetry();
}

void SimulatedScheduler::PostRetry() {
  if (std::exchange(is_retry_posted_, true)) return;
  executor_.PostAfter(kRetryPause, self_.Wrap([this] { RetryBatch(); }));
}

void SimulatedScheduler::RetryBatch() {
  is_retry_posted_ = false;
  if (to_retry_.empty() && std::exchange(must_retry_, false))
    to_retry_.assign(unscheduled_.begin(), unscheduled_.end());
  for (size_t i = 0; i < kRetriedPods && !to_retry_.empty(); ++i) {
    const store::ObjectName pod = std::move(to_retry_.front());
    to_retry_.pop_front();
    reconcile_(pod);
  }
  if (!to_retry_.empty() || must_retry_) PostRetry();
}

}  // namespace berth::embedded
