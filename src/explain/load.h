#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/configuration.h"
#include "api/feature_gates.h"
#include "api/manifest.h"
#include "base/error.h"
#include "base/time.h"
#include "workload/engine_feed.h"

// From files to an engine in the state that they describe.
namespace berth::explain {

// An engine with all objects of the manifests, as an API server would store them: with defaults, in
// the namespace "default" where they need one and name none, workloads with a uid of their own. Of
// two objects of the same name the last counts.
std::unique_ptr<workload::EngineFeed> Load(const api::Configuration& configuration,
                                           const api::FeatureGates& gates,
                                           std::span<const api::Manifest> manifests,
                                           base::Time now);

// The workload that a user means: by its name, or by that of an object that owns it, with its
// namespace ("team-a/train") or, where that is enough, without. Else an error that names what is
// near.
base::Result<const api::Workload*> FindWorkload(const workload::EngineFeed& feed,
                                                std::string_view name);

}  // namespace berth::explain
