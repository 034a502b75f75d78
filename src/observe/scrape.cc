#include "observe/scrape.h"

#include <utility>

namespace berth::observe {

void Scrape(const Metrics& metrics, store::Executor& controllers,
            std::function<const workload::EngineFeed&()> feed, store::Executor& asker,
            std::move_only_function<void(std::string)> then) {
  controllers.Post([&metrics, &asker, feed = std::move(feed), then = std::move(then)]() mutable {
    asker.Post([&metrics, gauges = metrics.Gauges(feed()), then = std::move(then)]() mutable {
      then(metrics.Text(gauges));
    });
  });
}

}  // namespace berth::observe
