#include "embedded/testing/many_jobs.h"

#include <set>
#include <utility>

#include "api/batch/job.h"
#include "api/kueue/cluster_queue.h"
#include "api/kueue/local_queue.h"
#include "api/kueue/resource_flavor.h"
#include "base/check.h"
#include "store/informer.h"

namespace berth::embedded::testing {
namespace {

constexpr int kMostUnderWay = 256;
constexpr base::Duration kFinishTimeout = base::Duration::Seconds(900);

std::string JobName(int number) {
  return R"({"metadata":{"name":"job-)" + std::to_string(number) +
         R"(","labels":{"kueue.x-k8s.io/queue-name":"main"}},"spec":{"template":{"spec":{)"
         R"("restartPolicy":"Never","containers":[{"name":"main","image":"busybox",)"
         R"("resources":{"requests":{"cpu":"1"}}}]}}}})";
}

}  // namespace

void ManyJobs::Create(const store::Resource& resource, std::string object) {
  CHECK(inbox_.RunUntil([&] { return outstanding_ < kMostUnderWay; }, kFinishTimeout));
  ++outstanding_;
  store_.Do(store::Create{.resource = resource,
                          .namespace_ = resource.is_namespaced ? "default" : "",
                          .object = std::move(object),
                          .options = {}},
            inbox_, [this](const store::Outcome<store::Reply>& reply) {
              CHECK(reply.has_value());
              --outstanding_;
            });
}

void ManyJobs::MakeQueues(int cpus) {
  Create(store::ResourceOf<api::ResourceFlavor>(), R"({"metadata":{"name":"any"}})");
  Create(store::ResourceOf<api::ClusterQueue>(),
         R"({"metadata":{"name":"all"},"spec":{"namespaceSelector":{},"resourceGroups":[{)"
         R"("coveredResources":["cpu"],"flavors":[{"name":"any","resources":[{"name":"cpu",)"
         R"("nominalQuota":")" +
             std::to_string(cpus) + R"("}]}]}]}})");
  Create(store::ResourceOf<api::LocalQueue>(),
         R"({"metadata":{"name":"main"},"spec":{"clusterQueue":"all"}})");
}

void ManyJobs::Submit(int count) {
  for (int i = 0; i < count; ++i) Create(store::ResourceOf<api::Job>(), JobName(submitted_++));
}

void ManyJobs::AwaitFinished(size_t count) {
  std::set<store::ObjectName> ended;
  const store::Informer informer(
      store_, inbox_, store::ResourceOf<api::Job>(), {},
      {.on_change =
           [&](const store::Change& change) {
             if (change.after != nullptr &&
                 change.after->text().find(R"("type":"Complete")") != std::string_view::npos)
               ended.insert(change.after->key());
           },
       .on_synced = [] {},
       .on_failure = [](const store::Failure&) {}});
  CHECK(
      inbox_.RunUntil([&] { return ended.size() == count && outstanding_ == 0; }, kFinishTimeout));
}

}  // namespace berth::embedded::testing
