#include "api/kueue/admission_check.h"
#include "api/kueue/cluster_queue.h"
#include "api/kueue/cohort.h"
#include "api/kueue/local_queue.h"
#include "api/kueue/multi_kueue.h"
#include "api/kueue/provisioning_request_config.h"
#include "api/kueue/resource_flavor.h"
#include "api/kueue/topology.h"
#include "api/kueue/well_known.h"
#include "api/meta/problem_report.h"
#include "lint/checks.h"

namespace berth::lint {
namespace {

class ReferenceChecker {
 public:
  ReferenceChecker(const Catalog& catalog, Report& report) : catalog_(catalog), report_(report) {}

  // Warns if `name` in `field` is a dangling reference. `consequence` completes the message:
  // `ResourceFlavor "x" not found: …`.
  void Check(const Entry& entry, const schema::Kind& kind, std::string_view name, std::string field,
             std::string_view rule, std::string_view consequence) {
    if (name.empty() || !catalog_.IsMissing(kind, name)) return;
    report_.Warn(entry, rule,
                 {.field = std::move(field),
                  .message = std::string(kind.kind) + " " + api::Quoted(name) +
                             " not found: " + std::string(consequence),
                  .hint = catalog_.Suggest(kind, name)});
  }

  void CheckFlavors(const Entry& entry, const std::vector<api::ResourceGroup>& groups,
                    std::string_view consequence) {
    for (size_t i = 0; i < groups.size(); ++i) {
      for (size_t j = 0; j < groups[i].flavors.size(); ++j) {
        Check(entry, api::ResourceFlavor::KindInfo(), groups[i].flavors[j].name,
              ElementField(ElementField("spec.resourceGroups", i) + ".flavors", j) + ".name",
              "flavor-not-found", consequence);
      }
    }
  }

  void CheckQueue(const Entry& entry, const api::ClusterQueueSpec& spec) {
    CheckFlavors(entry, spec.resource_groups, "the queue stays inactive and admits nothing");
    if (!spec.admission_checks_strategy) return;
    const auto& checks = spec.admission_checks_strategy->admission_checks;
    for (size_t i = 0; i < checks.size(); ++i) {
      Check(entry, api::AdmissionCheck::KindInfo(), checks[i].name,
            ElementField("spec.admissionChecksStrategy.admissionChecks", i) + ".name",
            "admission-check-not-found", "the queue stays inactive and admits nothing");
    }
  }

  void CheckParameters(const Entry& entry, const api::AdmissionCheckSpec& spec) {
    if (!spec.parameters || spec.parameters->api_group != api::kKueueGroup) return;
    for (const schema::Kind* kind :
         {&api::ProvisioningRequestConfig::KindInfo(), &api::MultiKueueConfig::KindInfo()}) {
      if (spec.parameters->kind != kind->kind) continue;
      Check(entry, *kind, spec.parameters->name, "spec.parameters.name", "parameters-not-found",
            "the check and the queues that use it stay inactive");
    }
  }

 private:
  const Catalog& catalog_;
  Report& report_;
};

}  // namespace

void CheckQueueReferences(const Catalog& catalog, Report& report) {
  ReferenceChecker checker(catalog, report);
  catalog.ForEach<api::ClusterQueue>([&](const Entry& entry, const api::ClusterQueue& queue) {
    checker.CheckQueue(entry, queue.spec);
  });
  catalog.ForEach<api::Cohort>([&](const Entry& entry, const api::Cohort& cohort) {
    checker.CheckFlavors(entry, cohort.spec.resource_groups, "its quota cannot be borrowed");
  });
  catalog.ForEach<api::LocalQueue>([&](const Entry& entry, const api::LocalQueue& queue) {
    checker.Check(entry, api::ClusterQueue::KindInfo(), queue.spec.cluster_queue.value_or(""),
                  "spec.clusterQueue", "cluster-queue-not-found", "jobs of the queue stay pending");
  });
  catalog.ForEach<api::AdmissionCheck>([&](const Entry& entry, const api::AdmissionCheck& check) {
    checker.CheckParameters(entry, check.spec);
  });
  catalog.ForEach<api::ResourceFlavor>([&](const Entry& entry, const api::ResourceFlavor& flavor) {
    checker.Check(entry, api::Topology::KindInfo(), flavor.spec.topology_name.value_or(""),
                  "spec.topologyName", "topology-not-found",
                  "queues that use this flavor stay inactive");
  });
  catalog.ForEach<api::MultiKueueConfig>(
      [&](const Entry& entry, const api::MultiKueueConfig& config) {
        for (size_t i = 0; i < config.spec.clusters.size(); ++i) {
          checker.Check(entry, api::MultiKueueCluster::KindInfo(), config.spec.clusters[i],
                        ElementField("spec.clusters", i), "cluster-not-found",
                        "no job can be dispatched to it");
        }
      });
}

}  // namespace berth::lint
