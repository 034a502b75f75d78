#include "ctl/kinds.h"

#include <algorithm>
#include <utility>

#include "api/meta/registry.h"
#include "base/text.h"
#include "jobs/integration_set.h"
#include "json/json.h"

namespace berth::ctl {
namespace {

// "batch/v1" as group and version.
std::pair<std::string, std::string> SplitVersion(std::string_view api_version) {
  const size_t slash = api_version.find('/');
  if (slash == std::string_view::npos) return {"", std::string(api_version)};
  return {std::string(api_version.substr(0, slash)), std::string(api_version.substr(slash + 1))};
}

NamedKind NamedKindOf(const schema::Kind& kind) {
  return {
      .resource = store::ResourceOf(kind),
      .singular = kind.singular.empty() ? base::LowerCase(kind.kind) : std::string(kind.singular),
      .short_names = {kind.short_names.begin(), kind.short_names.end()}};
}

NamedKind NamedKindOf(const jobs::Integration& integration) {
  auto [group, version] = SplitVersion(integration.api_version);
  return {.resource = {.group = std::move(group),
                       .version = std::move(version),
                       .plural = integration.plural,
                       .kind = integration.kind,
                       .is_namespaced = true},
          .singular = base::LowerCase(integration.kind),
          .short_names = {}};
}

std::vector<NamedKind> AllNamedKinds() {
  std::vector<NamedKind> kinds;
  for (const schema::Kind* kind : api::AllKinds())
    if (!kind->plural.empty()) kinds.push_back(NamedKindOf(*kind));
  for (const jobs::Integration& integration : jobs::IntegrationSet::BuiltIn().all()) {
    NamedKind kind = NamedKindOf(integration);
    const bool is_listed = std::ranges::any_of(kinds, [&](const NamedKind& other) {
      return other.resource.group == kind.resource.group &&
             other.resource.kind == kind.resource.kind;
    });
    if (!is_listed) kinds.push_back(std::move(kind));
  }
  return kinds;
}

bool IsCalled(const NamedKind& kind, std::string_view word) {
  return word == kind.resource.plural || word == kind.singular ||
         std::ranges::find(kind.short_names, word) != kind.short_names.end();
}

// The kinds of a group version on the server: an APIResourceList.
base::Result<json::value> ReadServedKinds(Cluster& cluster, const std::string& group,
                                          const std::string& version) {
  const auto list = cluster.Get({.resource = {.group = group,
                                              .version = version,
                                              .plural = {},
                                              .kind = "APIResourceList",
                                              .is_namespaced = false},
                                 .namespace_ = {},
                                 .name = {},
                                 .subresource = {}});
  if (!list) return std::unexpected(list.error());
  return json::Parse(list->text());
}

// The served kind whose kind or plural, singular or short name is the word.
base::Result<NamedKind> FindServedKind(Cluster& cluster, const std::string& group,
                                       const std::string& version, std::string_view word) {
  const auto served = ReadServedKinds(cluster, group, version);
  if (!served) return std::unexpected(served.error());
  const json::value* resources = json::Find(*served, {"resources"});
  if (resources != nullptr && resources->is_array()) {
    for (const json::value& entry : resources->get_array()) {
      const std::string_view plural = json::StringAt(entry, {"name"});
      const std::string_view kind = json::StringAt(entry, {"kind"});
      const std::string_view singular = json::StringAt(entry, {"singularName"});
      if (plural.find('/') != std::string_view::npos) continue;
      if (word != plural && word != kind && word != singular) continue;
      return NamedKind{.resource = {.group = group,
                                    .version = version,
                                    .plural = std::string(plural),
                                    .kind = std::string(kind),
                                    .is_namespaced = json::IsTrue(entry, "namespaced")},
                       .singular = singular.empty() ? base::LowerCase(kind) : std::string(singular),
                       .short_names = {}};
    }
  }
  return base::Fail("the server doesn't have a resource type \"" + std::string(word) + "\" in " +
                    group + "/" + version);
}

}  // namespace

std::span<const NamedKind> KnownKinds() {
  static const std::vector<NamedKind> kKinds = AllNamedKinds();
  return kKinds;
}

const NamedKind* FindKnownKind(std::string_view word) {
  const std::string lower = base::LowerCase(word);
  const size_t dot = lower.find('.');
  const std::string_view type = std::string_view(lower).substr(0, dot);
  const std::string_view rest =
      dot == std::string::npos ? std::string_view() : std::string_view(lower).substr(dot + 1);
  for (const NamedKind& kind : KnownKinds()) {
    if (!IsCalled(kind, type)) continue;
    if (rest.empty() || rest == kind.resource.group ||
        rest == kind.resource.version + "." + kind.resource.group)
      return &kind;
  }
  return nullptr;
}

const NamedKind* FindKnownKind(std::string_view api_version, std::string_view kind) {
  const std::string group = SplitVersion(api_version).first;
  for (const NamedKind& known : KnownKinds())
    if (known.resource.group == group && known.resource.kind == kind) return &known;
  return nullptr;
}

base::Result<NamedKind> FindOwnerKind(Cluster& cluster, const std::string& api_version,
                                      const std::string& kind) {
  if (const NamedKind* known = FindKnownKind(api_version, kind)) return *known;
  const auto [group, version] = SplitVersion(api_version);
  return FindServedKind(cluster, group, version, kind);
}

base::Result<ForObject> ReadForObject(Cluster& cluster, const std::string& text) {
  const size_t slash = text.find('/');
  if (slash == std::string::npos || text.find('/', slash + 1) != std::string::npos || slash == 0 ||
      slash + 1 == text.size())
    return base::Fail("invalid value '" + text +
                          "' used in --for flag; value must be in the format "
                          "TYPE[.API-GROUP]/NAME",
                      "write it like --for job/train");
  const std::string type = text.substr(0, slash), name = text.substr(slash + 1);
  if (const NamedKind* known = FindKnownKind(type)) return ForObject{*known, name};
  const size_t first = type.find('.');
  const size_t second = first == std::string::npos ? first : type.find('.', first + 1);
  if (second == std::string::npos)
    return base::Fail("the server doesn't have a resource type \"" + type + "\"",
                      "name a kind that is no built-in job kind with its version and group, such "
                      "as --for jobs.v1.example.com/" +
                          name);
  auto kind =
      FindServedKind(cluster, type.substr(second + 1), type.substr(first + 1, second - first - 1),
                     base::LowerCase(type.substr(0, first)));
  if (!kind) return std::unexpected(kind.error());
  return ForObject{std::move(*kind), name};
}

}  // namespace berth::ctl
