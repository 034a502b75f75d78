// Typed decoding and encoding of Workloads, compared with simdjson's plain DOM parse.

#include <benchmark/benchmark.h>
#include <simdjson.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "api/kueue/workload.h"
#include "schema/decode.h"
#include "schema/encode.h"
#include "testing/bench_size.h"

namespace berth::api {
namespace {

// A Workload as sent by an API server: two pod sets, an owner, conditions and an admission.
std::string WorkloadJson(int i) {
  const std::string n = std::to_string(i);
  const std::string container =
      R"({"name":"main","image":"registry.example.com/team/train:v1.2.3","command":["python"],)"
      R"("args":["-m","train","--shard",")" +
      n + R"("],"env":[{"name":"SHARD","value":")" + n +
      R"("},{"name":"HOME","value":"/work"}],"resources":{"requests":{"cpu":"4","memory":"16Gi",)"
      R"("nvidia.com/gpu":"1"},"limits":{"memory":"16Gi","nvidia.com/gpu":"1"}},)"
      R"("volumeMounts":[{"name":"data","mountPath":"/data"}],"terminationMessagePath":)"
      R"("/dev/termination-log","terminationMessagePolicy":"File","imagePullPolicy":"IfNotPresent"})";
  const auto pod_set = [&](const char* name, const char* count) {
    return std::string(R"({"name":")") + name + R"(","count":)" + count +
           R"(,"template":{"metadata":{"labels":{"app":"train","role":")" + name +
           R"("}},"spec":{"containers":[)" + container +
           R"(],"volumes":[{"name":"data","emptyDir":{}}],"restartPolicy":"Never",)"
           R"("terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","nodeSelector":)"
           R"({"pool":"gpu"},"tolerations":[{"key":"gpu","operator":"Exists","effect":)"
           R"("NoSchedule"}],"schedulerName":"default-scheduler","securityContext":{}}}})";
  };
  const auto condition = [](const char* type, const char* reason) {
    return std::string(R"({"type":")") + type + R"(","status":"True","observedGeneration":1,)" +
           R"("lastTransitionTime":"2026-03-04T05:06:07Z","reason":")" + reason +
           R"(","message":"Quota reserved in ClusterQueue team-a"})";
  };
  const auto assignment = [](const char* name, const char* count) {
    return std::string(R"({"name":")") + name +
           R"(","flavors":{"cpu":"default","memory":"default","nvidia.com/gpu":"a100"},)"
           R"("resourceUsage":{"cpu":"32","memory":"128Gi","nvidia.com/gpu":"8"},"count":)" +
           count + "}";
  };
  return R"({"apiVersion":"kueue.x-k8s.io/v1beta2","kind":"Workload","metadata":{"name":"job-train-)" +
         n + R"(-a1b2c","namespace":"team-a","uid":"6f1c7b9e-5d0a-4c3e-8f2b-)" +
         std::to_string(100000000000 + i) + R"(","resourceVersion":")" + n +
         R"(","generation":1,"creationTimestamp":"2026-03-04T05:06:07Z","labels":)"
         R"({"kueue.x-k8s.io/job-uid":"0a1b2c3d-4e5f-6789-abcd-ef0123456789"},"ownerReferences":)"
         R"([{"apiVersion":"batch/v1","kind":"Job","name":"train-)" +
         n +
         R"(","uid":"0a1b2c3d-4e5f-6789-abcd-ef0123456789","controller":true,)"
         R"("blockOwnerDeletion":true}],"finalizers":["kueue.x-k8s.io/resource-in-use"]},)"
         R"("spec":{"podSets":[)" +
         pod_set("driver", "1") + "," + pod_set("worker", "8") +
         R"(],"queueName":"main","priority":100,"active":true},"status":{"conditions":[)" +
         condition("QuotaReserved", "QuotaReserved") + "," + condition("Admitted", "Admitted") +
         R"(],"admission":{"clusterQueue":"team-a","podSetAssignments":[)" +
         assignment("driver", "1") + "," + assignment("worker", "8") + "]}}}";
}

const std::vector<std::string>& Workloads() {
  static const std::vector<std::string> texts = [] {
    const int count = berth::testing::IsTinyBenchmark() ? 200 : 20'000;
    std::vector<std::string> all;
    for (int i = 0; i < count; ++i) all.push_back(WorkloadJson(i));
    return all;
  }();
  return texts;
}

int64_t TotalBytes() {
  size_t bytes = 0;
  for (const std::string& text : Workloads()) bytes += text.size();
  return static_cast<int64_t>(bytes);
}

void BM_SimdjsonDomParse(benchmark::State& state) {
  simdjson::dom::parser parser;
  for (auto _ : state) {
    for (const std::string& text : Workloads()) {
      simdjson::dom::element root;
      if (parser.parse(text).get(root)) state.SkipWithError("not JSON");
      benchmark::DoNotOptimize(root);
    }
  }
  state.SetBytesProcessed(state.iterations() * TotalBytes());
}
BENCHMARK(BM_SimdjsonDomParse)->Unit(benchmark::kMillisecond);

void BM_DecodeWorkloads(benchmark::State& state) {
  schema::Decoder decoder;
  for (auto _ : state) {
    for (const std::string& text : Workloads()) {
      Workload workload;
      if (!decoder.Decode(text, Workload::KindInfo(), &workload).empty())
        state.SkipWithError("not a Workload");
      benchmark::DoNotOptimize(workload);
    }
  }
  state.SetBytesProcessed(state.iterations() * TotalBytes());
}
BENCHMARK(BM_DecodeWorkloads)->Unit(benchmark::kMillisecond);

void BM_EncodeWorkloads(benchmark::State& state) {
  std::vector<Workload> workloads;
  for (const std::string& text : Workloads())
    workloads.push_back(schema::Decode<Workload>(text).value());
  std::string out;
  for (auto _ : state) {
    for (const Workload& workload : workloads) {
      out.clear();
      schema::EncodeTo(out, workload);
      benchmark::DoNotOptimize(out.data());
    }
  }
  state.SetBytesProcessed(state.iterations() * TotalBytes());
}
BENCHMARK(BM_EncodeWorkloads)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace berth::api
