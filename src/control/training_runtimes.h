#pragma once

// The runtimes that TrainJobs name. They say what the pods of a TrainJob are like, but for what the
// TrainJob itself changes.

#include <map>
#include <span>
#include <string>
#include <tuple>

#include "store/informer.h"
#include "store/json.h"
#include "store/resource.h"

namespace berth::control {

class TrainingRuntimes {
 public:
  // Those for all namespaces, and those of one.
  static std::span<const store::Resource> Resources();

  // Of one of these resources.
  void OnChange(const store::Resource& resource, const store::Change& change);

  // Null if there is no such runtime.
  const store::json::value* FindFor(const store::json::value& train_job) const;

 private:
  std::map<std::tuple<std::string, std::string, std::string>, store::json::value>
      runtimes_;  // by kind, namespace, name
};

}  // namespace berth::control
