#include <algorithm>
#include <set>

#include "api/kueue/well_known.h"
#include "api/meta/problem_report.h"
#include "api/meta/registry.h"
#include "base/suggest.h"
#include "lint/checks.h"

namespace berth::lint {
namespace {

std::string_view GroupOf(std::string_view api_version) {
  const size_t slash = api_version.find('/');
  return slash == std::string_view::npos ? "" : api_version.substr(0, slash);
}

bool IsOurs(std::string_view group) {
  return group == api::kKueueGroup || group == api::kConfigurationGroup;
}

std::vector<std::string_view> KindsOfGroup(std::string_view group) {
  std::vector<std::string_view> kinds;
  for (const schema::Kind* kind : api::AllKinds()) {
    if (kind->group == group) kinds.push_back(kind->kind);
  }
  return kinds;
}

const schema::Kind* FindInGroup(std::string_view group, std::string_view name) {
  for (const schema::Kind* kind : api::AllKinds()) {
    if (kind->group == group && kind->kind == name) return kind;
  }
  return nullptr;
}

// A kind of Kueue's groups, by name.
const schema::Kind* FindOurs(std::string_view name) {
  const schema::Kind* found = FindInGroup(api::kKueueGroup, name);
  return found != nullptr ? found : FindInGroup(api::kConfigurationGroup, name);
}

// All kinds of Kueue's groups are known.
void CheckOurGroup(const Entry& entry, Report& report) {
  const api::Manifest& manifest = *entry.manifest;
  const std::string_view group = GroupOf(manifest.api_version);
  if (const schema::Kind* kind = FindInGroup(group, manifest.kind)) {
    report.Error(entry, "unknown-kind",
                 {.field = "apiVersion",
                  .message = manifest.kind + " has no version " + api::Quoted(manifest.api_version),
                  .hint = "write apiVersion: " + kind->ApiVersion()});
    return;
  }
  const std::vector<std::string_view> kinds = KindsOfGroup(group);
  std::string hint = base::DidYouMean(manifest.kind, kinds);
  if (hint.empty()) hint = "kinds of this group: " + api::QuotedList(kinds);
  report.Error(entry, "unknown-kind",
               {.field = "kind",
                .message = std::string(group) + " has no kind " + api::Quoted(manifest.kind),
                .hint = std::move(hint)});
}

// A foreign group, or a misspelt one.
void CheckOtherGroup(const Entry& entry, Report& report) {
  const api::Manifest& manifest = *entry.manifest;
  const std::string_view group = GroupOf(manifest.api_version);
  constexpr std::string_view kOurGroups[] = {api::kKueueGroup, api::kConfigurationGroup};
  const schema::Kind* ours = FindOurs(manifest.kind);
  if (ours != nullptr && !base::NearestWord(group, kOurGroups).empty()) {
    report.Warn(entry, "unknown-kind",
                {.field = "apiVersion",
                 .message = api::Quoted(manifest.api_version) + " is not the apiVersion of " +
                            manifest.kind,
                 .hint = "write apiVersion: " + ours->ApiVersion()});
    return;
  }
  const std::vector<std::string_view> kinds = KindsOfGroup(group);
  const std::string_view nearest = base::NearestWord(manifest.kind, kinds);
  if (nearest.empty() || nearest == manifest.kind) return;
  report.Warn(
      entry, "unknown-kind",
      {.field = "kind",
       .message = api::Quoted(manifest.api_version) + " has no kind " + api::Quoted(manifest.kind),
       .hint = "did you mean " + api::Quoted(nearest) + "?"});
}

}  // namespace

void CheckKinds(const Catalog& catalog, Report& report) {
  for (const Entry& entry : catalog.entries()) {
    const api::Manifest& manifest = *entry.manifest;
    if (manifest.known != nullptr || manifest.kind.empty() || manifest.api_version.empty())
      continue;
    IsOurs(GroupOf(manifest.api_version)) ? CheckOurGroup(entry, report)
                                          : CheckOtherGroup(entry, report);
  }
}

}  // namespace berth::lint
