#include "cluster/node_watcher.h"

#include "api/core/node.h"
#include "api/kueue/workload.h"
#include "quantity/amount.h"
#include "workload/convert/convert_workload.h"
#include "workload/requests/pod_requests.h"

namespace berth::cluster {
namespace {

bool TakesRoom(const api::Pod& pod) {
  return !pod.spec.node_name.empty() && pod.status.phase != "Succeeded" &&
         pod.status.phase != "Failed";
}

}  // namespace

NodeWatcher::NodeWatcher(store::Store& store, const std::vector<api::Object>& nodes)
    : assigned_(nodes) {
  for (const api::Object& object : nodes)
    if (const auto* node = object.As<api::Node>())
      allocatable_[node->metadata.name] = workload::ToRequests(node->status.allocatable);
  Watch<api::Pod>(store);
  Watch<api::Workload>(store);
  thread_ = std::thread([this] { inbox_.Run(); });
}

NodeWatcher::~NodeWatcher() { Stop(); }

std::set<std::string> NodeWatcher::Stop() {
  if (thread_.joinable()) {
    inbox_.Post([this] {
      informers_.clear();
      inbox_.Stop();
    });
    thread_.join();
  }
  return faults_;
}

template <class T>
void NodeWatcher::Watch(store::Store& store) {
  const auto on_change = [this](const store::Change& change) {
    const store::Object& any = change.after != nullptr ? *change.after : *change.before;
    const std::string name = workload::NamespacedName(any.namespace_, any.name);
    const auto object =
        change.after == nullptr ? std::nullopt : std::optional(change.after->Decode<T>());
    Observe(name, object && *object ? &**object : nullptr);
  };
  informers_.push_back(std::make_unique<store::Informer>(
      store, inbox_, store::ResourceOf<T>(), store::Selection(),
      store::Informer::Handlers{
          .on_change = on_change, .on_synced = [] {}, .on_failure = [](const store::Failure&) {}}));
}

void NodeWatcher::Observe(const std::string& name, const api::Workload* workload) {
  assigned_.Observe(name, workload);
  if (std::string fault = assigned_.Exceeded(); !fault.empty()) faults_.insert(std::move(fault));
}

void NodeWatcher::Observe(const std::string& name, const api::Pod* pod) {
  if (const auto known = pods_.find(name); known != pods_.end()) {
    Add(known->second, -1);
    pods_.erase(known);
  }
  if (pod == nullptr || !TakesRoom(*pod)) return;
  Add(*pod, 1);
  pods_[name] = *pod;
  const std::string& node = pod->spec.node_name;
  for (const auto& [resource, amount] : bound_[node])
    if (amount > allocatable_[node].ValueOrEmpty(resource))
      faults_.insert("node " + node + ": pods with too much " + resource + " are bound");
}

void NodeWatcher::Add(const api::Pod& pod, int64_t times) {
  workload::Requests requests = workload::ToRequests(workload::PodRequests(pod.spec));
  requests.Set("pods", 1);
  workload::Requests& sum = bound_[pod.spec.node_name];
  for (const auto& [resource, amount] : requests)
    sum[resource] = quantity::SaturatingAdd(sum[resource], quantity::SaturatingMul(amount, times));
}

}  // namespace berth::cluster
