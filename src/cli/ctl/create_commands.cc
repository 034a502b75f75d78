#include <CLI/CLI.hpp>
#include <memory>

#include "cli/ctl/ctl_command.h"
#include "ctl/create.h"
#include "ctl/failure.h"
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

// A flag that takes comma-separated values.
void AddValues(CLI::App& app, const char* names, std::vector<std::string>& values, const char* what,
               const char* label) {
  app.add_option(names, values, what)->allow_extra_args(false)->option_text(label);
}

// The object as stored; in a dry run of the client, which needs no cluster, as it is.
base::Result<store::Object> StoreObject(CtlSession& session, const store::Resource& resource,
                                        const std::string& object, ctl::DryRun dry_run) {
  if (dry_run == ctl::DryRun::kClient) return store::Object::FromJson(object);
  const auto cluster = session.Connect();
  if (!cluster) return std::unexpected(cluster.error());
  return (*cluster)->Create(resource, object, dry_run);
}

template <class T>
base::Result<std::string> CreateObject(CtlSession& session, const T& object,
                                       const WriteFlags& flags) {
  const auto options = ReadWriteFlags(flags);
  if (!options) return std::unexpected(options.error());
  const store::Resource resource = store::ResourceOf<T>();
  const auto created = StoreObject(session, resource, schema::Encode(object), options->dry_run);
  if (!created) return std::unexpected(created.error());
  return ctl::PrintObject(*created, resource, options->format, "created", options->dry_run);
}

CtlAction DeclareCreateClusterQueue(CLI::App& app) {
  struct Arguments : WriteFlags {
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
  AddWriteFlags(app, *arguments);
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
  const auto found = (*cluster)->TryGet({.resource = store::ResourceOf<api::ClusterQueue>(),
                                         .namespace_ = {},
                                         .name = name,
                                         .subresource = {}});
  if (found) return {};
  base::Error error = ctl::ErrorOf(found.error());
  if (found.error().IsNotFound())
    error.hint = "create it first, or give --ignore-unknown-cq to create it later";
  return std::unexpected(std::move(error));
}

CtlAction DeclareCreateLocalQueue(CLI::App& app) {
  struct Arguments : WriteFlags {
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
  AddWriteFlags(app, *arguments);
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
  struct Arguments : WriteFlags {
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
  AddWriteFlags(app, *arguments);
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
