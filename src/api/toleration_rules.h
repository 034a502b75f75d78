#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "api/toleration.h"
#include "schema/describe.h"

// What the API server demands of tolerations and taints outside of pods, for schema::Field::Rules.
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
       "operator must be Exists where key is left out, which tolerates every taint"),
    EveryToleration<[](const Toleration& t) {
      return !t.toleration_seconds || t.effect == kNoExecute;
    }>("self.all(t, !has(t.tolerationSeconds) || t.effect == 'NoExecute')",
       "effect must be NoExecute where tolerationSeconds is given"),
    // Outside of pods, Lt and Gt are not accepted.
    EveryToleration<[](const Toleration& t) {
      return t.op.empty() || t.op == kTolerationEqual || t.op == kTolerationExists;
    }>("self.all(t, !has(t.operator) || t.operator in ['Equal', 'Exists'])",
       "operator must be Equal, which is the default, or Exists"),
    EveryToleration<[](const Toleration& t) {
      return t.op != kTolerationExists || t.value.empty();
    }>("self.all(t, !has(t.operator) || t.operator != 'Exists' || !has(t.value))",
       "value must be left out where operator is Exists"),
    EveryToleration<[](const Toleration& t) {
      return t.effect.empty() || IsTaintEffect(t.effect);
    }>("self.all(t, !has(t.effect) || t.effect in ['NoSchedule', 'PreferNoSchedule', 'NoExecute'])",
       "effect must be NoSchedule, PreferNoSchedule or NoExecute, or left out for all of them"),
};

inline constexpr schema::Rule kTaintRules[] = {
    schema::Must<[](const std::vector<Taint>& self) {
      return std::ranges::all_of(self, [](const Taint& t) { return IsTaintEffect(t.effect); });
    }>("self.all(t, t.effect in ['NoSchedule', 'PreferNoSchedule', 'NoExecute'])",
       "effect must be NoSchedule, PreferNoSchedule or NoExecute"),
};

}  // namespace berth::api
