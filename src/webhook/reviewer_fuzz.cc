// Any write of any object, as a webhook is asked about it, is changed or refused without trouble,
// and changing it once more changes nothing. The input has lines: apiVersion, kind, subresource and
// the object as it was ("" if it is created); the rest is the object.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/check.h"
#include "webhook/reviewer.h"

namespace {

using namespace berth;

std::string_view TakeLine(std::string_view& text) {
  const size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

// A cluster in which everything that begins with "a" exists.
class SomeLookup final : public webhook::Lookup {
 public:
  api::Labels NamespaceLabels(std::string_view) const override {
    api::Labels labels;
    labels["team"] = "a";
    return labels;
  }
  bool HasLocalQueue(std::string_view, std::string_view name) const override {
    return name.starts_with('a');
  }
  bool HasWorkloadPriorityClass(std::string_view name) const override {
    return name.starts_with('a');
  }
  std::optional<store::json::value> FindOwner(std::string_view,
                                              const api::OwnerReference&) const override {
    return std::nullopt;
  }
};

webhook::Reviewer MakeReviewer() {
  api::Configuration configuration;
  api::ApplyConfigurationDefaults(configuration);
  return {configuration, api::FeatureGates(), jobs::IntegrationSet::BuiltIn()};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const webhook::Reviewer kReviewer = MakeReviewer();
  std::string_view text(reinterpret_cast<const char*>(data), size);
  webhook::Attempt attempt;
  attempt.api_version = TakeLine(text);
  attempt.kind = TakeLine(text);
  attempt.subresource = TakeLine(text);
  attempt.namespace_ = "default";
  const auto old_object = store::ParseJson(TakeLine(text));
  if (old_object && old_object->is_object()) attempt.old_object = &*old_object;
  const auto object = store::ParseJson(text);
  if (!object || !object->is_object()) return 0;

  const SomeLookup lookup;
  const auto changed = kReviewer.Mutate(attempt, *object, lookup);
  if (!changed) return 0;
  const auto again = kReviewer.Mutate(attempt, *changed, lookup);
  CHECK(again.has_value());
  CHECK(*again == *changed);
  std::vector<std::string> warnings;
  const schema::Problems problems = kReviewer.Validate(attempt, *changed, lookup, warnings);
  if (!problems.empty()) CHECK(!webhook::DenialMessage(attempt.kind, problems).empty());
  return 0;
}
