#include <CLI/CLI.hpp>
#include <memory>

#include "api/core/event.h"
#include "api/kueue/workload.h"
#include "cli/ctl/ctl_command.h"
#include "ctl/decoded.h"
#include "ctl/kinds.h"
#include "ctl/workload_life.h"

namespace berth::cli {
namespace {

struct LifeArguments {
  std::string name;
  std::string output = "human";
};

// NAME, TYPE/NAME or NAMESPACE/NAME.
struct WorkloadWord {
  std::string namespace_;
  std::string kind;  // "" for any
  std::string name;
};

WorkloadWord ReadWord(const std::string& text, const std::string& present_namespace) {
  const size_t slash = text.find('/');
  if (slash == std::string::npos) return {present_namespace, "", text};
  const ctl::NamedKind* kind = ctl::FindKnownKind(text.substr(0, slash));
  if (kind == nullptr) return {text.substr(0, slash), "", text.substr(slash + 1)};
  const bool is_workload = kind->resource.kind == "Workload";
  return {present_namespace, is_workload ? "" : kind->resource.kind, text.substr(slash + 1)};
}

template <class T>
base::Result<std::vector<T>> ListIn(ctl::Cluster& cluster, const std::string& namespace_name,
                                    const std::string& field_selector) {
  const auto objects = cluster.List(
      store::ResourceOf<T>(),
      {.namespace_ = namespace_name, .label_selector = {}, .field_selector = field_selector});
  if (!objects) return std::unexpected(objects.error());
  return ctl::Decoded<T>(*objects);
}

base::Result<std::string> PrintLife(CtlSession& session, const LifeArguments& arguments) {
  const auto cluster = session.Connect();
  if (!cluster) return std::unexpected(cluster.error());
  const WorkloadWord word = ReadWord(arguments.name, session.namespace_name());
  const auto workloads = ListIn<api::Workload>(**cluster, word.namespace_, "");
  if (!workloads) return std::unexpected(workloads.error());
  const auto workload = ctl::FindWorkload(*workloads, word.kind, word.name);
  if (!workload) return std::unexpected(workload.error());
  const auto events = ListIn<api::Event>(**cluster, word.namespace_,
                                         "involvedObject.uid=" + (*workload)->metadata.uid);
  if (!events) return std::unexpected(events.error());
  const std::vector<ctl::LifeStep> life = ctl::LifeOf(**workload, *events);
  return arguments.output == "json" ? ctl::LifeJson(**workload, life)
                                    : ctl::LifeTable(life).ToText();
}

CtlAction DeclareHistory(CLI::App& app) {
  auto arguments = std::make_shared<LifeArguments>();
  app.add_option("WORKLOAD", arguments->name, "Workload or job: NAME, TYPE/NAME or NAMESPACE/NAME")
      ->required()
      ->option_text(" ");
  app.add_option("-o,--output", arguments->output, "Output format (default: human)")
      ->check(CLI::IsMember({"human", "json"}))
      ->option_text("human|json");
  return
      [arguments](CtlSession& session) { return session.Conclude(PrintLife(session, *arguments)); };
}

}  // namespace

CtlCommand HistoryCommand() {
  return {"history",
          "",
          {},
          "Show the life of a workload: its conditions, and the Events that are left",
          "  kubectl kueue history job/train -n team-a\n"
          "  kubectl kueue history job-train-2f6c1 -o json",
          &DeclareHistory};
}

}  // namespace berth::cli
