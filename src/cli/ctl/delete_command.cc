#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "api/kueue/workload.h"
#include "cli/ctl/ctl_command.h"
#include "cli/printable.h"
#include "ctl/deletion.h"
#include "ctl/failure.h"

namespace berth::cli {
namespace {

struct DeleteFlags {
  std::vector<std::string> names;
  std::string dry_run;
  bool is_confirmed = false;
  bool deletes_all = false;
  bool is_everywhere = false;
};

base::Result<void> CheckDeleteFlags(const DeleteFlags& flags) {
  if (!flags.deletes_all && flags.names.empty())
    return base::Fail("requires at least 1 arg(s), only received 0",
                      "name the Workloads, or give --all");
  if (flags.deletes_all && !flags.names.empty())
    return base::Fail("name cannot be provided when a selector is specified",
                      "give names or --all");
  if (flags.is_everywhere && !flags.names.empty())
    return base::Fail("a resource cannot be retrieved by name across all namespaces",
                      "name its namespace with -n");
  return {};
}

const store::Resource& WorkloadResource() {
  static const store::Resource kResource = store::ResourceOf<api::Workload>();
  return kResource;
}

class WorkloadDeleter {
 public:
  WorkloadDeleter(CtlSession& session, ctl::Cluster& cluster, const DeleteFlags& flags,
                  ctl::DryRun dry_run)
      : session_(session), cluster_(cluster), flags_(flags), dry_run_(dry_run) {}

  base::Result<std::string> Run() {
    const auto objects = flags_.deletes_all ? ReadAll() : ReadNamed();
    if (!objects) return std::unexpected(objects.error());
    std::vector<ctl::WorkloadDeletion> deletions;
    for (const store::Object& object : *objects) {
      const auto workload = object.Decode<api::Workload>();
      if (!workload) return base::Fail(schema::ToString(workload.error().front()));
      auto deletion = ctl::PlanDeletion(cluster_, *workload);
      if (!deletion) return std::unexpected(deletion.error());
      deletions.push_back(std::move(*deletion));
    }
    if (!IsAgreed(deletions)) return "Deletion is canceled\n";
    return Delete(deletions);
  }

 private:
  base::Result<std::vector<store::Object>> ReadAll() {
    return cluster_.List(
        WorkloadResource(),
        {.namespace_ = flags_.is_everywhere ? std::string() : session_.namespace_name(),
         .label_selector = {},
         .field_selector = {}});
  }

  // Missing ones are reported and passed over.
  base::Result<std::vector<store::Object>> ReadNamed() {
    std::vector<store::Object> objects;
    for (const std::string& name : flags_.names) {
      auto object = cluster_.TryGet({.resource = WorkloadResource(),
                                     .namespace_ = session_.namespace_name(),
                                     .name = name,
                                     .subresource = {}});
      if (object)
        objects.push_back(std::move(*object));
      else if (object.error().IsNotFound())
        session_.err() << Printable(object.error().message()) << "\n";
      else
        return std::unexpected(ctl::ErrorOf(object.error()));
    }
    return objects;
  }

  bool IsAgreed(std::span<const ctl::WorkloadDeletion> deletions) {
    if (dry_run_ != ctl::DryRun::kNone || flags_.is_confirmed) return true;
    const std::string question = ctl::ConfirmationOf(deletions);
    if (question.empty()) return true;
    session_.out() << PrintableLines(question);
    session_.out().Flush();
    std::string answer;
    std::cin >> answer;
    return answer == "y" || answer == "Y";
  }

  base::Result<std::string> Delete(std::span<const ctl::WorkloadDeletion> deletions) {
    for (const ctl::WorkloadDeletion& deletion : deletions) {
      for (const ctl::WorkloadDeletion::Target& job : deletion.jobs) {
        if (auto deleted = cluster_.Delete(job.resource, job.name, dry_run_); !deleted)
          return std::unexpected(deleted.error());
        session_.out() << PrintableLines(ctl::DeletedLine(job.ToString(), dry_run_));
      }
      if (!deletion.jobs.empty()) continue;
      if (auto deleted = cluster_.Delete(WorkloadResource(), deletion.workload, dry_run_); !deleted)
        return std::unexpected(deleted.error());
      session_.out() << PrintableLines(ctl::DeletedLine(
          ctl::NamePrefix(WorkloadResource()) + "/" + deletion.workload.name, dry_run_));
    }
    return std::string();
  }

  CtlSession& session_;
  ctl::Cluster& cluster_;
  const DeleteFlags& flags_;
  ctl::DryRun dry_run_;
};

int DeleteWorkloads(CtlSession& session, const DeleteFlags& flags) {
  if (const auto checked = CheckDeleteFlags(flags); !checked) return session.Fail(checked.error());
  const auto dry_run = ReadDryRun(flags.dry_run);
  if (!dry_run) return session.Fail(dry_run.error());
  const auto cluster = session.Connect();
  if (!cluster) return session.Fail(cluster.error());
  return session.Conclude(WorkloadDeleter(session, **cluster, flags, *dry_run).Run());
}

CtlAction DeclareDeleteWorkload(CLI::App& app) {
  auto flags = std::make_shared<DeleteFlags>();
  app.add_option("NAME", flags->names, "Workloads")->option_text(" ");
  app.add_flag("-y,--yes", flags->is_confirmed, "Do not ask");
  app.add_flag("--all", flags->deletes_all, "Delete all Workloads of the namespace");
  app.add_flag("-A,--all-namespaces", flags->is_everywhere, "With --all: of all namespaces");
  AddDryRunFlag(app, flags->dry_run);
  return [flags](CtlSession& session) { return DeleteWorkloads(session, *flags); };
}

}  // namespace

CtlCommand DeleteWorkloadCommand() {
  return {"delete",
          "workload",
          kWorkloadAliases,
          "Delete a Workload and the job that owns it",
          "  kubectl kueue delete workload job-train-2f6c1 -n team-a\n"
          "  kubectl kueue delete workload --all -n team-a --yes\n"
          "  kubectl kueue delete kwl job-train-2f6c1 --dry-run client",
          &DeclareDeleteWorkload};
}

}  // namespace berth::cli
