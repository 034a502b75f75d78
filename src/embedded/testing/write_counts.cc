#include "embedded/testing/write_counts.h"

#include <variant>

namespace berth::embedded::testing {
namespace {

std::string VerbOf(const store::Get&) { return ""; }
std::string VerbOf(const store::List&) { return ""; }
std::string VerbOf(const store::Create&) { return "create "; }
std::string VerbOf(const store::Update&) { return "update "; }
std::string VerbOf(const store::Patch&) { return "patch "; }
std::string VerbOf(const store::Delete&) { return "delete "; }
std::string VerbOf(const store::DeleteCollection&) { return "delete all "; }

std::string NameOfWrite(const store::Call& call) {
  std::string name = std::visit([](const auto& specific) { return VerbOf(specific); }, call);
  if (name.empty()) return name;
  name += std::visit([](const auto& specific) { return specific.resource.plural; }, call);
  const auto* patch = std::get_if<store::Patch>(&call);
  return patch == nullptr || patch->subresource.empty() ? name : name + "/" + patch->subresource;
}

}  // namespace

store::Taps WriteCounts::Taps() {
  return {.on_call =
              [this](const store::Call& call, store::Proceed proceed) {
                Count(call);
                proceed();
              },
          .on_event = nullptr};
}

void WriteCounts::Count(const store::Call& call) {
  const std::string name = NameOfWrite(call);
  if (name.empty()) return;
  const std::lock_guard lock(mutex_);
  ++counts_[name];
}

WriteCounts::Counts WriteCounts::all() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

size_t WriteCounts::Of(std::string_view write) const {
  const std::lock_guard lock(mutex_);
  const auto found = counts_.find(write);
  return found == counts_.end() ? 0 : found->second;
}

}  // namespace berth::embedded::testing
