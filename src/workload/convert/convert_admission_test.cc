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

// The API rejects a usage that is not a multiple of the count, and reads an absent count as that of
// the spec.
TEST(AnAdmission, OmitsCountsThatDoNotDivideTheDevicesOfASharedClaim) {
  const auto workload = schema::Decode<api::Workload>(R"({"spec": {"podSets": [
      {"name": "shares", "count": 3, "template": {"spec": {"resourceClaims":
          [{"name": "gpu", "resourceClaimName": "pool"}]}}},
      {"name": "alone", "count": 3}]}})")
                            .value();
  const auto counts = [&](std::string_view shares, std::string_view alone) {
    auto admission =
        schema::Decode<api::Admission>(R"({"clusterQueue": "q", "podSetAssignments": [)" +
                                       std::string(shares) + ", " + std::string(alone) + "]}")
            .value();
    OmitIndivisibleCounts(workload, admission);
    return std::pair(admission.pod_set_assignments[0].count,
                     admission.pod_set_assignments[1].count);
  };
  using Count = std::optional<int32_t>;
  EXPECT_EQ(counts(R"({"name": "shares", "count": 3, "resourceUsage": {"gpus": "2"}})",
                   R"({"name": "alone", "count": 3, "resourceUsage": {"gpus": "2"}})"),
            std::pair(Count(), Count(3)));
  EXPECT_EQ(counts(R"({"name": "shares", "count": 3, "resourceUsage": {"gpus": "6"}})",
                   R"({"name": "alone", "count": 3})"),
            std::pair(Count(3), Count(3)));
  EXPECT_EQ(counts(R"({"name": "shares", "count": 2, "resourceUsage": {"gpus": "3"}})",
                   R"({"name": "alone", "count": 3})"),
            std::pair(Count(2), Count(3)));
}

}  // namespace
}  // namespace berth::workload
