#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

// Job frameworks that a Configuration can list in integrations.frameworks.
namespace berth::api {

struct IntegrationName {
  std::string_view framework;  // "batch/job"
  std::string_view group;      // "" for the core group
  std::string_view version;
  std::string_view kind;
  bool is_dispatched = true;  // supported by MultiKueue
};

std::span<const IntegrationName> AllIntegrations();
// Null if no framework has this name.
const IntegrationName* FindIntegration(std::string_view framework);

// A kind written as "Kind.version.group.com". Nullopt if it has fewer than two dots.
struct KindReference {
  std::string_view kind;
  std::string_view version;
  std::string_view group;

  friend bool operator==(const KindReference&, const KindReference&) = default;
  friend auto operator<=>(const KindReference&, const KindReference&) = default;
};
std::optional<KindReference> ParseKindReference(std::string_view text);

}  // namespace berth::api
