#include <CLI/CLI.hpp>
#include <memory>

#include "api/kueue/cluster_queue.h"
#include "api/kueue/cohort.h"
#include "cli/ctl/ctl_command.h"
#include "ctl/decoded.h"
#include "ctl/queue_tree.h"

namespace berth::cli {
namespace {

base::Result<std::string> PrintTree(CtlSession& session, bool is_json) {
  const auto cluster = session.Connect();
  if (!cluster) return std::unexpected(cluster.error());
  const auto queues = ctl::ListDecoded<api::ClusterQueue>(**cluster);
  if (!queues) return std::unexpected(queues.error());
  const auto cohorts = ctl::ListDecoded<api::Cohort>(**cluster);
  if (!cohorts) return std::unexpected(cohorts.error());
  const std::vector<ctl::QueueTreeNode> tree = ctl::MakeQueueTree(*queues, *cohorts);
  if (is_json) return ctl::QueueTreeJson(tree);
  if (tree.empty()) session.ReportNothing(false);
  return tree.empty() ? std::string() : ctl::QueueTreeTable(tree).ToText();
}

CtlAction DeclareTree(CLI::App& app) {
  auto output = std::make_shared<std::string>("human");
  app.add_option("-o,--output", *output, "Output format (default: human)")
      ->check(CLI::IsMember({"human", "json"}))
      ->option_text("human|json");
  return [output](CtlSession& session) {
    return session.Conclude(PrintTree(session, *output == "json"));
  };
}

}  // namespace

CtlCommand TreeCommand() {
  return {"tree",
          "",
          {},
          "Show the tree of cohorts with nominal, used and borrowed quota",
          "  kubectl kueue tree\n  kubectl kueue tree -o json",
          &DeclareTree};
}

}  // namespace berth::cli
