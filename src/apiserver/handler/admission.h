#pragma once

#include <string>
#include <vector>

#include "json/json.h"
#include "store/admission_request.h"
#include "store/failure.h"

namespace berth::apiserver {

// The authenticated user of a request.
struct Caller {
  std::string user = "system:berth";
  std::vector<std::string> groups = {"system:masters"};
};

using store::AdmissionRequest;
using store::Operation;

// An admission webhook in process. Called from several threads at once, and possibly several times
// for one request: implementations must be stateless. `warnings` are for the user of the request.
class AdmissionHook {
 public:
  virtual ~AdmissionHook() = default;

  // May change the object or reject the request. Not called for deletions. The object has its name
  // and namespace; defaults are applied afterwards.
  virtual store::Outcome<void> Mutate(const AdmissionRequest&, json::value& /*object*/,
                                      std::vector<std::string>& /*warnings*/) {
    return {};
  }
  // May reject the request. The object is the one to be stored; on deletion, the stored one.
  virtual store::Outcome<void> Validate(const AdmissionRequest&, const json::value& /*object*/,
                                        std::vector<std::string>& /*warnings*/) {
    return {};
  }
};

}  // namespace berth::apiserver
