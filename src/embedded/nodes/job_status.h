#pragma once

// The status of a simulated job while it is changed.

#include <cstdint>
#include <string_view>

#include "base/time.h"
#include "json/json.h"

namespace berth::embedded {

class JobStatus {
 public:
  JobStatus(const json::value& job, base::Time now);

  json::object& fields() { return fields_; }
  bool has_changed() const;

  // 0 removes the field.
  void SetCount(std::string_view key, int64_t count);
  bool HasTrueCondition(std::string_view type) const;
  // Replaces the condition of this type, or adds one.
  void SetCondition(std::string_view type, bool is_true, std::string_view reason,
                    std::string_view message);

  // Of a batch/v1 Job.
  void Suspend();
  void Resume(int64_t pods);
  void Complete(int64_t pods);
  void Fail();

 private:
  json::object before_;
  json::object fields_;
  base::Time now_;
};

}  // namespace berth::embedded
