#include "cli/up/up_nodes.h"

#include <algorithm>
#include <iterator>

#include "api/meta/manifest.h"
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

std::optional<std::vector<api::Node>> FromManifests(std::vector<api::Manifest> manifests,
                                                    Output& err) {
  std::vector<api::Node> nodes;
  bool has_failed = false;
  for (api::Manifest& manifest : manifests) {
    Print(manifest.problems, err);
    has_failed |= !manifest.problems.empty();
    api::Node* node = manifest.object ? manifest.object->As<api::Node>() : nullptr;
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
  std::vector<api::Manifest> manifests =
      api::ReadManifests(*text, {.file = DisplayName(file), .is_strict = true});
  const bool has_kinds = std::ranges::any_of(
      manifests, [](const api::Manifest& manifest) { return !manifest.kind.empty(); });
  return has_kinds ? FromManifests(std::move(manifests), err) : Generated(*text, file, err);
}

}  // namespace berth::cli
