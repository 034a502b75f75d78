#include "control/change_batch.h"

namespace berth::control {

bool ChangeBatch::Hold(const schema::Kind& kind, const store::Change& change, base::Time now) {
  const store::Object& any = change.after != nullptr ? *change.after : *change.before;
  const Key key(&kind, any.key());
  if (change.before == nullptr || change.after == nullptr) {
    held_.erase(key);
    return false;
  }
  if (held_.contains(key)) return true;
  if (due_ <= now && held_.empty()) {
    due_ = now + kInterval;
    return false;
  }
  held_.emplace(key, *change.before);
  return true;
}

std::vector<ChangeBatch::Held> ChangeBatch::TakeDue(base::Time now) {
  std::vector<Held> taken;
  if (now < due_ || held_.empty()) return taken;
  for (auto& [key, before] : std::exchange(held_, {}))
    taken.push_back({.kind = key.first, .name = key.second, .before = before});
  due_ = now + kInterval;
  return taken;
}

}  // namespace berth::control
