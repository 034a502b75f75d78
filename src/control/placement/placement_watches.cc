#include "control/placement/placement_watches.h"

#include <memory>
#include <string>
#include <utility>

#include "api/core/node.h"
#include "api/core/pod.h"
#include "api/kueue/resource_flavor.h"
#include "schema/encode.h"
#include "workload/topology/reduced_objects.h"

namespace berth::control {
namespace {

// Pods that take room on a node. The API server sends a pod that ends as a deletion.
constexpr std::string_view kRunningPods =
    "spec.nodeName!=,status.phase!=Succeeded,status.phase!=Failed";

// An unreadable object stays as it is; its handler reports it.
template <class T, T (*kReduce)(const T&)>
store::Object Reduced(store::Object object) {
  if (const auto whole = object.Decode<T>())
    object.json = std::make_shared<const std::string>(schema::Encode(kReduce(*whole)));
  return object;
}

}  // namespace

PlacementWatches::PlacementWatches(KindWatches& watches, OnChange on_change)
    : watches_(watches), on_change_(std::move(on_change)) {}

bool PlacementWatches::Cover(const schema::Kind& kind) {
  return &kind == &api::Node::KindInfo() || &kind == &api::Pod::KindInfo();
}

void PlacementWatches::AddHandlers(workload::ObjectHandlers& handlers) {
  handlers.Add<api::ResourceFlavor>({.on_upsert =
                                         [this](const api::ResourceFlavor& flavor, const auto*) {
                                           if (flavor.spec.topology_name) Start();
                                         },
                                     .on_delete = [](auto, auto) {}});
}

void PlacementWatches::Start() {
  if (std::exchange(is_started_, true)) return;
  const auto watch = [this](const schema::Kind& kind, store::Selection selection,
                            store::Projection project) {
    watches_.WatchReduced(store::ResourceOf(kind), std::move(selection), std::move(project),
                          [this, &kind](const store::Change& change) { on_change_(kind, change); });
  };
  watch(api::Node::KindInfo(), {}, &Reduced<api::Node, &workload::ReducedNode>);
  watch(api::Pod::KindInfo(), {.field_selector = std::string(kRunningPods)},
        &Reduced<api::Pod, &workload::ReducedPod>);
}

}  // namespace berth::control
