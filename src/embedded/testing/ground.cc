#include "embedded/testing/ground.h"

#include <utility>

namespace berth::embedded::testing {
namespace {

class EmbeddedGround final : public Ground {
 public:
  explicit EmbeddedGround(std::unique_ptr<Cluster> cluster) : cluster_(std::move(cluster)) {}

  store::Store& store() override { return cluster_->store(); }
  bool IsQuiet() override { return cluster_->IsQuiet(); }

 private:
  std::unique_ptr<Cluster> cluster_;
};

base::Result<std::unique_ptr<Ground>> StartEmbedded(Cluster::Options options) {
  auto started = Cluster::Start(std::move(options));
  if (!started) return std::unexpected(started.error());
  return std::make_unique<EmbeddedGround>(std::move(*started));
}

GroundStarter& Starter() {
  static GroundStarter starter = StartEmbedded;
  return starter;
}

}  // namespace

void StandOn(GroundStarter starter) { Starter() = std::move(starter); }

base::Result<std::unique_ptr<Ground>> StartGround(Cluster::Options options) {
  return Starter()(std::move(options));
}

}  // namespace berth::embedded::testing
