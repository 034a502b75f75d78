#include "simulate/trace/node_generator.h"

#include <algorithm>

#include "api/kueue/well_known.h"
#include "api/meta/conditions.h"
#include "api/meta/label_rules.h"
#include "quantity/amount.h"
#include "simulate/trace/distribution.h"

namespace berth::simulate {
namespace {

// Bounds memory.
constexpr int64_t kMostNodes = 200'000;
// What Kueue's generator assumes.
constexpr std::string_view kPodsOfNode = "110", kCpuOfNode = "96", kMemoryOfNode = "256Gi";

void SetIfAbsent(api::ResourceList& list, std::string_view resource, std::string_view amount) {
  if (!list.Contains(resource)) list.Set(resource, *quantity::Quantity::Parse(amount));
}

std::string ValuePrefix(const GeneratedLevel& level) {
  if (!level.name.empty()) return level.name;
  return level.node_label.substr(level.node_label.rfind('/') + 1);
}

std::string NodeNameAt(const GeneratedNodes& pool, const std::vector<int32_t>& place) {
  std::string name = pool.class_name;
  for (const int32_t number : place) name += "-" + std::to_string(number);
  return name;
}

// Of the node that follows; false after the last one.
bool ToNextPlace(const GeneratedNodes& pool, std::vector<int32_t>& place) {
  for (size_t level = place.size(); level-- > 0;) {
    if (++place[level] < pool.levels[level].count) return true;
    place[level] = 0;
  }
  return false;
}

api::Node NodeWithoutPlace(const GeneratedNodes& pool) {
  api::Node node;
  node.metadata.labels = pool.labels;
  node.spec.taints = pool.taints;
  node.status.allocatable = pool.allocatable;
  SetIfAbsent(node.status.allocatable, "pods", kPodsOfNode);
  node.status.capacity = node.status.allocatable;
  api::CoreCondition& ready = node.status.conditions.emplace_back();
  ready.type = "Ready";
  ready.status = api::kConditionTrue;
  ready.reason = "KubeletReady";
  return node;
}

}  // namespace

GeneratedNodes PoolOf(const GeneratedTopology& topology,
                      const std::optional<GeneratedFlavor>& flavor) {
  GeneratedNodes pool;
  for (const GeneratedTopologyLevel& level : topology.levels) {
    pool.levels.push_back(
        {.node_label = level.node_label, .count = level.count, .name = level.name, .extra = {}});
    if (level.capacity) pool.allocatable = *level.capacity;
  }
  SetIfAbsent(pool.allocatable, "cpu", kCpuOfNode);
  SetIfAbsent(pool.allocatable, "memory", kMemoryOfNode);
  if (flavor && flavor->node_label)
    pool.labels.Set(*flavor->node_label, std::string(kValueOfFlavorLabel));
  return pool;
}

int64_t NodeCountOf(const GeneratedNodes& pool) {
  int64_t count = 1;
  for (const GeneratedLevel& level : pool.levels)
    count = quantity::SaturatingMul(count, level.count);
  return count;
}

std::vector<api::Node> MakeNodes(const GeneratedNodes& pool) {
  const api::Node common = NodeWithoutPlace(pool);
  std::vector<std::string> prefixes;
  for (const GeneratedLevel& level : pool.levels) prefixes.push_back(ValuePrefix(level) + "-");
  std::vector<api::Node> nodes;
  nodes.reserve(static_cast<size_t>(NodeCountOf(pool)));
  std::vector<int32_t> place(pool.levels.size());
  do {
    api::Node& node = nodes.emplace_back(common);
    node.metadata.name = NodeNameAt(pool, place);
    for (size_t level = 0; level < place.size(); ++level)
      node.metadata.labels.Set(pool.levels[level].node_label,
                               prefixes[level] + std::to_string(place[level]));
    node.metadata.labels.Set(api::kHostnameLabel, node.metadata.name);
  } while (ToNextPlace(pool, place));
  return nodes;
}

// --- Rules ---------------------------------------------------------------------------------------

void NodeRules::CheckTopology(const GeneratedTopology& topology) {
  for (size_t i = 0; i < topology.levels.size(); ++i) {
    auto at = report_.In("levels", i);
    const bool is_last = i + 1 == topology.levels.size();
    if (topology.levels[i].capacity && !is_last)
      report_.Invalid("capacity", "only the last level has a capacity: that of a node");
    if (topology.levels[i].capacity) CheckAmounts(*topology.levels[i].capacity, "capacity");
  }
  const GeneratedNodes pool = PoolOf(topology, std::nullopt);
  CheckLevels(pool);
  CheckName(pool, "topology");
  nodes_ = quantity::SaturatingAdd(nodes_, NodeCountOf(pool));
}

void NodeRules::CheckPool(const GeneratedNodes& pool, size_t index) {
  CheckLevels(pool);
  CheckName(pool, "nodes[" + std::to_string(index) + "]");
  CheckTimes(pool);
  CheckAmounts(pool.allocatable, "allocatable");
  api::ValidateLabels(pool.labels, "labels", report_);
  for (const auto& [label, value] : pool.labels) {
    const bool is_level =
        std::ranges::find(pool.levels, label, &GeneratedLevel::node_label) != pool.levels.end();
    if (is_level || label == api::kHostnameLabel)
      report_.Invalid("labels", "the label " + api::Quoted(label) + " follows from the levels");
  }
  nodes_ = quantity::SaturatingAdd(nodes_, NodeCountOf(pool));
}

void NodeRules::CheckTotal() {
  if (nodes_ > kMostNodes)
    report_.Invalid("nodes", "these are more than " + std::to_string(kMostNodes) + " nodes");
}

void NodeRules::CheckLevels(const GeneratedNodes& pool) {
  for (size_t i = 0; i < pool.levels.size(); ++i) {
    auto at = report_.In("levels", i);
    const std::string& label = pool.levels[i].node_label;
    const auto first = std::ranges::find(pool.levels, label, &GeneratedLevel::node_label);
    if (first != pool.levels.begin() + static_cast<ptrdiff_t>(i))
      report_.Duplicate("nodeLabel", "must be unique among levels");
    if (label == api::kHostnameLabel && i + 1 < pool.levels.size())
      report_.Invalid("nodeLabel", "kubernetes.io/hostname can only be the last level");
    if (pool.levels[i].name.empty() && !api::IsLabelValue(ValuePrefix(pool.levels[i]) + "-0"))
      report_.Required("name", "this label is too long to name its values", "write a name");
  }
}

// A pool that alone or with others is too large is reported by CheckTotal.
void NodeRules::CheckName(const GeneratedNodes& pool, const std::string& field) {
  std::vector<int32_t> last;
  for (const GeneratedLevel& level : pool.levels) last.push_back(level.count - 1);
  if (NodeNameAt(pool, last).size() > api::kMaxLabelLength)
    report_.Invalid("className", "names of these nodes exceed " +
                                     std::to_string(api::kMaxLabelLength) + " characters");
  const bool has_nodes =
      std::ranges::all_of(pool.levels, [](const auto& level) { return level.count > 0; });
  if (!has_nodes || quantity::SaturatingAdd(nodes_, NodeCountOf(pool)) > kMostNodes) return;
  std::vector<int32_t> place(pool.levels.size());
  do {
    const std::string name = NodeNameAt(pool, place);
    const auto [known, is_new] = names_.try_emplace(name, field);
    if (is_new) continue;
    return report_.Duplicate("className",
                             "a node of " + known->second + " is named " + name + ", too",
                             "write a className for each");
  } while (ToNextPlace(pool, place));
}

void NodeRules::CheckTimes(const GeneratedNodes& pool) {
  const auto check = [&](std::string_view field, const std::string& text) {
    if (text.empty()) return;
    const base::Result<Distribution> read = Distribution::Parse(text);
    if (!read) report_.Invalid(field, read.error().message, read.error().hint);
  };
  check("failsAfter", pool.fails_after);
  check("repairedAfter", pool.repaired_after);
  if (pool.fails_after.empty() && !pool.repaired_after.empty())
    report_.Required("failsAfter", "nodes that never fail are never repaired");
}

void NodeRules::CheckAmounts(const api::ResourceList& amounts, std::string_view field) {
  auto in = report_.In(field);
  const auto most = quantity::Quantity::FromInt(1'000'000'000'000'000);
  for (const auto& [resource, amount] : amounts) {
    auto at = report_.AtKey(resource);
    if (amount.Sign() < 0) report_.Invalid("", "must not be negative");
    if (amount > most) report_.Invalid("", "must be at most 1P");
  }
}

}  // namespace berth::simulate
