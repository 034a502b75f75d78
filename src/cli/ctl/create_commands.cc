#include <CLI/CLI.hpp>
#include <memory>

#include "cli/ctl/ctl_command.h"
#include "ctl/create.h"
#include "schema/encode.h"

namespace berth::cli {
namespace {

constexpr std::string_view kCreateClusterQueueExamples =
    R"(  # A ClusterQueue without quota
  kubectl kueue create clusterqueue team-a

  # With a cohort and policies
  kubectl kueue create clusterqueue team-a --cohort research --queuing-strategy StrictFIFO \
    --namespace-selector team=a --reclaim-within-cohort Any \
    --preemption-within-cluster-queue LowerPriority

  # With quota in two flavors
  kubectl kueue create cq team-a --cohort research \
    --nominal-quota "on-demand:cpu=9;memory=36Gi,spot:cpu=18;memory=72Gi" \
    --borrowing-limit "on-demand:cpu=1;memory=1Gi,spot:cpu=2;memory=2Gi")";

constexpr std::string_view kCreateLocalQueueExamples =
    R"(  kubectl kueue create localqueue main -c team-a -n team-a

  # Before the ClusterQueue exists
  kubectl kueue create lq main -c team-a --ignore-unknown-cq)";

constexpr std::string_view kCreateResourceFlavorExamples =
    R"(  kubectl kueue create resourceflavor spot --node-labels cloud.example.com/pool=spot

  kubectl kueue create rf spot --node-taints spot=true:NoSchedule \
    --tolerations spot=true:NoSchedule,other)";

// Flags of every `create`.
struct CreateFlags {
  OutputFlags output;
  std::string dry_run;
};

void AddCreateFlags(CLI::App& app, CreateFlags& flags) {
  AddOutputFlags(app, flags.output);
  AddDryRunFlag(app, flags.dry_run);
}

// A flag that takes comma-separated values.
void AddValues(CLI::App& app, const char* names, std::vector<std::string>& values, const char* what,
               const char* label) {
  app.add_option(names, values, what)->allow_extra_args(false)->option_text(label);
}

template <class T>
base::Result<std::string> CreateObject(CtlSession& session, const T& object,
                                       const CreateFlags& flags) {
  const auto format = flags.output.Read();
  if (!format) return std::unexpected(format.error());
  const auto dry_run = ReadDryRun(flags.dry_run);
  if (!dry_run) return std::unexpected(dry_run.error());
  const auto cluster = session.Connect();
  if (!cluster) return std::unexpected(cluster.error());
  const store::Resource resource = store::ResourceOf<T>();
  const auto created = (*cluster)->Create(resource, schema::Encode(object), *dry_run);
  if (!created) return std::unexpected(created.error());
  return ctl::PrintObject(*created, resource, *format, "created", *dry_run);
}

CtlAction DeclareCreateClusterQueue(CLI::App& app) {
  struct Arguments : CreateFlags {
    ctl::ClusterQueueFlags queue;
  };
  auto arguments = std::make_shared<Arguments>();
  ctl::ClusterQueueFlags& queue = arguments->queue;
  AddNameArgument(app, queue.name);
  app.add_option("--cohort", queue.cohort, "Cohort of the ClusterQueue")->option_text("NAME");
  app.add_option("--queuing-strategy", queue.queueing_strategy,
                 "Queueing strategy (default: BestEffortFIFO)")
      ->option_text("StrictFIFO|BestEffortFIFO");
  AddValues(app, "--namespace-selector", queue.namespace_selector,
            "Labels of the namespaces that may use the queue (default: all)", "KEY=VALUE,...");
  app.add_option("--reclaim-within-cohort", queue.reclaim_within_cohort,
                 "Whether it may preempt borrowers of its quota (default: Never)")
      ->option_text("POLICY");
  app.add_option("--preemption-within-cluster-queue", queue.preemption_within_cluster_queue,
                 "Whether it may preempt its own workloads (default: Never)")
      ->option_text("POLICY");
  constexpr const char* kQuota = "FLAVOR:RESOURCE=QUANTITY;...";
  AddValues(app, "--nominal-quota", queue.quotas.nominal_quota, "Quota of its own", kQuota);
  AddValues(app, "--borrowing-limit", queue.quotas.borrowing_limit, "Most that it may borrow",
            kQuota);
  AddValues(app, "--lending-limit", queue.quotas.lending_limit, "Most that it lends", kQuota);
  AddCreateFlags(app, *arguments);
  return [arguments](CtlSession& session) {
    const auto made = ctl::MakeClusterQueue(arguments->queue);
    return made ? session.Conclude(CreateObject(session, *made, *arguments))
                : session.Fail(made.error());
  };
}

// The ClusterQueue must exist, unless it need not be known.
base::Result<void> CheckClusterQueue(CtlSession& session, const std::string& name) {
  const auto cluster = session.Connect();
  if (!cluster) return std::unexpected(cluster.error());
  const auto found = (*cluster)->Get({.resource = store::ResourceOf<api::ClusterQueue>(),
                                      .namespace_ = {},
                                      .name = name,
                                      .subresource = {}});
  if (found) return {};
  base::Error error = found.error();
  if (error.hint.empty()) error.hint = "give --ignore-unknown-cq to create the LocalQueue first";
  return std::unexpected(std::move(error));
}

CtlAction DeclareCreateLocalQueue(CLI::App& app) {
  struct Arguments : CreateFlags {
    ctl::LocalQueueFlags queue;
    bool ignores_unknown = false;
  };
  auto arguments = std::make_shared<Arguments>();
  AddNameArgument(app, arguments->queue.name);
  app.add_option("-c,--clusterqueue", arguments->queue.cluster_queue,
                 "ClusterQueue that it points to")
      ->required()
      ->option_text("NAME");
  app.add_flag("-i,--ignore-unknown-cq", arguments->ignores_unknown,
               "Do not check that the ClusterQueue exists");
  AddCreateFlags(app, *arguments);
  return [arguments](CtlSession& session) {
    if (const auto connected = session.Connect(); !connected)
      return session.Fail(connected.error());
    if (!arguments->ignores_unknown) {
      if (const auto checked = CheckClusterQueue(session, arguments->queue.cluster_queue); !checked)
        return session.Fail(checked.error());
    }
    return session.Conclude(CreateObject(
        session, ctl::MakeLocalQueue(arguments->queue, session.namespace_name()), *arguments));
  };
}

CtlAction DeclareCreateResourceFlavor(CLI::App& app) {
  struct Arguments : CreateFlags {
    ctl::ResourceFlavorFlags flavor;
  };
  auto arguments = std::make_shared<Arguments>();
  ctl::ResourceFlavorFlags& flavor = arguments->flavor;
  AddNameArgument(app, flavor.name);
  AddValues(app, "--node-labels", flavor.node_labels, "Labels of its nodes", "KEY=VALUE,...");
  AddValues(app, "--node-taints", flavor.node_taints, "Taints of its nodes",
            "KEY[=VALUE]:EFFECT,...");
  AddValues(app, "--tolerations", flavor.tolerations, "Tolerations that its pods get",
            "KEY[=VALUE][:EFFECT],...");
  AddCreateFlags(app, *arguments);
  return [arguments](CtlSession& session) {
    const auto made = ctl::MakeResourceFlavor(arguments->flavor);
    return made ? session.Conclude(CreateObject(session, *made, *arguments))
                : session.Fail(made.error());
  };
}

}  // namespace

std::vector<CtlCommand> CreateCommands() {
  return {{"create", "clusterqueue", kClusterQueueAliases, "Create a ClusterQueue",
           kCreateClusterQueueExamples, &DeclareCreateClusterQueue},
          {"create", "localqueue", kLocalQueueAliases, "Create a LocalQueue",
           kCreateLocalQueueExamples, &DeclareCreateLocalQueue},
          {"create", "resourceflavor", kResourceFlavorAliases, "Create a ResourceFlavor",
           kCreateResourceFlavorExamples, &DeclareCreateResourceFlavor}};
}

}  // namespace berth::cli
