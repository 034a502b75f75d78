#include <algorithm>
#include <set>

#include "api/kueue/cohort.h"
#include "api/meta/problem_report.h"
#include "lint/checks.h"

namespace berth::lint {
namespace {

std::string ParentOf(const Catalog& catalog, std::string_view name) {
  const auto* cohort = catalog.Find<api::Cohort>(name);
  return cohort == nullptr ? std::string() : cohort->spec.parent_name.value_or("");
}

// The cycle from a cohort through its parents back to itself; empty if there is none.
std::vector<std::string> CycleFrom(const Catalog& catalog, const std::string& start) {
  std::vector<std::string> way = {start};
  std::set<std::string> seen = {start};
  for (std::string at = ParentOf(catalog, start); !at.empty(); at = ParentOf(catalog, at)) {
    way.push_back(at);
    if (at == start) return way;
    if (!seen.insert(at).second) return {};  // a cycle further up, reported for its own members
  }
  return {};
}

}  // namespace

void CheckCohorts(const Catalog& catalog, Report& report) {
  std::set<std::string> reported;
  catalog.ForEach<api::Cohort>([&](const Entry& entry, const api::Cohort& cohort) {
    if (reported.contains(cohort.metadata.name)) return;
    const std::vector<std::string> way = CycleFrom(catalog, cohort.metadata.name);
    if (way.empty()) return;
    reported.insert(way.begin(), way.end());
    std::string text = api::Quoted(way.front());
    for (size_t i = 1; i < way.size(); ++i) text += " → " + api::Quoted(way[i]);
    report.Error(
        entry, "cohort-cycle",
        {.field = "spec.parentName",
         .message = "Cohort is its own ancestor: " + text + "; queues below it stay inactive",
         .hint = "change or remove one parentName"});
  });
}

}  // namespace berth::lint
