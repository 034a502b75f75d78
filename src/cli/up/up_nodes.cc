#include "cli/up/up_nodes.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "api/core/toleration_rules.h"
#include "api/meta/label_rules.h"
#include "api/meta/manifest.h"
#include "api/meta/names.h"
#include "api/meta/problem_report.h"
#include "cli/input.h"
#include "cli/printable.h"
#include "simulate/trace/generator.h"
#include "simulate/trace/node_generator.h"

namespace berth::cli {
namespace {

void Print(const schema::Problems& problems, Output& err) {
  for (const schema::Problem& problem : problems)
    err << "berth: " << Printable(schema::ToString(problem)) << "\n";
}

// Rules of an API server for Nodes, and names that are unique in the file.
class NodeChecker {
 public:
  void Check(const api::Node& node, api::Manifest& manifest) {
    api::ProblemReport report;
    {
      const auto in = report.In("metadata");
      CheckName(node.metadata.name, report);
      api::ValidateLabels(node.metadata.labels, "labels", report);
      api::ValidateAnnotations(node.metadata.annotations, "annotations", report);
    }
    const auto in = report.In("spec");
    for (size_t i = 0; i < node.spec.taints.size(); ++i) {
      const auto at = report.In("taints", i);
      CheckTaint(node.spec.taints[i], report);
    }
    for (schema::Problem& problem : std::move(report).Take()) {
      problem.place = api::Locate(manifest.source, problem.field);
      manifest.problems.push_back(std::move(problem));
    }
  }

 private:
  void CheckName(const std::string& name, api::ProblemReport& report) {
    if (name.empty()) return report.Required("name", "name is missing", "write name:");
    for (const std::string& fault : api::Dns1123SubdomainProblems(name))
      report.Invalid("name", api::Quoted(name) + " is not a valid name", "a name " + fault);
    if (!names_.insert(name).second)
      report.Duplicate("name", "another Node of the file has this name", "write a name for each");
  }

  static void CheckTaint(const api::Taint& taint, api::ProblemReport& report) {
    api::ReportFaults(taint.key, api::QualifiedNameProblems(taint.key), "key", report);
    api::ReportFaults(taint.value, api::LabelValueProblems(taint.value), "value", report);
    if (!api::IsTaintEffect(taint.effect))
      report.NotSupported("effect", api::Quoted(taint.effect) + " is not an effect of a taint",
                          "write NoSchedule, PreferNoSchedule or NoExecute");
  }

  std::set<std::string> names_;
};

std::optional<std::vector<api::Node>> FromManifests(std::vector<api::Manifest> manifests,
                                                    Output& err) {
  std::vector<api::Node> nodes;
  NodeChecker checker;
  bool has_failed = false;
  for (api::Manifest& manifest : manifests) {
    api::Node* node = manifest.object ? manifest.object->As<api::Node>() : nullptr;
    if (node != nullptr) checker.Check(*node, manifest);
    Print(manifest.problems, err);
    has_failed |= !manifest.problems.empty();
    if (node != nullptr) {
      nodes.push_back(std::move(*node));
    } else if (manifest.problems.empty()) {
      err << "berth: --nodes: " << Printable(manifest.kind) << " "
          << Printable(manifest.metadata().name) << " is not a Node\n  give it with -f\n";
      has_failed = true;
    }
  }
  if (has_failed) return std::nullopt;
  return nodes;
}

std::optional<std::vector<api::Node>> Generated(const std::string& text, const std::string& file,
                                                Output& err) {
  const auto read = simulate::ReadGenerator(text, DisplayName(file));
  if (!read) {
    Print(read.error(), err);
    return std::nullopt;
  }
  if (!read->cohorts.empty()) {
    err << "berth: --nodes: " << Printable(DisplayName(file))
        << " has queues and jobs, too\n  keep nodes or a topology alone\n";
    return std::nullopt;
  }
  const auto failing =
      std::ranges::find_if(read->nodes, [](const auto& pool) { return !pool.fails_after.empty(); });
  if (failing != read->nodes.end()) {
    err << "berth: --nodes: " << Printable(DisplayName(file)) << " has nodes with failsAfter "
        << Printable(failing->fails_after)
        << "\n  remove it, and make nodes fail with kubectl: see berth up --help\n";
    return std::nullopt;
  }
  std::vector<api::Node> nodes;
  const auto add = [&](const simulate::GeneratedNodes& pool) {
    std::ranges::move(simulate::MakeNodes(pool), std::back_inserter(nodes));
  };
  if (read->topology) add(simulate::PoolOf(*read->topology, read->resource_flavor));
  for (const simulate::GeneratedNodes& pool : read->nodes) add(pool);
  return nodes;
}

}  // namespace

std::optional<std::vector<api::Node>> ReadNodes(const std::string& file, Output& err) {
  const base::Result<std::string> text = ReadInput(file);
  if (!text) {
    err << "berth: " << Printable(base::ToString(text.error())) << "\n";
    return std::nullopt;
  }
  return ReadNodes(*text, file, err);
}

std::optional<std::vector<api::Node>> ReadNodes(const std::string& text, const std::string& file,
                                                Output& err) {
  std::vector<api::Manifest> manifests =
      api::ReadManifests(text, {.file = DisplayName(file), .is_strict = true});
  const bool has_kinds = std::ranges::any_of(
      manifests, [](const api::Manifest& manifest) { return !manifest.kind.empty(); });
  return has_kinds ? FromManifests(std::move(manifests), err) : Generated(text, file, err);
}

}  // namespace berth::cli
