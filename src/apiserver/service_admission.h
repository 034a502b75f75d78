#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/object.h"
#include "store/failure.h"
#include "store/json.h"
#include "store/resource.h"

namespace berth::apiserver {

// Who makes a request.
struct Caller {
  std::string user = "system:berth";
  std::vector<std::string> groups = {"system:masters"};
};

enum class Operation : uint8_t { kCreate, kUpdate, kDelete };

// A write that is about to happen.
struct AdmissionAttempt {
  Operation operation = Operation::kCreate;
  const store::Resource& resource;  // in the version in which the object is stored
  std::string_view subresource;
  std::string_view namespace_;
  std::string_view name;
  const Caller& caller;
  bool is_dry_run = false;
  const store::json::value* old_object = nullptr;  // what is stored now; null when creating
  // Both as their description reads them, when validating; null where they have none.
  const api::Object* reading = nullptr;
  const api::Object* old_reading = nullptr;
  std::vector<std::string>& warnings;  // for the person who made the request
};

// What a webhook would do, in process. Called by several threads at once, and perhaps several times
// for one request, so it keeps nothing and changes nothing but what it is given.
class AdmissionHook {
 public:
  virtual ~AdmissionHook() = default;

  // May change the object, or refuse the request. Not called for deletions. The object has its name
  // and namespace, and the defaults are filled in afterwards.
  virtual store::Outcome<void> Mutate(const AdmissionAttempt&, store::json::value& /*object*/) {
    return {};
  }
  // May refuse the request. The object is as it would be stored; of a deletion, as it is.
  virtual store::Outcome<void> Validate(const AdmissionAttempt&,
                                        const store::json::value& /*object*/) {
    return {};
  }
};

}  // namespace berth::apiserver
