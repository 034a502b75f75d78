#include <CLI/CLI.hpp>
#include <memory>

#include "api/kueue/cluster_queue.h"
#include "api/kueue/local_queue.h"
#include "api/kueue/workload.h"
#include "cli/ctl/ctl_command.h"
#include "ctl/stop.h"

namespace berth::cli {
namespace {

struct StopFlags : WriteFlags {
  std::string name;
  bool keeps_running = false;
};

std::shared_ptr<StopFlags> DeclareStopFlags(CLI::App& app) {
  auto flags = std::make_shared<StopFlags>();
  AddNameArgument(app, flags->name);
  AddWriteFlags(app, *flags);
  return flags;
}

void AddKeepRunningFlag(CLI::App& app, StopFlags& flags) {
  app.add_flag("--keep-already-running", flags.keeps_running,
               "Admit nothing more, but let admitted workloads run");
}

// Patches the object; `operation` is what is printed about it.
base::Result<std::string> PatchObject(CtlSession& session, const store::Resource& resource,
                                      const StopFlags& flags, const std::string& patch,
                                      std::string_view operation) {
  const auto options = ReadWriteFlags(flags);
  if (!options) return std::unexpected(options.error());
  const auto cluster = session.Connect();
  if (!cluster) return std::unexpected(cluster.error());
  const auto object =
      (*cluster)->Get({.resource = resource,
                       .namespace_ = resource.is_namespaced ? session.namespace_name() : "",
                       .name = flags.name,
                       .subresource = {}});
  if (!object) return std::unexpected(object.error());
  const auto patched = (*cluster)->Patch(resource, *object, patch, options->dry_run);
  if (!patched) return std::unexpected(patched.error());
  return ctl::PrintObject(*patched, resource, options->format, operation, options->dry_run);
}

template <class Queue>
CtlAction DeclareStopQueue(CLI::App& app) {
  auto flags = DeclareStopFlags(app);
  AddKeepRunningFlag(app, *flags);
  return [flags](CtlSession& session) {
    return session.Conclude(PatchObject(session, store::ResourceOf<Queue>(), *flags,
                                        ctl::StopQueuePatch(flags->keeps_running), ""));
  };
}

template <class Queue>
CtlAction DeclareResumeQueue(CLI::App& app) {
  auto flags = DeclareStopFlags(app);
  return [flags](CtlSession& session) {
    return session.Conclude(
        PatchObject(session, store::ResourceOf<Queue>(), *flags, ctl::ResumeQueuePatch(), ""));
  };
}

CtlAction DeclareStopWorkload(CLI::App& app) {
  auto flags = DeclareStopFlags(app);
  return [flags](CtlSession& session) {
    return session.Conclude(PatchObject(session, store::ResourceOf<api::Workload>(), *flags,
                                        ctl::StopWorkloadPatch(), "stopped"));
  };
}

CtlAction DeclareResumeWorkload(CLI::App& app) {
  auto flags = DeclareStopFlags(app);
  return [flags](CtlSession& session) {
    return session.Conclude(PatchObject(session, store::ResourceOf<api::Workload>(), *flags,
                                        ctl::ResumeWorkloadPatch(), "resumed"));
  };
}

}  // namespace

std::vector<CtlCommand> StopCommands() {
  return {
      {"stop", "workload", kWorkloadAliases,
       "Deactivate a Workload: its pods stop, and it is not admitted",
       "  kubectl kueue stop workload job-train-2f6c1 -n team-a", &DeclareStopWorkload},
      {"stop", "localqueue", kLocalQueueAliases, "Stop a LocalQueue and evict its workloads",
       "  kubectl kueue stop localqueue main -n team-a --keep-already-running",
       &DeclareStopQueue<api::LocalQueue>},
      {"stop", "clusterqueue", kClusterQueueAliases, "Stop a ClusterQueue and evict its workloads",
       "  kubectl kueue stop clusterqueue team-a --keep-already-running",
       &DeclareStopQueue<api::ClusterQueue>},
      {"resume", "workload", kWorkloadAliases, "Activate a Workload that was stopped",
       "  kubectl kueue resume workload job-train-2f6c1 -n team-a", &DeclareResumeWorkload},
      {"resume", "localqueue", kLocalQueueAliases, "Let a LocalQueue admit again",
       "  kubectl kueue resume localqueue main -n team-a", &DeclareResumeQueue<api::LocalQueue>},
      {"resume", "clusterqueue", kClusterQueueAliases, "Let a ClusterQueue admit again",
       "  kubectl kueue resume clusterqueue team-a", &DeclareResumeQueue<api::ClusterQueue>}};
}

}  // namespace berth::cli
