#include "observe/scrape.h"

#include <utility>

namespace berth::observe {

void Scrape(Metrics& metrics, store::Executor& controllers,
            std::function<const workload::ClusterState&()> cluster, store::Executor& requester,
            std::move_only_function<void(std::string)> then) {
  controllers.Post(
      [&metrics, &requester, cluster = std::move(cluster), then = std::move(then)]() mutable {
        requester.Post([&metrics, gauges = metrics.Gauges(cluster()),
                        then = std::move(then)]() mutable { then(metrics.Text(gauges)); });
      });
}

}  // namespace berth::observe
