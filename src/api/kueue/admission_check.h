#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/meta/meta.h"
#include "schema/describe.h"

namespace berth::api {

// The object that configures a check. Its kind depends on the check's controller.
struct AdmissionCheckParametersReference {
  std::string api_group;
  std::string kind;
  std::string name;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const AdmissionCheckParametersReference&,
                         const AdmissionCheckParametersReference&) = default;
};

struct AdmissionCheckSpec {
  std::string controller_name;
  std::optional<AdmissionCheckParametersReference> parameters;
  schema::Json previous_retry_delay_minutes;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const AdmissionCheckSpec&, const AdmissionCheckSpec&) = default;
};

struct AdmissionCheckStatus {
  std::vector<Condition> conditions;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const AdmissionCheckStatus&, const AdmissionCheckStatus&) = default;
};

// A check that a Workload with a quota reservation must pass before admission, such as provisioning
// of nodes.
struct AdmissionCheck {
  ObjectMeta metadata;
  AdmissionCheckSpec spec;
  AdmissionCheckStatus status;
  schema::Extra extra;

  static const schema::Kind& KindInfo();
  static const schema::Struct& Description();
  friend bool operator==(const AdmissionCheck&, const AdmissionCheck&) = default;
};

}  // namespace berth::api
