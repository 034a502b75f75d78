#pragma once

// Rules of the kube-scheduler for tolerations and node affinity, on compiled labels and taints.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/core/node_selector.h"
#include "api/core/toleration.h"

namespace berth::workload {

// A label value, with its number if it is one.
struct NumberedLabel {
  std::string value;
  std::optional<int64_t> number;
  bool is_valid_key = true;

  static NumberedLabel From(const std::string& key, const std::string& value);
};

struct NumberedTaint {
  api::Taint taint;
  std::optional<int64_t> number;

  static NumberedTaint From(const api::Taint& taint);
};

// Whether the taint keeps pods off that do not tolerate it: NoSchedule or NoExecute.
bool KeepsPodsOff(const api::Taint& taint);
// Gt and Lt tolerate taints whose value is greater or less than the toleration's, both whole
// numbers in plain decimal.
bool Tolerates(const api::Toleration& toleration, const NumberedTaint& taint);

bool IsWellFormed(const api::NodeSelectorRequirement& expression);
// Whether a well-formed expression holds for a label. Null: the label is absent.
bool Holds(const api::NodeSelectorRequirement& expression, const NumberedLabel* label);

}  // namespace berth::workload
