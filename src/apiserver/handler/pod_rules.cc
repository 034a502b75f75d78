#include "apiserver/handler/pod_rules.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>

#include "api/apps/deployment.h"
#include "api/apps/replica_set.h"
#include "api/apps/stateful_set.h"
#include "api/batch/cron_job.h"
#include "api/batch/job.h"
#include "api/core/pod.h"
#include "api/meta/names.h"

namespace berth::apiserver {
namespace {

using api::ProblemReport;
using api::Quoted;
using Names = std::set<std::string, std::less<>>;

bool IsHugePages(std::string_view resource) { return resource.starts_with("hugepages-"); }

// Native resources have no domain, or one of Kubernetes.
bool MayBeOvercommitted(std::string_view resource) {
  const bool is_native =
      resource.find('/') == resource.npos || resource.find("kubernetes.io/") != resource.npos;
  return is_native && !IsHugePages(resource);
}

void CheckRequest(std::string_view resource, const quantity::Quantity& request,
                  const quantity::Quantity* limit, ProblemReport& report) {
  const bool may_differ = MayBeOvercommitted(resource);
  if (limit == nullptr) {
    if (!may_differ)
      report.Required("limits",
                      std::string(resource) +
                          " cannot be overcommitted; set a limit equal to its request of " +
                          request.ToString());
    return;
  }
  if (request == *limit || (may_differ && request < *limit)) return;
  report.Invalid("requests", Quoted(request.ToString()) +
                                 (may_differ ? ": above the " : ": cannot differ from the ") +
                                 std::string(resource) + " limit of " + limit->ToString());
}

// Kubernetes' own resources of containers, without a domain.
bool IsStandard(std::string_view resource) {
  constexpr std::string_view kStandard[] = {"cpu", "memory", "ephemeral-storage"};
  return IsHugePages(resource) || std::ranges::find(kStandard, resource) != std::end(kStandard);
}

void CheckAmounts(std::string_view field, const api::ResourceList& amounts, ProblemReport& report) {
  auto in = report.In(field);
  for (const auto& [resource, amount] : amounts) {
    const auto at = report.AtKey(resource);
    if (resource.find('/') == resource.npos && !IsStandard(resource))
      report.Invalid("", Quoted(resource) +
                             ": not a resource of containers; an extended resource "
                             "has a domain, such as example.com/" +
                             std::string(resource));
    if (amount.Sign() < 0)
      report.Invalid("", Quoted(amount.ToString()) + ": negative; write 0 or more");
    else if (!MayBeOvercommitted(resource) && !IsHugePages(resource) && !amount.ExactInt())
      report.Invalid("", Quoted(amount.ToString()) + ": not a whole number");
  }
}

void CheckHugePages(const api::ResourceRequirements& resources, ProblemReport& report) {
  bool has_huge_pages = false, has_cpu_or_memory = false;
  for (const api::ResourceList* list : {&resources.limits, &resources.requests}) {
    has_cpu_or_memory |= list->Find("cpu") != nullptr || list->Find("memory") != nullptr;
    has_huge_pages |=
        std::ranges::any_of(*list, [](const auto& entry) { return IsHugePages(entry.first); });
  }
  if (has_huge_pages && !has_cpu_or_memory)
    report.Forbidden("", "huge pages without cpu or memory; request one of them too");
}

std::string Joined(const Names& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

// Reports a claim that is listed twice: as a whole, as the same request, or as a whole after one of
// its requests. Adds it to the listed ones.
void CheckTwice(const api::ContainerResourceClaim& claim, Names& listed, ProblemReport& report) {
  const std::string key = claim.request.empty() ? claim.name : claim.name + "/" + claim.request;
  const bool is_overlap =
      claim.request.empty() && std::ranges::any_of(listed, [&](const std::string& other) {
        return other.starts_with(claim.name + "/");
      });
  if (listed.contains(claim.name) || is_overlap)
    report.Duplicate("", Quoted(claim.name));
  else if (listed.contains(key))
    report.Duplicate("", Quoted(key));
  listed.insert(key);
}

void CheckClaims(const std::vector<api::ContainerResourceClaim>& claims, const Names& of_pod,
                 ProblemReport& report) {
  Names listed;
  for (size_t i = 0; i < claims.size(); ++i) {
    auto at = report.In("claims", i);
    if (claims[i].name.empty()) {
      report.Required("", "");
      continue;
    }
    CheckTwice(claims[i], listed, report);
    if (of_pod.contains(claims[i].name)) continue;
    report.Add(schema::ProblemType::kNotFound, "",
               Quoted(claims[i].name) + ": resourceClaims of the pod has " +
                   (of_pod.empty() ? "no entries" : "only " + Joined(of_pod)));
  }
}

void CheckResources(const api::ResourceRequirements& resources, const Names& claims_of_pod,
                    ProblemReport& report) {
  auto at = report.In("resources");
  CheckAmounts("limits", resources.limits, report);
  CheckAmounts("requests", resources.requests, report);
  for (const auto& [resource, request] : resources.requests)
    CheckRequest(resource, request, resources.limits.Find(resource), report);
  CheckHugePages(resources, report);
  CheckClaims(resources.claims, claims_of_pod, report);
}

}  // namespace

PodOfObject FindPod(const api::Object& object) {
  constexpr std::string_view kTemplate = "spec.template.spec";
  if (const auto* pod = object.As<api::Pod>()) return {&pod->spec, "spec"};
  if (const auto* job = object.As<api::Job>()) return {&job->spec.template_.spec, kTemplate};
  if (const auto* set = object.As<api::Deployment>()) return {&set->spec.template_.spec, kTemplate};
  if (const auto* set = object.As<api::ReplicaSet>()) return {&set->spec.template_.spec, kTemplate};
  if (const auto* set = object.As<api::StatefulSet>())
    return {&set->spec.template_.spec, kTemplate};
  if (const auto* cron = object.As<api::CronJob>())
    return {&cron->spec.job_template.spec.template_.spec, "spec.jobTemplate.spec.template.spec"};
  return {};
}

schema::Problems ResourceProblems(const PodOfObject& pod) {
  ProblemReport report;
  if (pod.spec == nullptr) return {};
  auto in_spec = report.In(pod.path);
  Names claims;
  for (const api::PodResourceClaim& claim : pod.spec->resource_claims) claims.insert(claim.name);
  for (const auto& [field, containers] :
       {std::pair(std::string_view("containers"), &pod.spec->containers),
        std::pair(std::string_view("initContainers"), &pod.spec->init_containers)}) {
    for (size_t i = 0; i < containers->size(); ++i) {
      auto at = report.In(field, i);
      CheckResources((*containers)[i].resources, claims, report);
    }
  }
  return std::move(report).Take();
}

}  // namespace berth::apiserver
