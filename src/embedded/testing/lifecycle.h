#pragma once

// Plays a recording of Kueue against an embedded cluster and says where the two differ. What the
// files hold, and what of it is to be compared, is in the README beside them.

#include <string>
#include <vector>

#include "store/json.h"

namespace berth::embedded::testing {

struct PlayedLifecycle {
  // One line each: "step 3, Workload ns1/job-a: status.conditions[Admitted].status: …".
  std::vector<std::string> differences;
  // The recording goes by seconds, and this machine did not keep up with it: differences may mean
  // nothing.
  bool was_late = false;
};

PlayedLifecycle PlayLifecycle(const store::json::value& recording);

}  // namespace berth::embedded::testing
