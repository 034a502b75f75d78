#include "embedded/testing/environment.h"

#include <utility>

namespace berth::embedded::testing {
namespace {

class EmbeddedEnvironment final : public TestEnvironment {
 public:
  explicit EmbeddedEnvironment(std::unique_ptr<Cluster> cluster) : cluster_(std::move(cluster)) {}

  store::Store& store() override { return cluster_->store(); }
  bool IsQuiet() override { return cluster_->IsQuiet(); }
  void Pass(base::Duration duration) override { cluster_->Advance(duration); }
  base::Time Now() override { return cluster_->Now(); }

 private:
  std::unique_ptr<Cluster> cluster_;
};

base::Result<std::unique_ptr<TestEnvironment>> StartEmbedded(Cluster::Options options) {
  auto started = Cluster::Start(std::move(options));
  if (!started) return std::unexpected(started.error());
  return std::make_unique<EmbeddedEnvironment>(std::move(*started));
}

EnvironmentStarter& Starter() {
  static EnvironmentStarter starter = StartEmbedded;
  return starter;
}

int running_environments = 0;

}  // namespace

TestEnvironment::TestEnvironment() { ++running_environments; }
TestEnvironment::~TestEnvironment() { --running_environments; }

void UseEnvironment(EnvironmentStarter starter) { Starter() = std::move(starter); }

base::Result<std::unique_ptr<TestEnvironment>> StartEnvironment(Cluster::Options options) {
  if (running_environments > 0)
    return base::Fail("another cluster of this test still runs", "end its scope first");
  return Starter()(std::move(options));
}

}  // namespace berth::embedded::testing
