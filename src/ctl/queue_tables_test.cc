#include "ctl/queue_tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/kueue/well_known.h"

namespace berth::ctl {
namespace {

constexpr base::Time kNow = base::Time::FromSeconds(1'000'000);

TEST(ClusterQueueTable, ShowsWorkloadsAndWhetherItIsActive) {
  api::ClusterQueue queue;
  queue.metadata.name = "cq1";
  queue.metadata.creation_timestamp = base::Time::FromSeconds(1'000'000 - 3600);
  queue.spec.cohort_name = "cohort1";
  queue.status.pending_workloads = 1;
  queue.status.admitted_workloads = 2;
  queue.status.conditions = {{.type = std::string(api::condition::kActive), .status = "True"}};
  EXPECT_EQ(ClusterQueueTable({&queue, 1}, kNow).ToText(),
            "NAME   COHORT    PENDING WORKLOADS   ADMITTED WORKLOADS   ACTIVE   AGE\n"
            "cq1    cohort1   1                   2                    true     60m\n");
}

TEST(LocalQueueTable, ShowsTheNamespaceIfThereAreSeveral) {
  api::LocalQueue queue;
  queue.metadata.name = "lq1";
  queue.metadata.namespace_ = "ns1";
  queue.spec.cluster_queue = "cq1";
  EXPECT_EQ(LocalQueueTable({&queue, 1}, false, kNow).ToText(),
            "NAME   CLUSTERQUEUE   PENDING WORKLOADS   ADMITTED WORKLOADS   AGE\n"
            "lq1    cq1            0                   0                    <unknown>\n");
  EXPECT_EQ(LocalQueueTable({&queue, 1}, true, kNow).columns.front().name, "Namespace");
}

TEST(ResourceFlavorTable, ShowsNodeLabels) {
  api::ResourceFlavor flavor;
  flavor.metadata.name = "rf1";
  flavor.spec.node_labels = {{"key2", "value2"}, {"key1", "value1"}};
  flavor.spec.node_taints = {{.key = "spot", .value = "true", .effect = "NoSchedule"}};
  const TextTable table = ResourceFlavorTable({&flavor, 1}, kNow);
  EXPECT_EQ(table.ToText(),
            "NAME   NODE LABELS                AGE\n"
            "rf1    key1=value1, key2=value2   <unknown>\n");
  EXPECT_THAT(table.ToText(true), ::testing::HasSubstr("spot=true:NoSchedule"));
}

}  // namespace
}  // namespace berth::ctl
