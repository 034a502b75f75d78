#pragma once

// What a request asks for, from its target alone.

#include <cstdint>
#include <string>
#include <string_view>

#include "http/url.h"

namespace berth::dashboard {

enum class Endpoint : uint8_t {
  kFile,  // of the pages
  kSession,
  kOverview,
  kTree,
  kClusterQueue,
  kLocalQueue,
  kWorkloads,
  kWorkload,
  kStartEstimate,
  kFlavors,
  kManifest,
  kPlan,
  kUsageHistory,
  kLife,       // of a Workload, from the journal
  kPastQueue,  // likewise
  kUpdates,
  kUnknown,
};

struct Route {
  Endpoint endpoint = Endpoint::kUnknown;
  std::string file;        // of kFile: "index.html"
  std::string plural;      // of kManifest: "clusterqueues"
  std::string namespace_;  // "" if the object has none
  std::string name;
  http::Query query;

  std::string NamespacedName() const { return namespace_.empty() ? name : namespace_ + "/" + name; }
};

// Segments are resolved before they are compared, and none of them holds a slash, a control
// character or more than 253 characters; other targets are unknown.
Route ParseRoute(std::string_view target);

}  // namespace berth::dashboard
