#include "engine/topology/topologies.h"

#include <algorithm>
#include <utility>

#include "quantity/amount.h"

namespace berth::engine {
namespace {

// Leaves that are gone stay in a forest until they are more than those that exist and this many.
constexpr size_t kMostGoneLeaves = 1024;

void AddAmount(std::vector<int64_t>& amounts, NodeColumn column, int64_t amount) {
  if (amounts.size() <= column) amounts.resize(column + 1);
  amounts[column] = quantity::SaturatingAdd(amounts[column], amount);
}

template <class Places>
void ErasePlace(Places& places, FlavorId flavor) {
  for (size_t i = 0; i < places.size(); ++i) {
    if (places[i].flavor != flavor) continue;
    places[i] = places[places.size() - 1];
    return places.pop_back();
  }
}

// The nodes that share the hostname of a leaf; 1 if its nodes are not told apart by hostnames.
size_t NodesOfHost(const TopologyForest& forest, LeafIndex leaf) {
  return forest.is_hostname_lowest() ? forest.domain(forest.DomainOf(leaf)).nodes : 1;
}

int64_t AmountAt(const std::vector<int64_t>& amounts, NodeColumn column) {
  return column < amounts.size() ? amounts[column] : 0;
}

}  // namespace

Topologies::Topologies(ResourceId pods, bool shares_hosts)
    : shares_hosts_(shares_hosts),
      host_usage_{.lasting = usage_.AddArray(), .decided = usage_.AddArray()} {
  columns_.resize(pods.index() + 1, kNoNodeColumn);
  columns_[pods.index()] = kPodsColumn;
}

// --- Names ---------------------------------------------------------------------------------------

DomainPathId Topologies::Path(std::span<const std::string> values) {
  std::vector<LabelNameId> named;
  for (const std::string& value : values) named.push_back(names_.Acquire(value));
  const DomainPathId path = paths_.Intern(named);
  for (const LabelNameId name : named) names_.Release(name);  // the path refers to them
  return path;
}

std::vector<std::string> Topologies::ValuesOf(DomainPathId path) const {
  std::vector<std::string> values;
  for (const LabelNameId value : paths_.ValuesOf(path)) values.push_back(names_.Name(value));
  return values;
}

std::string_view Topologies::LastValueOf(DomainPathId path) const {
  return names_.Name(paths_.ValuesOf(path).back());
}

size_t Topologies::LengthOf(DomainPathId path) const {
  const std::span<const LabelNameId> values = paths_.ValuesOf(path);
  size_t length = values.size() - 1;
  for (const LabelNameId value : values) length += names_.Name(value).size();
  return length;
}

NodeColumn Topologies::ColumnOf(ResourceId resource) const {
  return resource.index() < columns_.size() ? columns_[resource.index()] : kNoNodeColumn;
}

NodeColumn Topologies::EnsureColumn(ResourceId resource) {
  if (const NodeColumn known = ColumnOf(resource); known != kNoNodeColumn) return known;
  if (columns_.size() <= resource.index()) columns_.resize(resource.index() + 1, kNoNodeColumn);
  for (Flavor& flavor : flavors_)
    if (flavor.forest) flavor.forest->AddColumn();
  return columns_[resource.index()] = usage_.AddColumn();
}

void Topologies::SetMatcher(NodeMatcher matcher) {
  matches_.SetMatcher(std::move(matcher));
  fits_.Clear();
}

// --- Flavors -------------------------------------------------------------------------------------

Topologies::Flavor& Topologies::FlavorRecord(FlavorId id) {
  if (flavors_.size() <= id.index()) flavors_.resize(id.index() + 1);
  return flavors_[id.index()];
}

void Topologies::SetTopology(const TopologySpec& spec) {
  topologies_[spec.name] = spec.levels;
  RebuildUsersOf(spec.name);
}

void Topologies::RemoveTopology(std::string_view name) {
  if (const auto known = topologies_.find(name); known != topologies_.end())
    topologies_.erase(known);
  RebuildUsersOf(name);
}

void Topologies::RebuildUsersOf(std::string_view topology) {
  for (uint32_t i = 0; i < flavors_.size(); ++i)
    if (flavors_[i].is_set && flavors_[i].spec.topology == topology) Rebuild(FlavorId(i));
  ForgetUsage();
}

void Topologies::SetFlavor(const TopologyFlavorSpec& spec) {
  Flavor& flavor = FlavorRecord(spec.flavor);
  flavor.is_set = true;
  flavor.spec = spec;
  Rebuild(spec.flavor);
  ForgetUsage();
}

void Topologies::RemoveFlavor(FlavorId id) {
  FlavorRecord(id).is_set = false;
  Rebuild(id);
  ForgetUsage();
}

UsageArrays Topologies::ArraysOf(Flavor& flavor, const std::vector<std::string>& levels) {
  if (!flavor.usage)
    flavor.usage = {
        .lasting = usage_.AddArray(), .tried = usage_.AddArray(), .decided = usage_.AddArray()};
  UsageArrays arrays = *flavor.usage;
  if (shares_hosts_ && !levels.empty() && levels.back() == kHostnameLevel) {
    arrays.lasting = host_usage_.lasting;
    arrays.decided = host_usage_.decided;
  }
  return arrays;
}

void Topologies::Rebuild(FlavorId id) {
  Flavor& flavor = FlavorRecord(id);
  for (ClusterNode& node : nodes_) ErasePlace(node.places, id);
  flavor.forest.reset();
  matches_.Erase(id);
  fits_.Erase(id);
  if (!flavor.is_set) return;
  const auto levels = topologies_.find(flavor.spec.topology);
  if (levels == topologies_.end() || levels->second.empty()) return;
  flavor.forest = std::make_unique<TopologyForest>(levels->second, ArraysOf(flavor, levels->second),
                                                   usage_.column_count(), names_);
  for (uint32_t i = 0; i < nodes_.size(); ++i) EnterFlavor(ClusterNodeId(i), id);
}

// Nodes that come and go under new names leave domains behind. Usage is by path, and stays.
void Topologies::DropGoneLeaves() {
  for (uint32_t i = 0; i < flavors_.size(); ++i) {
    const TopologyForest* forest = flavors_[i].forest.get();
    if (forest == nullptr) continue;
    const size_t existing = forest->existing_leaf_count();
    if (forest->leaf_count() - existing > existing + kMostGoneLeaves) Rebuild(FlavorId(i));
  }
}

void Topologies::ForgetUsage() {
  usage_.Clear(host_usage_.lasting);
  for (const Flavor& flavor : flavors_)
    if (flavor.usage) usage_.Clear(flavor.usage->lasting);
}

const TopologyForest* Topologies::Find(FlavorId flavor) const {
  return flavor.index() < flavors_.size() ? flavors_[flavor.index()].forest.get() : nullptr;
}

const NodeMatchCache::Row* Topologies::MatchesOf(FlavorId flavor, NodeMatchId match) {
  return matches_.Update(*Find(flavor), flavor, match);
}

std::vector<DomainFit>& Topologies::FitsOf(const PlacementRequest& request) {
  return fits_.Update(*Find(request.flavor), usage_, MatchesOf(request.flavor, request.match),
                      request);
}

int64_t Topologies::FreeIn(const TopologyForest& forest, LeafIndex leaf, NodeColumn column) const {
  if (column == kNoNodeColumn) return 0;
  int64_t free = forest.CapacityOf(leaf)[column];
  for (const uint32_t array : {forest.usage().lasting, forest.usage().tried}) {
    const int64_t* used = usage_.Row(array, forest.PathOf(leaf));
    if (used != nullptr) free = quantity::SaturatingSub(free, used[column]);
  }
  return free;
}

// --- Nodes ---------------------------------------------------------------------------------------

ClusterNodeId Topologies::FindNode(std::string_view name) const {
  const LabelNameId known = names_.Find(name);
  if (known.is_none() || known.index() >= node_of_name_.size()) return ClusterNodeId::None();
  return node_of_name_[known.index()];
}

ClusterNodeId Topologies::FindOrAddNode(std::string_view name) {
  if (const ClusterNodeId known = FindNode(name); !known.is_none()) return known;
  ClusterNodeId id(static_cast<uint32_t>(nodes_.size()));
  if (free_nodes_.empty()) {
    nodes_.emplace_back();
  } else {
    id = free_nodes_.back();
    free_nodes_.pop_back();
  }
  const LabelNameId name_id = nodes_[id.index()].name = names_.Acquire(name);
  if (node_of_name_.size() <= name_id.index()) node_of_name_.resize(name_id.index() + 1);
  node_of_name_[name_id.index()] = id;
  return id;
}

// Precondition: the node is in no flavor unless it is known.
void Topologies::FreeIfUnused(ClusterNodeId id) {
  ClusterNode& node = nodes_[id.index()];
  if (node.is_known || !node.other.empty()) return;
  node_of_name_[node.name.index()] = ClusterNodeId::None();
  names_.Release(node.name);
  node = {};
  free_nodes_.push_back(id);
}

void Topologies::SetLabels(const std::vector<NodeLabel>& labels, ClusterNode& node) {
  const std::vector<ClusterNode::Label> before = std::exchange(node.labels, {});
  node.labels.reserve(labels.size());
  for (const NodeLabel& label : labels)
    node.labels.push_back({names_.Acquire(label.key), names_.Acquire(label.value)});
  for (const ClusterNode::Label& label : before) {
    names_.Release(label.key);
    names_.Release(label.value);
  }
}

LabelNameId Topologies::FindLabel(const ClusterNode& node, std::string_view key) const {
  const LabelNameId name = names_.Find(key);
  const auto at = std::ranges::find(node.labels, name, &ClusterNode::Label::key);
  return name.is_none() || at == node.labels.end() ? LabelNameId::None() : at->value;
}

bool Topologies::HasLabels(const ClusterNode& node, const std::vector<NodeLabel>& wanted) const {
  return std::ranges::all_of(wanted, [&](const NodeLabel& label) {
    const LabelNameId value = FindLabel(node, label.key);
    return !value.is_none() && names_.Name(value) == label.value;
  });
}

ClusterNodeId Topologies::SetNode(const ClusterNodeSpec& spec) {
  const ClusterNodeId id = FindOrAddNode(spec.name);
  Leave(id);
  for (const Request& request : spec.allocatable) EnsureColumn(request.resource);
  ClusterNode& node = nodes_[id.index()];
  node.is_known = true;
  node.is_usable = spec.is_usable;
  SetLabels(spec.labels, node);
  node.allocatable.clear();
  for (const Request& request : spec.allocatable)
    AddAmount(node.allocatable, ColumnOf(request.resource), request.amount);
  Enter(id);
  DropGoneLeaves();
  return id;
}

void Topologies::RemoveNode(std::string_view name) {
  const ClusterNodeId id = FindNode(name);
  if (id.is_none()) return;
  Leave(id);
  ClusterNode& node = nodes_[id.index()];
  node.is_known = node.is_usable = false;
  SetLabels({}, node);
  node.allocatable.clear();
  FreeIfUnused(id);
  DropGoneLeaves();
}

void Topologies::SetOtherUsage(std::string_view name, std::span<const Request> requests) {
  const ClusterNodeId id = FindOrAddNode(name);
  for (const Request& request : requests) EnsureColumn(request.resource);
  ClusterNode& node = nodes_[id.index()];
  const std::vector<int64_t> before = std::move(node.other);
  node.other.clear();
  for (const Request& request : requests)
    AddAmount(node.other, ColumnOf(request.resource), request.amount);
  for (NodeColumn column = 0; column < usage_.column_count(); ++column) {
    const base::Int128 less = base::Int128{AmountAt(before, column)} - AmountAt(node.other, column);
    for (const ClusterNode::Place& place : node.places) {
      TopologyForest& forest = *flavors_[place.flavor.index()].forest;
      if (NodesOfHost(forest, place.leaf) == 1) forest.AddCapacity(place.leaf, column, less);
    }
  }
  FreeIfUnused(id);
}

std::vector<FlavorId> Topologies::FlavorsOf(std::string_view name) const {
  std::vector<FlavorId> flavors;
  const ClusterNodeId id = FindNode(name);
  if (id.is_none()) return flavors;
  for (const ClusterNode::Place& place : nodes_[id.index()].places) flavors.push_back(place.flavor);
  return flavors;
}

void Topologies::AddCapacity(const ClusterNode& node, TopologyForest& forest, LeafIndex leaf,
                             int32_t times) {
  for (NodeColumn column = 0; column < usage_.column_count(); ++column) {
    const base::Int128 amount =
        base::Int128{AmountAt(node.allocatable, column)} - AmountAt(node.other, column);
    if (amount != 0) forest.AddCapacity(leaf, column, amount * times);
  }
}

FlavorNodes Topologies::CountNodes(FlavorId flavor) const {
  FlavorNodes count;
  const TopologyFlavorSpec& spec = flavors_[flavor.index()].spec;
  const std::vector<std::string>& levels = Find(flavor)->levels();
  for (const ClusterNode& node : nodes_) {
    if (!node.is_known || !HasLabels(node, spec.node_labels)) continue;
    ++count.total;
    const auto has_level = [&](const std::string& level) {
      return !FindLabel(node, level).is_none();
    };
    if (!node.is_usable)
      ++count.unusable;
    else if (!std::ranges::all_of(levels, has_level))
      ++count.without_level;
    const auto place = std::ranges::find(node.places, flavor, &ClusterNode::Place::flavor);
    if (place != node.places.end() && NodesOfHost(*Find(flavor), place->leaf) > 1)
      ++count.same_hostname;
  }
  return count;
}

void Topologies::Enter(ClusterNodeId id) {
  for (uint32_t i = 0; i < flavors_.size(); ++i) EnterFlavor(id, FlavorId(i));
}

void Topologies::EnterFlavor(ClusterNodeId id, FlavorId flavor_id) {
  Flavor& flavor = flavors_[flavor_id.index()];
  ClusterNode& node = nodes_[id.index()];
  if (!flavor.forest || !node.is_usable) return;
  if (!HasLabels(node, flavor.spec.node_labels)) return;
  base::InlineVector<LabelNameId, 8> values;
  for (const std::string& level : flavor.forest->levels()) {
    values.push_back(FindLabel(node, level));
    if (values.end()[-1].is_none()) return;
  }
  const std::span<const LabelNameId> all(values.begin(), values.end());
  const DomainPathId path = paths_.Intern(flavor.forest->is_hostname_lowest() ? all.last(1) : all);
  const LeafIndex leaf = flavor.forest->AddNode(id, all, path);
  node.places.push_back({flavor_id, leaf});
  const size_t nodes = NodesOfHost(*flavor.forest, leaf);
  if (nodes == 1) AddCapacity(node, *flavor.forest, leaf, 1);
  if (nodes == 2)
    AddCapacity(nodes_[flavor.forest->OtherNodeOf(leaf, id).index()], *flavor.forest, leaf, -1);
}

void Topologies::Leave(ClusterNodeId id) {
  for (uint32_t i = 0; i < flavors_.size(); ++i) LeaveFlavor(id, FlavorId(i));
}

// If two nodes had the same hostname, the one that is left enters again, by its own labels.
void Topologies::LeaveFlavor(ClusterNodeId id, FlavorId flavor) {
  const ClusterNode& node = nodes_[id.index()];
  const auto place = std::ranges::find(node.places, flavor, &ClusterNode::Place::flavor);
  if (place == node.places.end()) return;
  TopologyForest& forest = *flavors_[flavor.index()].forest;
  const LeafIndex leaf = place->leaf;
  const size_t nodes = NodesOfHost(forest, leaf);
  if (nodes == 1) AddCapacity(node, forest, leaf, -1);
  const ClusterNodeId left = nodes == 2 ? forest.OtherNodeOf(leaf, id) : ClusterNodeId::None();
  TakeOut(id, flavor, leaf);
  if (left.is_none()) return;
  TakeOut(left, flavor, leaf);
  EnterFlavor(left, flavor);
}

void Topologies::TakeOut(ClusterNodeId id, FlavorId flavor, LeafIndex leaf) {
  flavors_[flavor.index()].forest->RemoveNode(id, leaf);
  ErasePlace(nodes_[id.index()].places, flavor);
}

// --- Usage ---------------------------------------------------------------------------------------

void Topologies::AddUsage(const PodSetTopology& request, const PodSetPlacement& placement,
                          int32_t times) {
  const TopologyForest* forest = Find(placement.flavor);
  if (forest == nullptr) return;
  for (const DomainPods& pods : placement.domains) {
    const int64_t count = int64_t{times} * pods.count;
    usage_.Add(forest->usage(), pods.path, kPodsColumn, count);
    for (const Request& r : request.per_pod) {
      if (r.amount == 0) continue;
      // Nothing that is tried needs a resource that neither a node nor a workload has.
      const NodeColumn column =
          usage_.has_open_trial() ? ColumnOf(r.resource) : EnsureColumn(r.resource);
      if (column == kNoNodeColumn) continue;
      usage_.Add(forest->usage(), pods.path, column, base::Int128{r.amount} * count);
    }
  }
}

namespace {

// What a leaf has free, beside one more layer of usage.
class FreeInLeaf {
 public:
  FreeInLeaf(const TopologyForest& forest, const LeafUsage& usage, DomainIndex domain,
             UsageLayer layer)
      : capacity_(forest.CapacityOf(forest.domain(domain).leaf)),
        lasting_(usage.Row(forest.usage().lasting, forest.PathOf(forest.domain(domain).leaf))),
        other_(usage.Row(forest.usage().Of(layer), forest.PathOf(forest.domain(domain).leaf))) {}

  bool Has(NodeColumn column, int64_t per_pod, int32_t pods) const {
    if (per_pod == 0) return true;
    if (column == kNoNodeColumn) return false;
    base::Int128 free = capacity_[column];
    if (lasting_ != nullptr) free -= lasting_[column];
    if (other_ != nullptr) free -= other_[column];
    return base::Int128{per_pod} * pods <= free;
  }

 private:
  const int64_t* capacity_;
  const int64_t* lasting_;
  const int64_t* other_;
};

}  // namespace

bool Topologies::FitsIn(UsageLayer layer, const PodSetTopology& request, FlavorId flavor,
                        const DomainPods& pods) const {
  const TopologyForest* forest = Find(flavor);
  const DomainIndex domain = forest == nullptr ? kNoDomain : forest->FindLeaf(pods.path);
  if (domain == kNoDomain) return false;
  const FreeInLeaf free(*forest, usage_, domain, layer);
  if (layer == UsageLayer::kDecided && !free.Has(kPodsColumn, 1, pods.count)) return false;
  return std::ranges::all_of(request.per_pod, [&](const Request& r) {
    return free.Has(ColumnOf(r.resource), r.amount, pods.count);
  });
}

bool Topologies::FitsNow(const PodSetTopology& request, FlavorId flavor,
                         const DomainPods& pods) const {
  return FitsIn(UsageLayer::kTried, request, flavor, pods);
}

bool Topologies::FitsForGood(const PodSetTopology& request, FlavorId flavor,
                             const DomainPods& pods) const {
  return FitsIn(UsageLayer::kDecided, request, flavor, pods);
}

bool Topologies::TakeFirstScore(WorkloadId workload, uint32_t pod_set, FlavorId flavor) {
  const Scored scored{workload, pod_set, flavor};
  if (std::ranges::find(scored_, scored) != scored_.end()) return false;
  scored_.push_back(scored);
  return true;
}

}  // namespace berth::engine
