#include <algorithm>
#include <set>

#include "api/kueue/topology.h"
#include "api/meta/problem_report.h"
#include "lint/checks.h"
#include "lint/topology_requests.h"

namespace berth::lint {
namespace {

class TopologyRequestChecker {
 public:
  TopologyRequestChecker(const Catalog& catalog, Report& report)
      : catalog_(catalog), report_(report), requests_(catalog) {
    catalog.ForEach<api::Topology>([&](const Entry&, const api::Topology& topology) {
      for (const api::TopologyLevel& level : topology.spec.levels) levels_.insert(level.node_label);
    });
  }

  void Check(const QueuedJob& job) {
    for (const PodSetAt& pods : job.pod_sets) {
      const std::optional<TopologyRequestAt> request = TopologyRequestOf(catalog_, job, pods);
      if (!request) continue;
      if (CheckLevelsExist(job, *request) && !HoldsQuota(job)) CheckQueue(job, *request);
    }
  }

 private:
  // Whether every level is one of some Topology, or there are none in the set.
  bool CheckLevelsExist(const QueuedJob& job, const TopologyRequestAt& request) {
    bool do_exist = true;
    for (const TopologyRequestAt::Level& level : request.levels) {
      if (levels_.empty() || levels_.contains(level.name)) continue;
      do_exist = false;
      const std::vector<std::string_view> known(levels_.begin(), levels_.end());
      WarnOfLevel(job, level.field,
                  "level " + api::Quoted(level.name) + " not found in any Topology",
                  "levels: " + api::QuotedList(known));
    }
    return do_exist;
  }

  void CheckQueue(const QueuedJob& job, const TopologyRequestAt& request) {
    const std::optional<std::vector<QueueFlavor>> flavors = FlavorsOf(catalog_, requests_, job);
    if (!flavors) return;
    const std::string queue = "ClusterQueue " + requests_.QueueOf(job)->metadata.name;
    std::set<std::string, std::less<>> levels;
    for (const QueueFlavor& flavor : *flavors)
      levels.insert(flavor.levels.begin(), flavor.levels.end());
    if (levels.empty()) {
      report_.Warn(*job.entry, "no-topology-in-queue",
                   {.field = request.field,
                    .message = "the pods request a topology, but no flavor of " + queue +
                               " has one: the job is never admitted",
                    .hint = "set topologyName of a ResourceFlavor, or remove the request"});
    } else if (!std::ranges::any_of(*flavors, [&](const QueueFlavor& flavor) {
                 return HasAllLevels(flavor, request);
               })) {
      const std::vector<std::string_view> known(levels.begin(), levels.end());
      WarnOfLevel(job, request.field,
                  "no flavor of " + queue + " has a Topology with " + NamesOf(request),
                  "levels of its flavors: " + api::QuotedList(known));
    }
  }

  static bool HasAllLevels(const QueueFlavor& flavor, const TopologyRequestAt& request) {
    return !flavor.levels.empty() &&
           std::ranges::all_of(request.levels, [&](const TopologyRequestAt::Level& level) {
             return flavor.HasLevel(level.name);
           });
  }

  static std::string NamesOf(const TopologyRequestAt& request) {
    std::vector<std::string_view> names;
    for (const TopologyRequestAt::Level& level : request.levels) names.push_back(level.name);
    return (names.size() == 1 ? "level " : "levels ") + api::QuotedList(names);
  }

  void WarnOfLevel(const QueuedJob& job, const std::string& field, const std::string& problem,
                   std::string hint) {
    report_.Warn(*job.entry, "topology-level-not-found",
                 {.field = field,
                  .message = problem + ": the job is never admitted",
                  .hint = std::move(hint)});
  }

  const Catalog& catalog_;
  Report& report_;
  JobRequests requests_;
  std::set<std::string, std::less<>> levels_;
};

}  // namespace

void CheckTopologyRequests(const Catalog& catalog, Report& report) {
  TopologyRequestChecker checker(catalog, report);
  for (const QueuedJob& job : QueuedJobs(catalog)) checker.Check(job);
}

}  // namespace berth::lint
