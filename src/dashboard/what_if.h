#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <string_view>
#include <thread>

#include "api/config/configuration.h"
#include "api/config/feature_gates.h"
#include "api/meta/manifest.h"
#include "api/meta/validation_options.h"
#include "base/error.h"
#include "http/message.h"
#include "schema/problem.h"
#include "simulate/input.h"
#include "store/inbox.h"
#include "store/store.h"

namespace berth::dashboard {

// Plans and start estimates, on objects listed from the store and a thread of their own. One at a
// time; others are told to come back.
class WhatIf {
 public:
  struct Options {
    api::Configuration configuration;  // with defaults
    api::FeatureGates gates;
    size_t most_jobs = 20'000;  // larger clusters are refused
    size_t worlds = 200;
    base::Duration limit =
        base::Duration::Seconds(10);  // of an estimate; it uses fewer worlds then
  };
  // `then` runs on the executor.
  using Then = std::move_only_function<void(http::Response)>;

  // The store must outlive this.
  WhatIf(store::Store& store, Options options);
  ~WhatIf();  // waits for the work in progress

  // What applying the manifests would do at once.
  void Plan(const std::string& manifests, store::Executor& executor, Then then);
  // When the workload starts. `namespaced_name` of the Workload.
  void EstimateStart(std::string namespaced_name, store::Executor& executor, Then then);

 private:
  using Work = std::move_only_function<http::Response(const simulate::Input&)>;

  // Does the work on the objects of the store.
  void Start(store::Executor& executor, Then then, Work work);
  http::Response Do(Work& work);
  http::Response PlanChange(const simulate::Input& input,
                            const std::vector<api::Manifest>& manifests);
  http::Response Estimate(const simulate::Input& input, const std::string& namespaced_name);

  store::Store& store_;
  Options options_;
  std::atomic<bool> is_busy_ = false;
  store::Inbox inbox_;
  std::thread thread_;
};

// The problems of a change, each with its place: what an API server would reject, and kinds that a
// plan has no use for.
schema::Problems ProblemsOfChange(const std::vector<api::Manifest>& manifests,
                                  const api::ValidationOptions& rules);

}  // namespace berth::dashboard
