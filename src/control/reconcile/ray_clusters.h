#pragma once

// RayClusters, whose autoscaler changes the number of workers. An elastic RayJob or RayService
// follows the cluster that it created.

#include <map>

#include "jobs/integration.h"
#include "json/json.h"
#include "store/informer.h"

namespace berth::control {

// Whether jobs of the kind create RayClusters.
bool FollowsRayCluster(const jobs::Integration& integration);

class RayClusters {
 public:
  void OnChange(const store::Change& change);

  // The cluster named in the status of the job; null if there is none.
  const json::value* FindFor(const json::value& job) const;

 private:
  std::map<store::ObjectName, json::value> clusters_;
};

}  // namespace berth::control
