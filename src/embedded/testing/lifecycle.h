#pragma once

// Replays a recording of Kueue against an embedded cluster and reports differences. The README
// beside the recordings describes their format and the compared fields.

#include <string>
#include <vector>

#include "json/json.h"

namespace berth::embedded::testing {

struct PlayedLifecycle {
  // One per line: "step 3, Workload ns1/job-a: status.conditions[Admitted].status: …".
  std::vector<std::string> differences;
  // The replay fell behind the recording's timing, so differences may be meaningless.
  bool was_late = false;
};

PlayedLifecycle PlayLifecycle(const json::value& recording);

}  // namespace berth::embedded::testing
