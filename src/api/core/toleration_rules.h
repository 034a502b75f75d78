#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "api/core/toleration.h"
#include "schema/describe.h"

// Rules of the API server for tolerations and taints outside of pods, for schema::Field::Rules.
namespace berth::api {

inline bool IsTaintEffect(std::string_view effect) {
  return std::ranges::find(kTaintEffects, effect) != std::end(kTaintEffects);
}

template <bool (*kHolds)(const Toleration&)>
constexpr schema::Rule EveryToleration(std::string_view cel, std::string_view message) {
  return schema::Must<[](const std::vector<Toleration>& self) {
    return std::ranges::all_of(self, kHolds);
  }>(cel, message);
}

inline constexpr schema::Rule kTolerationRules[] = {
    EveryToleration<[](const Toleration& t) {
      return !t.key.empty() || t.op == kTolerationExists;
    }>("self.all(t, has(t.key) || t.operator == 'Exists')",
       "operator must be Exists if key is empty, which tolerates every taint"),
    EveryToleration<[](const Toleration& t) {
      return !t.toleration_seconds || t.effect == kNoExecute;
    }>("self.all(t, !has(t.tolerationSeconds) || t.effect == 'NoExecute')",
       "effect must be NoExecute if tolerationSeconds is set"),
    // Lt and Gt are valid in pods only.
    EveryToleration<[](const Toleration& t) {
      return t.op.empty() || t.op == kTolerationEqual || t.op == kTolerationExists;
    }>("self.all(t, !has(t.operator) || t.operator in ['Equal', 'Exists'])",
       "operator must be Equal (the default) or Exists"),
    EveryToleration<[](const Toleration& t) {
      return t.op != kTolerationExists || t.value.empty();
    }>("self.all(t, !has(t.operator) || t.operator != 'Exists' || !has(t.value))",
       "value must be empty if operator is Exists"),
    EveryToleration<[](const Toleration& t) {
      return t.effect.empty() || IsTaintEffect(t.effect);
    }>("self.all(t, !has(t.effect) || t.effect in ['NoSchedule', 'PreferNoSchedule', 'NoExecute'])",
       "effect must be NoSchedule, PreferNoSchedule or NoExecute, or empty for all of them"),
};

inline constexpr schema::Rule kTaintRules[] = {
    schema::Must<[](const std::vector<Taint>& self) {
      return std::ranges::all_of(self, [](const Taint& t) { return IsTaintEffect(t.effect); });
    }>("self.all(t, t.effect in ['NoSchedule', 'PreferNoSchedule', 'NoExecute'])",
       "effect must be NoSchedule, PreferNoSchedule or NoExecute"),
};

}  // namespace berth::api
