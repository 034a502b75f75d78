#include "api/kueue/rules/resource_flavor_rules.h"

#include <set>
#include <utility>

#include "api/meta/label_rules.h"
#include "api/meta/names.h"

namespace berth::api {
namespace {

void ValidateTaints(const std::vector<Taint>& taints, ProblemReport& report) {
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (size_t i = 0; i < taints.size(); ++i) {
    const Taint& taint = taints[i];
    const auto at = report.In("nodeTaints", i);
    ReportFaults(taint.key, QualifiedNameProblems(taint.key), "key", report);
    if (const NameProblems faults = LabelValueProblems(taint.value); !faults.empty()) {
      report.Invalid("value", Quoted(taint.value) + " " + faults.front());
    }
    if (!seen.emplace(taint.effect, taint.key).second) {
      report.Duplicate("",
                       "there is a taint with key " + Quoted(taint.key) + " and effect " +
                           Quoted(taint.effect) + " already",
                       "a node has one taint for a key and effect; remove one of the two");
    }
  }
}

}  // namespace

void ValidateTolerations(const std::vector<Toleration>& tolerations, std::string_view field,
                         ProblemReport& report) {
  for (size_t i = 0; i < tolerations.size(); ++i) {
    const std::string& key = tolerations[i].key;
    if (key.empty() || IsLabelKey(key)) continue;
    const auto at = report.In(field, i);
    ReportFaults(key, QualifiedNameProblems(key), "key", report);
  }
}

schema::Problems ValidateResourceFlavor(const ResourceFlavor& flavor) {
  ProblemReport report;
  const auto in = report.In("spec");
  ValidateLabels(flavor.spec.node_labels, "nodeLabels", report);
  ValidateTaints(flavor.spec.node_taints, report);
  ValidateTolerations(flavor.spec.tolerations, "tolerations", report);
  return std::move(report).Take();
}

}  // namespace berth::api
