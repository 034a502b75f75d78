#include <map>
#include <tuple>

#include "lint/checks.h"

namespace berth::lint {
namespace {

// Group, kind, namespace, name. The version does not distinguish objects.
using Identity = std::tuple<std::string, std::string, std::string, std::string>;

Identity IdentityOf(const Entry& entry) {
  const api::Manifest& manifest = *entry.manifest;
  const size_t slash = manifest.api_version.find('/');
  const std::string group =
      slash == std::string::npos ? std::string() : manifest.api_version.substr(0, slash);
  return {group, manifest.kind, entry.metadata().namespace_, entry.metadata().name};
}

bool AreEqual(const Entry& a, const Entry& b) {
  if (a.object && b.object) return a.object->Encode() == b.object->Encode();
  return a.manifest->source.json == b.manifest->source.json;
}

void ReportDuplicate(const Entry& first, const Entry& second, Report& report) {
  const bool is_same_file = first.manifest->source.file == second.manifest->source.file;
  const bool is_equal = AreEqual(first, second);
  if (is_equal && !is_same_file) return;
  Report::Detail detail{.field = "metadata.name",
                        .message = "another " + second.manifest->kind + " of this name is at " +
                                   base::ToString(report.PlaceOf(first, "metadata.name")),
                        .hint = is_same_file ? "rename one or remove it"
                                             : "if both files are applied, the last one wins"};
  is_same_file && !is_equal ? report.Error(second, "duplicate-object", std::move(detail))
                            : report.Warn(second, "duplicate-object", std::move(detail));
}

}  // namespace

void CheckDuplicates(const Catalog& catalog, Report& report) {
  std::map<Identity, const Entry*> seen;
  for (const Entry& entry : catalog.entries()) {
    if (entry.manifest->kind.empty() || entry.metadata().name.empty()) continue;
    const auto [first, is_new] = seen.try_emplace(IdentityOf(entry), &entry);
    if (!is_new) ReportDuplicate(*first->second, entry, report);
  }
}

}  // namespace berth::lint
