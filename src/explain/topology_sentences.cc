#include "explain/topology_sentences.h"

#include <algorithm>

#include "base/list_text.h"
#include "explain/sentences.h"
#include "workload/topology/topology_mismatch.h"

namespace berth::explain {
namespace {

using base::CountText;
using engine::DomainRoom;
using engine::LevelRoom;
using engine::TopologyKind;
using engine::TopologyRoom;
using engine::TopologySearch;

constexpr size_t kMostDomainRows = 3;
constexpr std::string_view kPods = "pods";

std::string PodSetsText(const Report& report, const std::vector<uint32_t>& pod_sets) {
  std::vector<std::string> names;
  for (const uint32_t i : pod_sets) names.push_back(report.PodSetName(i));
  return "podset " + Listed(names, names.size());
}

std::string FlavorText(const Report& report, const TopologySearch& search) {
  return "flavor " + report.FlavorName(search.flavor);
}

const std::string& LevelOf(const TopologyRoom& room) { return room.levels[room.level].level; }

bool HasSlices(const TopologyRoom& room) { return room.slice_size > 1; }

// "3 of 4 slices of 8 pods", "12 of 16 pods".
std::string FittingText(const TopologyRoom& room, int32_t fitting) {
  const std::string count = std::to_string(fitting) + " of ";
  if (HasSlices(room))
    return count + CountText(static_cast<size_t>(room.needed), "slice") + " of " +
           CountText(static_cast<size_t>(room.slice_size), "pod");
  return count + CountText(static_cast<size_t>(room.needed), "pod");
}

std::string WhereText(const TopologyRoom& room) {
  return room.kind == TopologyKind::kRequired ? " in the best domain of level " + LevelOf(room)
                                              : std::string(" in all domains together");
}

// Whether the pods request nothing but their number.
bool RequestsNothing(const TopologyRoom& room) {
  return std::ranges::any_of(room.levels, [](const LevelRoom& level) {
    return !level.best.empty() && level.best.front().free.size() == 1;
  });
}

size_t CountExcluded(const TopologyRoom& room) {
  return room.nodes.unusable + room.nodes.without_level + room.nodes.same_hostname +
         room.excluded.tainted + room.excluded.by_selector + room.excluded.by_affinity;
}

}  // namespace

std::string NoRoomText(const Report& report, const TopologySearch& search) {
  const TopologyRoom& room = search.room;
  if (search.is_delayed || !search.is_chosen) return "";
  const std::string topology = "Topology of " + FlavorText(report, search);
  const std::string pods = " of " + PodSetsText(report, search.pod_sets);
  if (!room.is_valid)
    return topology + " does not support the slices" + pods + ": " +
           std::string(workload::kSliceRule) + ".";
  if (RequestsNothing(room))
    return topology + " cannot place the pods" + pods + ": no resources requested.";
  if (room.fits) return "";
  if (CountExcluded(room) == room.nodes.total)
    return topology + " has no nodes for the pods" + pods + ": " +
           (room.nodes.total == 0
                ? "no node has the labels of the flavor."
                : "all " + CountText(room.nodes.total, "node") + " with its labels are excluded.");
  if (room.fits_if_empty)
    return topology + " has insufficient capacity now: " + FittingText(room, room.fitting) + pods +
           " fit" + WhereText(room) + ".";
  return topology + " has insufficient capacity, even without other workloads: " +
         FittingText(room, room.fitting_if_empty) + pods + " fit" + WhereText(room) + ".";
}

std::string TopologyMismatchText(const Report& report, engine::FlavorId flavor) {
  return workload::TopologyMismatch(report.engine().TopologyLevels(flavor),
                                    report.workload->spec.pod_sets);
}

std::string UncheckedTopologyText(const Report& report) {
  if (!report.lacks_nodes) return "";
  std::vector<std::string> names;
  for (const engine::FlavorSearch& search : report.explanation.searches) {
    for (const engine::FlavorStep& step : search.flavors) {
      const std::string& name = report.FlavorName(step.flavor);
      const api::ResourceFlavor* flavor = report.cluster->FindFlavor(name);
      const bool has_topology = flavor != nullptr && flavor->spec.topology_name.has_value();
      if (has_topology && std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
  }
  if (names.empty()) return "";
  return "Topology of flavor " + Listed(names, names.size()) +
         " is not considered: the files have no Node.";
}

// --- The room ------------------------------------------------------------------------------------

std::string TopologyTitle(const Report& report, const TopologySearch& search) {
  const TopologyRoom& room = search.room;
  std::string text = FlavorText(report, search) + " for " + PodSetsText(report, search.pod_sets);
  if (search.is_delayed) return text + ": pods are placed after the admission checks are ready";
  text += ": " + CountText(static_cast<size_t>(room.count), "pod");
  if (search.pod_sets.size() > 1) text += " and a leader";
  if (!room.is_valid) return text;
  if (room.kind == TopologyKind::kRequired) text += " in one domain of level " + LevelOf(room);
  if (room.kind == TopologyKind::kPreferred)
    text += ", preferably in one domain of level " + LevelOf(room);
  if (HasSlices(room))
    text += ", in slices of " + CountText(static_cast<size_t>(room.slice_size), "pod") +
            " in one domain of level " + room.levels[room.slice_level].level + " each";
  return text;
}

namespace {

class RoomRows {
 public:
  RoomRows(const Report& report, const TopologyRoom& room) : report_(report), room_(room) {
    for (const LevelRoom& level : room.levels) {
      for (size_t i = 0; i < std::min(level.best.size(), kMostDomainRows); ++i)
        AddColumns(level.best[i]);
    }
  }

  std::vector<std::vector<std::string>> Rows() {
    if (room_.levels.empty() || room_.levels.front().domains == 0) return {};
    AddHead();
    for (size_t level = 0; level < room_.levels.size(); ++level) AddLevel(level);
    return std::move(rows_);
  }

 private:
  // Free pods are a column only where they are scarce.
  void AddColumns(const DomainRoom& domain) {
    for (const engine::Request& free : domain.free) {
      const bool is_shown =
          report_.ResourceName(free.resource) != kPods || domain.scarcest == free.resource;
      if (is_shown && std::ranges::find(columns_, free.resource) == columns_.end())
        columns_.push_back(free.resource);
    }
  }

  void AddHead() {
    std::vector<std::string> head = {"LEVEL", "DOMAIN", "NODES"};
    for (const engine::ResourceId resource : columns_)
      head.push_back("FREE " + report_.ResourceName(resource));
    head.insert(head.end(), {"PODS", "SCARCEST", "FRAGMENTATION"});
    if (HasSlices(room_)) head.insert(head.end() - 2, "SLICES");
    rows_.push_back(std::move(head));
  }

  void AddLevel(size_t index) {
    const LevelRoom& level = room_.levels[index];
    std::string name = level.level;
    if (index == room_.level && room_.kind == TopologyKind::kRequired) name += " (required)";
    if (index == room_.level && room_.kind == TopologyKind::kPreferred) name += " (preferred)";
    if (index == room_.slice_level && HasSlices(room_)) name += " (slices)";
    const size_t shown = std::min(level.best.size(), kMostDomainRows);
    for (size_t i = 0; i < shown; ++i) {
      AddDomain(i == 0 ? name : "", index, level.best[i]);
      rows_.back().push_back(i == 0 ? std::to_string(level.fragmentation()) + "%" : "");
    }
    if (level.domains > shown)
      rows_.push_back({"", std::to_string(level.domains - shown) + " more"});
  }

  void AddDomain(const std::string& name, size_t level, const DomainRoom& domain) {
    std::vector<std::string> row = {name, DomainText(domain.path), std::to_string(domain.nodes)};
    for (const engine::ResourceId resource : columns_) {
      const auto free = std::ranges::find(domain.free, resource, &engine::Request::resource);
      row.push_back(report_.AmountText(resource, engine::Amount(free->amount)));
    }
    row.push_back(std::to_string(domain.pods));
    if (HasSlices(room_))
      row.push_back(level <= room_.slice_level ? std::to_string(domain.slices) : "-");
    row.push_back(report_.ResourceName(domain.scarcest));
    rows_.push_back(std::move(row));
  }

  const Report& report_;
  const TopologyRoom& room_;
  std::vector<engine::ResourceId> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace

std::vector<std::vector<std::string>> RoomTable(const Report& report,
                                                const TopologySearch& search) {
  return RoomRows(report, search.room).Rows();
}

std::vector<std::string> NodeLines(const Report& report, const TopologySearch& search) {
  const TopologyRoom& room = search.room;
  std::vector<std::string> lines, excluded, full;
  const auto add = [&](size_t count, std::string_view why) {
    if (count > 0) excluded.push_back(std::to_string(count) + " " + std::string(why));
  };
  add(room.nodes.unusable, "not ready or unschedulable");
  add(room.nodes.without_level, "without a label of the topology");
  add(room.nodes.same_hostname, "with a hostname that another node has");
  add(room.excluded.tainted, "with a taint that is not tolerated");
  add(room.excluded.by_selector, "not matched by the node selector");
  add(room.excluded.by_affinity, "not matched by the node affinity");
  if (!excluded.empty())
    lines.push_back("Nodes excluded (of " + std::to_string(room.nodes.total) +
                    "): " + Listed(excluded, excluded.size()) + ".");
  for (const auto& [resource, count] : room.full)
    full.push_back(
        CountText(count, room.is_hostname_lowest ? "node" : "domain of the lowest level") + " (" +
        report.ResourceName(resource) + ")");
  if (!full.empty()) lines.push_back("No room for one pod: " + Listed(full, full.size()) + ".");
  return lines;
}

std::string DomainText(const std::vector<std::string>& path) {
  std::string text;
  for (const std::string& value : path) text += (text.empty() ? "" : "/") + value;
  return text;
}

// --- Remedies ------------------------------------------------------------------------------------

namespace {

const TopologyRoom* RoomOf(const Report& report, const engine::Remedy& remedy) {
  for (const TopologySearch& search : report.explanation.topologies) {
    if (search.flavor == remedy.flavor && search.pod_sets.front() == remedy.pod_set)
      return &search.room;
  }
  return nullptr;
}

std::string FreedText(const Report& report, const engine::Remedy& remedy) {
  std::vector<std::string> places;
  for (const engine::FreedRoom& room : remedy.topology.room) {
    std::vector<std::string> amounts;
    for (const engine::Request& more : room.amounts)
      amounts.push_back(report.AmountText(more.resource, engine::Amount(more.amount)) + " " +
                        report.ResourceName(more.resource));
    places.push_back(Listed(amounts, amounts.size()) + " on " + DomainText(room.path));
  }
  return "free " + Listed(places, places.size());
}

}  // namespace

std::string TopologyRemedyText(const Report& report, const engine::Remedy& remedy) {
  const engine::TopologyChange& change = remedy.topology;
  const std::string pod_set = "podset " + report.PodSetName(remedy.pod_set);
  const TopologyRoom* room = RoomOf(report, remedy);
  if (room == nullptr) return "";
  switch (remedy.kind) {
    case engine::RemedyKind::kWiderLevel:
      return "require level " + change.level + " instead of " + LevelOf(*room) + " for " + pod_set;
    case engine::RemedyKind::kPreferLevel:
      return "prefer level " + change.level + " instead of requiring it for " + pod_set;
    case engine::RemedyKind::kWiderSliceLevel:
      return "require level " + change.level + " instead of " +
             room->levels[room->slice_level].level + " for the slices of " + pod_set;
    case engine::RemedyKind::kSmallerSlices:
      return "request slices of " + CountText(static_cast<size_t>(change.slice_size), "pod") +
             " instead of " + std::to_string(room->slice_size) + " in " + pod_set;
    case engine::RemedyKind::kFreeRoom:
      return FreedText(report, remedy);
    case engine::RemedyKind::kAddNodes:
      return "add " + CountText(static_cast<size_t>(change.node_count), "node") + " like " +
             change.node_like + (change.beside.empty() ? "" : " to " + DomainText(change.beside));
    default:
      return "";
  }
}

}  // namespace berth::explain
