#include <benchmark/benchmark.h>

#include <cstdlib>
#include <string>

#include "base/random.h"
#include "schema/json/text.h"
#include "schema/yaml/to_json.h"
#include "schema/yaml/writer.h"
#include "testing/bench_size.h"

namespace berth::schema {
namespace {

std::string Name(base::Random& random, std::string_view prefix) {
  return std::string(prefix) + "-" + std::to_string(random.Below(100'000));
}

std::string Job(base::Random& random) {
  const std::string name = Name(random, "sample-job");
  return "apiVersion: batch/v1\n"
         "kind: Job\n"
         "metadata:\n"
         "  name: " +
         name +
         "\n"
         "  namespace: team-" +
         std::to_string(random.Below(50)) +
         "\n"
         "  labels:\n"
         "    kueue.x-k8s.io/queue-name: user-queue\n"
         "    app.kubernetes.io/part-of: \"training\"  # by whom it is paid\n"
         "spec:\n"
         "  parallelism: " +
         std::to_string(random.Below(64)) +
         "\n"
         "  completions: 3\n"
         "  suspend: true\n"
         "  template:\n"
         "    spec:\n"
         "      containers:\n"
         "      - name: main\n"
         "        image: example.invalid/library/trainer:v1." +
         std::to_string(random.Below(9)) +
         "\n"
         "        command: [\"/bin/sh\", \"-c\", \"sleep 60\"]\n"
         "        args:\n"
         "        - --steps=" +
         std::to_string(random.Below(10'000)) +
         "\n"
         "        - |\n"
         "          set -e\n"
         "          python3 train.py --resume\n"
         "        resources:\n"
         "          requests:\n"
         "            cpu: 500m\n"
         "            memory: \"200Mi\"\n"
         "      restartPolicy: Never\n";
}

std::string ClusterQueue(base::Random& random) {
  return "apiVersion: kueue.x-k8s.io/v1beta2\n"
         "kind: ClusterQueue\n"
         "metadata:\n"
         "  name: " +
         Name(random, "cluster-queue") +
         "\n"
         "spec:\n"
         "  namespaceSelector: {}  # match all\n"
         "  cohortName: research\n"
         "  preemption:\n"
         "    reclaimWithinCohort: Any\n"
         "    withinClusterQueue: LowerPriority\n"
         "  resourceGroups:\n"
         "  - coveredResources: [\"cpu\", \"memory\", \"nvidia.com/gpu\"]\n"
         "    flavors:\n"
         "    - name: on-demand\n"
         "      resources:\n"
         "      - name: cpu\n"
         "        nominalQuota: " +
         std::to_string(random.Below(500)) +
         "\n"
         "      - name: memory\n"
         "        nominalQuota: 36Gi\n"
         "      - name: nvidia.com/gpu\n"
         "        nominalQuota: 8\n"
         "        borrowingLimit: 2\n";
}

std::string Manifests() {
  const size_t size = berth::testing::IsTinyBenchmark() ? 4 << 10 : 2 << 20;
  base::Random random(1);
  std::string out;
  while (out.size() < size) {
    out += random.Chance(4) ? ClusterQueue(random) : Job(random);
    out += "---\n";
  }
  return out;
}

void BM_YamlToJson(benchmark::State& state) {
  const std::string text = Manifests();
  for (auto _ : state) {
    YamlReader reader(text);
    size_t bytes = 0;
    for (;;) {
      const auto document = reader.Next();
      if (!document || !*document) break;
      bytes += (*document)->json.size();
    }
    benchmark::DoNotOptimize(bytes);
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * text.size()));
}
BENCHMARK(BM_YamlToJson)->Unit(benchmark::kMillisecond);

void BM_JsonToYaml(benchmark::State& state) {
  base::Random random(1);
  const auto documents = YamlToJson(Job(random));
  const std::string& json = documents->front().json;
  for (auto _ : state) benchmark::DoNotOptimize(JsonToYaml(json));
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * json.size()));
}
BENCHMARK(BM_JsonToYaml);

void BM_AppendJsonString(benchmark::State& state) {
  const std::string text(static_cast<size_t>(state.range(0)), 'x');
  std::string out;
  for (auto _ : state) {
    out.clear();
    for (int i = 0; i < 100; ++i) AppendJsonString(out, text);
    benchmark::DoNotOptimize(out.data());
  }
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * 100 * text.size()));
}
BENCHMARK(BM_AppendJsonString)->Arg(6)->Arg(30)->Arg(1000);

}  // namespace
}  // namespace berth::schema
