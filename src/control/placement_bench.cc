// The memory that nodes and pods take in the controller: in its watches and in the state of the
// cluster.

#include <benchmark/benchmark.h>
#include <malloc.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "control/object_feed.h"
#include "control/testing/manual_store.h"
#include "workload/state/cluster_state.h"

namespace berth::control {
namespace {

constexpr std::string_view kFlavor = R"({"apiVersion": "kueue.x-k8s.io/v1beta2",
  "kind": "ResourceFlavor", "metadata": {"name": "gpu", "resourceVersion": "1", "generation": 1},
  "spec": {"nodeLabels": {"pool": "gpu"}, "topologyName": "racks"}})";
constexpr std::string_view kTopology = R"({"apiVersion": "kueue.x-k8s.io/v1beta2",
  "kind": "Topology", "metadata": {"name": "racks", "resourceVersion": "1", "generation": 1},
  "spec": {"levels": [{"nodeLabel": "rack"}, {"nodeLabel": "kubernetes.io/hostname"}]}})";

// What placement does not read: 4 kB, as in many clusters.
std::string Noise() {
  std::string fields;
  for (int i = 0; i < 80; ++i)
    fields += (i == 0 ? R"("f:key-)" : R"(, "f:key-)") + std::to_string(i) +
              R"(": {"f:value": {"x": {}}})";
  return R"("managedFields": [{"manager": "m", "operation": "Update", "fieldsV1": {)" + fields +
         "}}]";
}

std::string Node(int i) {
  std::string labels;
  for (int label = 0; label < 20; ++label)
    labels += R"("example.com/feature-of-the-node-)" + std::to_string(label) + R"(": "true", )";
  const std::string name = "gke-training-a100-pool-" + std::to_string(100'000 + i);
  return R"({"apiVersion": "v1", "kind": "Node", "metadata": {"name": ")" + name +
         R"(", "uid": "6f2b0b1e-0000-4000-8000-)" + std::to_string(100'000'000'000 + i) +
         R"(", "resourceVersion": "123456789", "labels": {)" + labels +
         R"("pool": "gpu", "rack": "rack-)" + std::to_string(i / 16) +
         R"(", "kubernetes.io/hostname": ")" + name + R"("}, )" + Noise() +
         R"(}, "spec": {}, "status": {"allocatable": {"cpu": "95", "memory": "1800Gi", "pods": "110",
         "nvidia.com/gpu": "8", "ephemeral-storage": "400Gi"}, "conditions": [{"type": "Ready",
         "status": "True", "lastHeartbeatTime": "2030-01-01T00:00:00Z"}]}})";
}

std::string Pod(int i) {
  return R"({"apiVersion": "v1", "kind": "Pod", "metadata": {"namespace": "kube-system", "name":
         "fluent-bit-)" +
         std::to_string(100'000 + i) + R"(", "uid": "6f2b0b1e-0000-4000-8000-)" +
         std::to_string(100'000'000'000 + i) + R"(", "resourceVersion": "123456789", )" + Noise() +
         R"(}, "spec": {"nodeName": "gke-training-a100-pool-)" + std::to_string(100'000 + i / 10) +
         R"(", "containers": [{"name": "c", "image": "i", "resources": {"requests": {"cpu": "100m",
         "memory": "200Mi"}}}]}, "status": {"phase": "Running"}})";
}

// Objects of one kind in a cluster.
struct Population {
  std::string kind;
  std::string (*text)(int);
  int count = 0;
};

// The controller's watches, on a store that the benchmark answers for.
class Watches {
 public:
  explicit Watches(const Population& population) {
    cluster_.AddHandlers(feed_.handlers());
    feed_.Watch(true);
    // Every kind is listed; the flavor starts the watches of nodes and pods.
    while (store_.under_way() > 0) AnswerNext(population);
    cluster_.Sync(executor_.Now());
  }

 private:
  void AnswerNext(const Population& population) {
    const std::string kind = std::get<store::List>(store_.calls.front()).resource.kind;
    store_.calls.pop_front();
    store::Reply reply;
    reply.resource_version = "1";
    if (kind == "ResourceFlavor") Add(kFlavor, reply);
    if (kind == "Topology") Add(kTopology, reply);
    if (kind == population.kind)
      for (int i = 0; i < population.count; ++i) Add(population.text(i), reply);
    store_.Answer(std::move(reply));
  }
  static void Add(std::string_view json, store::Reply& reply) {
    reply.items.push_back(*store::Object::FromJson(std::string(json)));
  }

  testing::ManualStore store_;
  testing::ManualExecutor executor_;
  KindWatches watches_{store_, executor_, {.on_synced = [] {}, .log = [](std::string_view) {}}};
  workload::ClusterState cluster_{api::Configuration(), api::FeatureGates(), {.topology = true}};
  ObjectFeed feed_{executor_, watches_, {.on_change = [] {}, .log = [](std::string_view) {}}};
};

size_t BytesInUse() {
  malloc_trim(0);
  return mallinfo2().uordblks;
}

void MeasureBytes(benchmark::State& state, Population population) {
  for (auto _ : state) {
    const auto empty = std::make_unique<Watches>(population);
    const size_t before = BytesInUse();
    population.count = static_cast<int>(state.range(0));
    const auto full = std::make_unique<Watches>(population);
    state.counters["bytes_per_object"] =
        static_cast<double>(BytesInUse() - before) / population.count;
    state.counters["bytes_of_its_json"] = static_cast<double>(population.text(0).size());
  }
}

void BytesPerWatchedNode(benchmark::State& state) {
  MeasureBytes(state, {.kind = "Node", .text = &Node});
}
BENCHMARK(BytesPerWatchedNode)->Arg(10'000)->Iterations(1)->Unit(benchmark::kMillisecond);

void BytesPerWatchedPod(benchmark::State& state) {
  MeasureBytes(state, {.kind = "Pod", .text = &Pod});
}
BENCHMARK(BytesPerWatchedPod)->Arg(100'000)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace berth::control
