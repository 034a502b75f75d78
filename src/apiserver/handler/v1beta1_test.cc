// Kueue's kinds in v1beta1: the same objects as in v1beta2, converted.

#include <gmock/gmock.h>

#include "apiserver/handler/watch.h"
#include "apiserver/testing/test_handler.h"

namespace berth::apiserver {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const store::Resource kQueuesToday{.group = "kueue.x-k8s.io",
                                   .version = "v1beta2",
                                   .plural = "clusterqueues",
                                   .kind = "ClusterQueue"};
const store::Resource kQueuesBefore{.group = "kueue.x-k8s.io",
                                    .version = "v1beta1",
                                    .plural = "clusterqueues",
                                    .kind = "ClusterQueue"};

class PreviousVersionOfQueues : public ::testing::Test {
 protected:
  PreviousVersionOfQueues() {
    EXPECT_EQ(testing::ErrorOf(Create(kQueuesBefore, "v1beta1", R"("cohort":"all")")), "");
  }

  store::Outcome<store::Reply> Create(const store::Resource& resource, const std::string& version,
                                      const std::string& spec) {
    return handler_.Do(store::Create{
        .resource = resource,
        .namespace_ = "",
        .object = R"({"apiVersion":"kueue.x-k8s.io/)" + version +
                  R"(","kind":"ClusterQueue","metadata":{"name":"q"},"spec":{)" + spec + "}}",
        .options = {}});
  }

  store::Outcome<store::Reply> Patch(store::PatchType type, std::string body) {
    return handler_.Do(store::Patch{.resource = kQueuesBefore,
                                    .namespace_ = "",
                                    .name = "q",
                                    .subresource = "",
                                    .type = type,
                                    .body = std::move(body),
                                    .is_forced = true,
                                    .options = {.field_manager = "me"}});
  }

  std::string Cohort(const store::Resource& resource, std::string_view field) {
    return testing::At(handler_.Get(resource, "q"), "spec." + std::string(field));
  }

  testing::TestHandler handler_;
};

TEST_F(PreviousVersionOfQueues, IsReadInTheRequestedVersion) {
  EXPECT_EQ(Cohort(kQueuesBefore, "cohort"), "\"all\"");
  EXPECT_EQ(Cohort(kQueuesToday, "cohortName"), "\"all\"");
  EXPECT_EQ(Cohort(kQueuesBefore, "cohortName"), "");
  EXPECT_EQ(testing::At(handler_.Get(kQueuesBefore, "q"), "apiVersion"),
            "\"kueue.x-k8s.io/v1beta1\"");
}

TEST_F(PreviousVersionOfQueues, IsListedAndWatchedInTheRequestedVersion) {
  const auto list = handler_.Do(store::List{.resource = kQueuesBefore});
  ASSERT_TRUE(list);
  ASSERT_EQ(list->items.size(), 1u);
  EXPECT_THAT(std::string(list->items[0].text()), HasSubstr(R"("cohort":"all")"));
  auto cursor = handler_->OpenWatch({.resource = kQueuesBefore}, [] {});
  ASSERT_TRUE(cursor);
  const auto events = (*cursor)->Take(10);
  ASSERT_TRUE(events);
  ASSERT_EQ(events->size(), 1u);
  EXPECT_THAT(std::string(events->front().object.text()), HasSubstr(R"("cohort":"all")"));
}

TEST_F(PreviousVersionOfQueues, IsPatchedByItsOwnFieldNames) {
  EXPECT_EQ(testing::ErrorOf(Patch(store::PatchType::kMerge, R"({"spec":{"cohort":"some"}})")), "");
  EXPECT_EQ(Cohort(kQueuesToday, "cohortName"), "\"some\"");
  EXPECT_EQ(testing::ErrorOf(Patch(store::PatchType::kJson,
                                   R"([{"op":"replace","path":"/spec/cohort","value":"other"}])")),
            "");
  EXPECT_EQ(Cohort(kQueuesToday, "cohortName"), "\"other\"");
}

TEST_F(PreviousVersionOfQueues, IsAppliedAndOwnedByCurrentFieldNames) {
  const std::string applied = R"({"apiVersion":"kueue.x-k8s.io/v1beta1","kind":"ClusterQueue",)"
                              R"("metadata":{"name":"q"},"spec":{"cohort":"mine"}})";
  EXPECT_EQ(testing::ErrorOf(Patch(store::PatchType::kApply, applied)), "");
  EXPECT_EQ(Cohort(kQueuesToday, "cohortName"), "\"mine\"");
  const std::string owners = testing::At(handler_.Get(kQueuesToday, "q"), "metadata.managedFields");
  EXPECT_THAT(owners, HasSubstr("f:cohortName"));
  EXPECT_THAT(owners, Not(HasSubstr("v1beta1")));
}

TEST_F(PreviousVersionOfQueues, IsWrittenBackAsItWasRead) {
  const std::string read = handler_.Text(
      store::Get{.resource = kQueuesBefore, .namespace_ = "", .name = "q", .subresource = ""});
  const auto written = handler_.Update(kQueuesBefore, "q", read);
  ASSERT_TRUE(written) << testing::ErrorOf(written);
  EXPECT_EQ(written->object.text(), read);
}

// --- Workloads ----------------------------------------------------------------------------------

const store::Resource kWorkloadsBefore{.group = "kueue.x-k8s.io",
                                       .version = "v1beta1",
                                       .plural = "workloads",
                                       .kind = "Workload",
                                       .is_namespaced = true};

class PreviousVersionOfWorkloads : public ::testing::Test {
 protected:
  // A Workload with quota and a priority class of this source.
  void CreateReserved(const std::string& source) {
    EXPECT_EQ(testing::ErrorOf(handler_.Do(store::Create{
                  .resource = kWorkloadsBefore,
                  .namespace_ = "default",
                  .object = R"({"apiVersion":"kueue.x-k8s.io/v1beta1","kind":"Workload",)"
                            R"("metadata":{"name":"w","namespace":"default"},"spec":{"priority":1,)"
                            R"("priorityClassName":"high","priorityClassSource":")" +
                            source +
                            R"(","podSets":[{"name":"main","count":1,"template":{"spec":)"
                            R"({"containers":[{"name":"c","image":"i"}],)"
                            R"("restartPolicy":"Never"}}}]}})",
                  .options = {}})),
              "");
    EXPECT_EQ(Patch(R"({"status":{"conditions":[{"type":"QuotaReserved","status":"True",)"
                    R"("reason":"r","message":"","lastTransitionTime":"2026-01-01T00:00:00Z"}]}})",
                    "status"),
              "");
  }

  std::string Patch(std::string body, std::string subresource = "") {
    return testing::ErrorOf(handler_.Do(store::Patch{.resource = kWorkloadsBefore,
                                                     .namespace_ = "default",
                                                     .name = "w",
                                                     .subresource = std::move(subresource),
                                                     .type = store::PatchType::kMerge,
                                                     .body = std::move(body),
                                                     .is_forced = false,
                                                     .options = {}}));
  }

  testing::TestHandler handler_;
};

TEST_F(PreviousVersionOfWorkloads, KeepTheSourceOfTheirPriorityWhileQuotaIsReserved) {
  CreateReserved("kueue.x-k8s.io/workloadpriorityclass");
  EXPECT_NE(Patch(R"({"spec":{"priorityClassSource":"scheduling.k8s.io/priorityclass"}})"), "");
  EXPECT_EQ(Patch(R"({"spec":{"priorityClassName":"low"}})"), "");
}

TEST_F(PreviousVersionOfWorkloads, KeepTheirPriorityClassWhileQuotaIsReserved) {
  CreateReserved("scheduling.k8s.io/priorityclass");
  EXPECT_NE(Patch(R"({"spec":{"priorityClassName":"low"}})"), "");
}

}  // namespace
}  // namespace berth::apiserver
