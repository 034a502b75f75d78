#include "ctl/deletion.h"

#include <string_view>

namespace berth::ctl {

std::string WorkloadDeletion::Target::ToString() const {
  return resource.GroupResource() + "/" + name.name;
}

base::Result<WorkloadDeletion> PlanDeletion(Cluster& cluster, const api::Workload& workload) {
  const std::string& space = workload.metadata.namespace_;
  WorkloadDeletion deletion{.workload = {.namespace_ = space, .name = workload.metadata.name},
                            .jobs = {}};
  for (const api::OwnerReference& owner : workload.metadata.owner_references) {
    auto kind = FindOwnerKind(cluster, owner.api_version, owner.kind);
    if (!kind) return std::unexpected(kind.error());
    deletion.jobs.push_back(
        {.resource = std::move(kind->resource), .name = {.namespace_ = space, .name = owner.name}});
  }
  return deletion;
}

std::string ConfirmationOf(std::span<const WorkloadDeletion> deletions) {
  std::string text;
  for (const WorkloadDeletion& deletion : deletions) {
    if (deletion.jobs.empty()) continue;
    std::string names;
    for (const WorkloadDeletion::Target& job : deletion.jobs)
      names += (names.empty() ? "" : ", ") + job.ToString();
    text += "  - " + names + " associated with the " + deletion.workload.ToString() + " workload\n";
  }
  return text.empty()
             ? text
             : "This operation will also delete:\n" + text + "Do you want to proceed (y/n)? ";
}

std::string DeletedLine(const std::string& target, DryRun dry_run) {
  std::string line = target + " deleted";
  if (dry_run != DryRun::kNone)
    line += " (" + std::string(kDryRunNames[static_cast<size_t>(dry_run)]) + " dry run)";
  return line + "\n";
}

}  // namespace berth::ctl
