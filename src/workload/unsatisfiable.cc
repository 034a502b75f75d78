#include "workload/unsatisfiable.h"

#include <algorithm>

#include "quantity/resource_amount.h"
#include "workload/flavor_match.h"

namespace berth::workload {
namespace {

using quantity::Amount;

std::vector<ResourceShortage> ShortagesIn(const std::string& flavor, const Requests& wanted,
                                          const QuotaLookup& lookup) {
  std::vector<ResourceShortage> shortages;
  for (const auto& [resource, amount] : wanted) {
    const auto bound = lookup.find_bound(flavor, resource);
    if (bound && (lookup.cannot_borrow ? bound->nominal : bound->most) < amount)
      shortages.push_back({.resource = resource, .bound = *bound});
  }
  return shortages;
}

// Nullopt if the flavor can serve the pods.
std::optional<FlavorObstacle> ObstacleIn(const std::string& flavor, const Requests& wanted,
                                         const api::PodSpec& pod, const QuotaLookup& lookup) {
  FlavorObstacle obstacle{
      .flavor = flavor, .shortages = ShortagesIn(flavor, wanted, lookup), .untolerated_taint = {}};
  if (!obstacle.shortages.empty()) return obstacle;
  const api::ResourceFlavor* object = lookup.find_flavor(flavor);
  if (object == nullptr) return std::nullopt;
  const FlavorMatcher matcher(object->spec);
  const FlavorVerdict verdict = matcher.Match(pod);
  if (verdict.is_match()) return std::nullopt;
  if (verdict.fit == FlavorFit::kUntoleratedTaint) obstacle.untolerated_taint = verdict.taint->key;
  return obstacle;
}

std::optional<UnsatisfiableRequest> CheckGroup(const api::ResourceGroup& group, Requests wanted,
                                               const api::PodSpec& pod, const QuotaLookup& lookup) {
  UnsatisfiableRequest request{.requests = std::move(wanted), .obstacles = {}};
  for (const api::FlavorQuotas& flavor : group.flavors) {
    auto obstacle = ObstacleIn(flavor.name, request.requests, pod, lookup);
    if (!obstacle) return std::nullopt;
    request.obstacles.push_back(*std::move(obstacle));
  }
  return request;
}

Requests TakeCovered(const api::ResourceGroup& group, Requests& left) {
  Requests taken;
  for (const std::string& resource : group.covered_resources) {
    const int64_t* amount = left.Find(resource);
    if (amount != nullptr && *amount > 0) taken.Set(resource, *amount);
    left.Erase(resource);
  }
  return taken;
}

std::string Joined(const std::vector<std::string>& parts, std::string_view separator) {
  std::string text;
  for (const std::string& part : parts) text.append(text.empty() ? "" : separator).append(part);
  return text;
}

std::string ShortageText(const ResourceShortage& shortage, bool cannot_borrow) {
  const quantity::AmountFormatter formatter;
  const auto text = [&](Amount amount) { return formatter.QuotaText(shortage.resource, amount); };
  const auto& [nominal, most] = shortage.bound;
  const std::string of_resource = " " + shortage.resource;
  if (cannot_borrow) return text(nominal) + of_resource + " (nominal, without borrowing)";
  if (most <= nominal) return text(most) + of_resource + " (nominal)";
  return text(most) + of_resource + " (nominal " + text(nominal) + " + borrowing " +
         text(most - nominal) + ")";
}

std::string ObstacleText(const FlavorObstacle& obstacle, bool cannot_borrow) {
  std::vector<std::string> parts;
  for (const ResourceShortage& shortage : obstacle.shortages)
    parts.push_back(ShortageText(shortage, cannot_borrow));
  if (!parts.empty()) return "at most " + Joined(parts, ", ") + " in flavor " + obstacle.flavor;
  return "nothing in flavor " + obstacle.flavor +
         (obstacle.untolerated_taint.empty()
              ? " (node selector or affinity not matched)"
              : " (taint " + obstacle.untolerated_taint + " not tolerated)");
}

// The requests that are too large for some flavor; all of them if the pods match no flavor.
std::string RequestsText(const UnsatisfiableRequest& request) {
  const quantity::AmountFormatter formatter;
  const auto is_short = [&](const std::string& resource) {
    return std::ranges::any_of(request.obstacles, [&](const FlavorObstacle& obstacle) {
      return std::ranges::find(obstacle.shortages, resource, &ResourceShortage::resource) !=
             obstacle.shortages.end();
    });
  };
  std::vector<std::string> all, too_large;
  for (const auto& [resource, amount] : request.requests) {
    all.push_back(formatter.RequestText(resource, amount) + " " + resource);
    if (is_short(resource)) too_large.push_back(all.back());
  }
  return Joined(too_large.empty() ? all : too_large, ", ");
}

}  // namespace

std::vector<UnsatisfiableRequest> FindUnsatisfiable(const PodSetTotals& totals,
                                                    const api::PodSpec& pod,
                                                    const api::ClusterQueueSpec& queue,
                                                    const QuotaLookup& lookup) {
  std::vector<UnsatisfiableRequest> found;
  Requests left = totals.requests;
  for (const api::ResourceGroup& group : queue.resource_groups) {
    Requests wanted = TakeCovered(group, left);
    if (wanted.empty()) continue;
    if (auto request = CheckGroup(group, std::move(wanted), pod, lookup))
      found.push_back(*std::move(request));
  }
  for (const auto& [resource, amount] : left) {
    if (amount <= 0) continue;
    found.emplace_back().requests.Set(resource, amount);
  }
  return found;
}

std::string ToString(const UnsatisfiableRequest& request, std::string_view verb,
                     std::string_view cluster_queue, bool cannot_borrow) {
  std::string text = std::string(verb) + " " + RequestsText(request) + ", but ";
  const std::string queue = "ClusterQueue " + std::string(cluster_queue);
  if (request.is_uncovered()) return text + "no resource group of " + queue + " covers it";
  std::vector<std::string> offers;
  for (const FlavorObstacle& obstacle : request.obstacles)
    offers.push_back(ObstacleText(obstacle, cannot_borrow));
  return text + queue + " can offer " + Joined(offers, "; ");
}

}  // namespace berth::workload
