// Every write is admitted or rejected without a crash, and mutation is idempotent. The first lines
// of the input are apiVersion, kind, subresource and the old object ("" on create); the rest is the
// object.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/check.h"
#include "webhook/admission_reviewer.h"

namespace {

using namespace berth;

std::string_view TakeLine(std::string_view& text) {
  const size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

// From a line with the apiVersion and one with the kind.
store::Resource TakeResource(std::string_view& text) {
  const std::string_view api_version = TakeLine(text);
  const size_t slash = api_version.find('/');
  const bool has_group = slash != std::string_view::npos;
  return {.group = std::string(has_group ? api_version.substr(0, slash) : ""),
          .version = std::string(has_group ? api_version.substr(slash + 1) : api_version),
          .plural = "",
          .kind = std::string(TakeLine(text))};
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
  std::optional<json::value> FindOwner(std::string_view,
                                       const api::OwnerReference&) const override {
    return std::nullopt;
  }
};

webhook::AdmissionReviewer MakeReviewer() {
  api::Configuration configuration;
  api::ApplyConfigurationDefaults(configuration);
  return {configuration, api::FeatureGates(), jobs::IntegrationSet::BuiltIn()};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const webhook::AdmissionReviewer kReviewer = MakeReviewer();
  std::string_view text(reinterpret_cast<const char*>(data), size);
  const store::Resource resource = TakeResource(text);
  webhook::AdmissionRequest request{.resource = resource,
                                    .subresource = TakeLine(text),
                                    .namespace_ = "default",
                                    .name = "",
                                    .user = ""};
  const auto old_object = json::Parse(TakeLine(text));
  if (old_object && old_object->is_object()) request.old_object = &*old_object;
  const auto object = json::Parse(text);
  if (!object || !object->is_object()) return 0;

  const SomeLookup lookup;
  const auto changed = kReviewer.Mutate(request, *object, lookup);
  if (!changed) return 0;
  const auto again = kReviewer.Mutate(request, *changed, lookup);
  CHECK(again.has_value());
  CHECK(*again == *changed);
  std::vector<std::string> warnings;
  const schema::Problems problems = kReviewer.Validate(request, *changed, lookup, warnings);
  if (!problems.empty()) CHECK(!webhook::DenialMessage(resource.kind, problems).empty());
  return 0;
}
