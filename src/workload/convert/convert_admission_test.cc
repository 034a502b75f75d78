#include "workload/convert/convert_admission.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/options.h"
#include "schema/decode.h"
#include "schema/encode.h"

namespace berth::workload {
namespace {

TEST(AnAdmission, NamesFlavorsAndUsageOfEachPodSet) {
  engine::Engine engine{engine::EngineOptions()};
  const engine::NodeId queue = engine.SetClusterQueue({.name = "q"});
  const engine::WorkloadId id = engine.AddReserved(
      {.uid = "u",
       .local_queue = engine.LocalQueue("n/main"),
       .cluster_queue = queue,
       .pod_sets = {{.count = 2,
                     .resources = {{engine.Resource("cpu"), engine.Flavor("spot"), 1500},
                                   {engine.Resource("memory"), engine.Flavor("spot"), 1 << 30}}},
                    {.count = 1, .resources = {}}}});
  const auto workload = schema::Decode<api::Workload>(
                            R"({"spec": {"podSets": [{"name": "driver"}, {"name": "worker"}]}})")
                            .value();
  EXPECT_EQ(schema::Encode(ToAdmission(engine, id, workload)),
            R"({"clusterQueue":"q","podSetAssignments":[{"name":"driver",)"
            R"("flavors":{"cpu":"spot","memory":"spot"},)"
            R"("resourceUsage":{"cpu":"1500m","memory":"1Gi"},"count":2},)"
            R"({"name":"worker","count":1}]})");
}

}  // namespace
}  // namespace berth::workload
