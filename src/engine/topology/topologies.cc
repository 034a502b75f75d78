#include "engine/topology/topologies.h"

#include <algorithm>

#include "quantity/amount.h"

namespace berth::engine {
namespace {

constexpr char kSeparator = '\0';

const std::string* FindLabel(const std::vector<NodeLabel>& labels, std::string_view key) {
  const auto at = std::ranges::lower_bound(labels, key, {}, &NodeLabel::key);
  return at == labels.end() || at->key != key ? nullptr : &at->value;
}

void Spend(std::vector<int64_t>& amounts, NodeColumn column, int64_t amount) {
  if (amounts.size() <= column) amounts.resize(column + 1);
  amounts[column] = quantity::SaturatingAdd(amounts[column], amount);
}

}  // namespace

Topologies::Topologies(ResourceId pods, bool shares_hosts)
    : shares_hosts_(shares_hosts), host_space_(usage_.AddSpace()) {
  columns_.resize(pods.index() + 1, kNoNodeColumn);
  columns_[pods.index()] = kPodsColumn;
}

// --- Names ---------------------------------------------------------------------------------------

DomainPathId Topologies::Path(std::span<const std::string> values) {
  std::string text;
  for (const std::string& value : values) {
    if (!text.empty()) text += kSeparator;
    text += value;
  }
  return paths_.Intern(text);
}

std::vector<std::string> Topologies::ValuesOf(DomainPathId path) const {
  std::vector<std::string> values(1);
  for (const char c : paths_.Name(path)) {
    if (c == kSeparator)
      values.emplace_back();
    else
      values.back() += c;
  }
  return values;
}

std::string_view Topologies::LastValueOf(DomainPathId path) const {
  const std::string_view text = paths_.Name(path);
  const size_t at = text.rfind(kSeparator);
  return at == std::string_view::npos ? text : text.substr(at + 1);
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
  const auto known = topologies_.find(name);
  if (known == topologies_.end()) return;
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

SpaceIndex Topologies::SpaceOf(Flavor& flavor, const std::vector<std::string>& levels) {
  if (shares_hosts_ && !levels.empty() && levels.back() == kHostnameLevel) return host_space_;
  if (!flavor.has_own_space) flavor.own_space = usage_.AddSpace();
  flavor.has_own_space = true;
  return flavor.own_space;
}

void Topologies::Rebuild(FlavorId id) {
  Flavor& flavor = FlavorRecord(id);
  for (uint32_t i = 0; i < nodes_.size(); ++i) LeaveFlavor(ClusterNodeId(i), id);
  flavor.forest.reset();
  matches_.Forget(id);
  if (!flavor.is_set) return;
  const auto levels = topologies_.find(flavor.spec.topology);
  if (levels == topologies_.end() || levels->second.empty()) return;
  flavor.forest = std::make_unique<TopologyForest>(levels->second, SpaceOf(flavor, levels->second),
                                                   usage_.column_count());
  for (uint32_t i = 0; i < nodes_.size(); ++i) EnterFlavor(ClusterNodeId(i), id);
}

void Topologies::ForgetUsage() {
  usage_.Clear(host_space_);
  for (const Flavor& flavor : flavors_)
    if (flavor.has_own_space) usage_.Clear(flavor.own_space);
}

const TopologyForest* Topologies::Find(FlavorId flavor) const {
  return flavor.index() < flavors_.size() ? flavors_[flavor.index()].forest.get() : nullptr;
}

const NodeMatchCache::Row* Topologies::MatchesOf(FlavorId flavor, NodeMatchId match) {
  return matches_.Update(*Find(flavor), flavor, match);
}

// --- Nodes ---------------------------------------------------------------------------------------

Topologies::ClusterNode& Topologies::NodeRecord(ClusterNodeId id) {
  if (nodes_.size() <= id.index()) nodes_.resize(id.index() + 1);
  return nodes_[id.index()];
}

ClusterNodeId Topologies::SetNode(const ClusterNodeSpec& spec) {
  const ClusterNodeId id = Node(spec.name);
  Leave(id);
  for (const Request& request : spec.allocatable) EnsureColumn(request.resource);
  ClusterNode& node = NodeRecord(id);
  node.is_known = true;
  node.is_usable = spec.is_usable;
  node.labels = spec.labels;
  node.amounts.clear();
  for (const Request& request : spec.allocatable)
    Spend(node.amounts, ColumnOf(request.resource), request.amount);
  for (NodeColumn column = 0; column < node.other.size(); ++column)
    Spend(node.amounts, column, -node.other[column]);
  Enter(id);
  return id;
}

void Topologies::RemoveNode(std::string_view name) {
  const ClusterNodeId id = node_names_.Find(name);
  if (id.is_none()) return;
  Leave(id);
  ClusterNode& node = NodeRecord(id);
  node.is_known = node.is_usable = false;
  node.labels.clear();
  node.amounts.clear();
}

void Topologies::SetOtherUsage(std::string_view name, std::span<const Request> requests) {
  const ClusterNodeId id = Node(name);
  for (const Request& request : requests) EnsureColumn(request.resource);
  ClusterNode& node = NodeRecord(id);
  std::vector<int64_t> before = std::move(node.other);
  node.other.clear();
  for (const Request& request : requests)
    Spend(node.other, ColumnOf(request.resource), request.amount);
  for (NodeColumn column = 0; column < usage_.column_count(); ++column) {
    const int64_t old_amount = column < before.size() ? before[column] : 0;
    const int64_t new_amount = column < node.other.size() ? node.other[column] : 0;
    if (!node.is_known || old_amount == new_amount) continue;
    Spend(node.amounts, column, old_amount - new_amount);
    for (const ClusterNode::Place& place : node.places)
      flavors_[place.flavor.index()].forest->AddCapacity(place.leaf, column,
                                                         old_amount - new_amount);
  }
}

std::vector<FlavorId> Topologies::FlavorsOf(std::string_view name) const {
  std::vector<FlavorId> flavors;
  const ClusterNodeId id = node_names_.Find(name);
  if (id.is_none() || id.index() >= nodes_.size()) return flavors;
  for (const ClusterNode::Place& place : nodes_[id.index()].places) flavors.push_back(place.flavor);
  return flavors;
}

void Topologies::Enter(ClusterNodeId id) {
  for (uint32_t i = 0; i < flavors_.size(); ++i) EnterFlavor(id, FlavorId(i));
}

void Topologies::EnterFlavor(ClusterNodeId id, FlavorId flavor_id) {
  Flavor& flavor = flavors_[flavor_id.index()];
  ClusterNode& node = NodeRecord(id);
  if (!flavor.forest || !node.is_usable) return;
  for (const NodeLabel& label : flavor.spec.node_labels) {
    const std::string* value = FindLabel(node.labels, label.key);
    if (value == nullptr || *value != label.value) return;
  }
  std::vector<std::string_view> values;
  for (const std::string& level : flavor.forest->levels()) {
    const std::string* value = FindLabel(node.labels, level);
    if (value == nullptr) return;
    values.push_back(*value);
  }
  std::vector<std::string> named(values.begin(), values.end());
  const bool is_host = flavor.forest->is_hostname_lowest();
  const DomainPathId path = Path(is_host ? std::span(named).last(1) : std::span(named));
  usage_.Reserve(flavor.forest->space(), path);
  const LeafIndex leaf = flavor.forest->AddNode(id, values, path);
  for (NodeColumn column = 0; column < node.amounts.size(); ++column)
    flavor.forest->AddCapacity(leaf, column, node.amounts[column]);
  node.places.push_back({flavor_id, leaf});
}

void Topologies::Leave(ClusterNodeId id) {
  for (uint32_t i = 0; i < flavors_.size(); ++i) LeaveFlavor(id, FlavorId(i));
}

void Topologies::LeaveFlavor(ClusterNodeId id, FlavorId flavor) {
  ClusterNode& node = NodeRecord(id);
  const auto place = std::ranges::find(node.places, flavor, &ClusterNode::Place::flavor);
  if (place == node.places.end()) return;
  TopologyForest& forest = *flavors_[flavor.index()].forest;
  for (NodeColumn column = 0; column < node.amounts.size(); ++column)
    forest.AddCapacity(place->leaf, column, -node.amounts[column]);
  forest.RemoveNode(id, place->leaf);
  node.places.erase(place);
}

// --- Usage ---------------------------------------------------------------------------------------

void Topologies::AddUsage(const PodSetTopology& request, const PodSetPlacement& placement,
                          int32_t times) {
  const TopologyForest* forest = Find(placement.flavor);
  if (forest == nullptr) return;
  for (const DomainPods& pods : placement.domains) {
    const int64_t count = int64_t{times} * pods.count;
    usage_.Add(forest->space(), pods.path, kPodsColumn, count);
    for (const Request& r : request.per_pod) {
      if (r.amount == 0) continue;
      // Nothing that is tried needs a resource that neither a node nor a workload has.
      const NodeColumn column =
          usage_.has_open_trial() ? ColumnOf(r.resource) : EnsureColumn(r.resource);
      if (column == kNoNodeColumn) continue;
      usage_.Add(forest->space(), pods.path, column, quantity::SaturatingMul(r.amount, count));
    }
  }
}

bool Topologies::Fits(const PodSetTopology& request, FlavorId flavor,
                      const DomainPods& pods) const {
  const TopologyForest* forest = Find(flavor);
  const DomainIndex domain = forest == nullptr ? kNoDomain : forest->FindLeaf(pods.path);
  if (domain == kNoDomain) return false;
  const int64_t* capacity = forest->CapacityOf(forest->domain(domain).leaf);
  const int64_t* used = usage_.Row(forest->space(), pods.path);
  const auto fits = [&](NodeColumn column, int64_t amount) {
    if (amount == 0) return true;
    return column != kNoNodeColumn &&
           quantity::SaturatingMul(amount, pods.count) <= capacity[column] - used[column];
  };
  return fits(kPodsColumn, 1) && std::ranges::all_of(request.per_pod, [&](const Request& r) {
           return fits(ColumnOf(r.resource), r.amount);
         });
}

bool Topologies::TakeFirstScore(WorkloadId workload, uint32_t pod_set, FlavorId flavor) {
  const Scored scored{workload, pod_set, flavor};
  if (std::ranges::find(scored_, scored) != scored_.end()) return false;
  scored_.push_back(scored);
  return true;
}

}  // namespace berth::engine
