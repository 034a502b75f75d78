#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/config/configuration.h"
#include "api/config/feature_gates.h"
#include "api/kueue/pod_set.h"
#include "webhook/lookup.h"
#include "workload/requests/resource_options.h"

namespace berth::webhook {

// The pods of a job or Workload that is being created.
struct QueuedPods {
  std::string_view namespace_;
  std::string_view queue;  // a LocalQueue of the namespace
  std::vector<api::PodSet> pod_sets;
  bool cannot_borrow = false;
};

// Warns about requests that no quota of a queue can ever satisfy (workload/unsatisfiable.h). Only
// warns if that is certain: a missing queue or flavor, an unknown claim or runtime overhead, and
// partial admission all count in favour of the workload.
class QuotaReview {
 public:
  QuotaReview(const api::Configuration& configuration, const api::FeatureGates& gates);

  // One line for each request, such as `pod set main requests 100 nvidia.com/gpu, but …`.
  std::vector<std::string> Warnings(const QueuedPods& queued, const Lookup& lookup) const;

 private:
  std::shared_ptr<const workload::ResourceOptions> options_;
};

}  // namespace berth::webhook
