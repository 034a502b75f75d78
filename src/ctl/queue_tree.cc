#include "ctl/queue_tree.h"

#include <map>
#include <set>
#include <utility>

#include "ctl/queue_tables.h"
#include "schema/json/writer.h"

namespace berth::ctl {
namespace {

class QueueTreeMaker {
 public:
  QueueTreeMaker(std::span<const api::ClusterQueue> queues, std::span<const api::Cohort> cohorts) {
    for (const api::Cohort& cohort : cohorts) {
      cohorts_[cohort.metadata.name] = &cohort;
      names_.insert(cohort.metadata.name);
      if (const std::string parent = cohort.spec.parent_name.value_or(""); !parent.empty()) {
        names_.insert(parent);
        children_[parent].insert(cohort.metadata.name);
      }
    }
    for (const api::ClusterQueue& queue : queues) {
      const std::string cohort = queue.spec.cohort_name.value_or("");
      queues_[cohort].push_back(&queue);
      if (!cohort.empty()) names_.insert(cohort);
    }
  }

  std::vector<QueueTreeNode> Make() {
    std::vector<QueueTreeNode> roots;
    for (const std::string& name : names_)
      if (ParentOf(name).empty()) roots.push_back(CohortNode(name));
    for (const std::string& name : names_)  // of a cycle
      if (!done_.contains(name)) roots.push_back(CohortNode(name));
    AddQueues("", roots);
    return roots;
  }

 private:
  std::string ParentOf(const std::string& cohort) const {
    const auto found = cohorts_.find(cohort);
    return found == cohorts_.end() ? "" : found->second->spec.parent_name.value_or("");
  }

  QueueTreeNode CohortNode(const std::string& name) {
    done_.insert(name);
    QueueTreeNode node{.name = name, .is_cohort = true};
    if (const auto found = cohorts_.find(name); found != cohorts_.end())
      AddNominal(found->second->spec.resource_groups, node.uses);
    for (const std::string& child : children_[name])
      if (!done_.contains(child)) node.children.push_back(CohortNode(child));
    AddQueues(name, node.children);
    for (const QueueTreeNode& child : node.children) {
      node.pending += child.pending;
      node.admitted += child.admitted;
      for (const auto& [key, use] : child.uses) node.uses[key].Add(use);
    }
    SetBorrowed(node, !ParentOf(name).empty());
    return node;
  }

  // A Cohort borrows from its parent what its nodes use beyond its nominal quota.
  static void SetBorrowed(QueueTreeNode& cohort, bool has_parent) {
    for (auto& [key, use] : cohort.uses) {
      quantity::Quantity beyond = use.used;
      beyond.Sub(use.nominal);
      use.borrowed = has_parent && beyond.Sign() > 0 ? beyond : quantity::Quantity();
    }
  }

  void AddQueues(const std::string& cohort, std::vector<QueueTreeNode>& nodes) {
    std::map<std::string, const api::ClusterQueue*> by_name;
    for (const api::ClusterQueue* queue : queues_[cohort]) by_name[queue->metadata.name] = queue;
    for (const auto& [name, queue] : by_name)
      nodes.push_back({.name = name,
                       .is_cohort = false,
                       .is_active = IsActive(*queue),
                       .pending = queue->status.pending_workloads.value_or(0),
                       .admitted = queue->status.admitted_workloads.value_or(0),
                       .uses = UsesOf(*queue),
                       .children = {}});
  }

  std::map<std::string, const api::Cohort*> cohorts_;
  std::map<std::string, std::set<std::string>> children_;
  std::map<std::string, std::vector<const api::ClusterQueue*>> queues_;  // by cohort
  std::set<std::string> names_;                                          // of cohorts
  std::set<std::string> done_;
};

std::string Label(const QueueTreeNode& node) {
  if (node.is_cohort) return node.name + " (cohort)";
  return node.is_active ? node.name : node.name + " (inactive)";
}

std::string OrDash(const quantity::Quantity& amount) {
  return amount.IsZero() ? "-" : amount.ToString();
}

// `lead` stands before the first row of the node, `margin` before its other rows and its children.
void AddRows(const QueueTreeNode& node, const std::string& lead, const std::string& margin,
             TextTable& table) {
  const std::string below = node.children.empty() ? margin : margin + "│  ";
  bool is_first = true;
  const auto add = [&](std::vector<std::string> cells) {
    cells.insert(cells.begin(), is_first ? lead + Label(node) : below);
    cells.push_back(is_first ? std::to_string(node.pending) : "");
    cells.push_back(is_first ? std::to_string(node.admitted) : "");
    table.rows.push_back(std::move(cells));
    is_first = false;
  };
  for (const auto& [key, use] : node.uses)
    add({key.first, key.second, use.nominal.ToString(), use.used.ToString(), OrDash(use.borrowed)});
  if (node.uses.empty()) add({"", "", "", "", ""});
  for (size_t i = 0; i < node.children.size(); ++i) {
    const bool is_last = i + 1 == node.children.size();
    AddRows(node.children[i], margin + (is_last ? "└─ " : "├─ "),
            margin + (is_last ? "   " : "│  "), table);
  }
}

void WriteNode(const QueueTreeNode& node, schema::JsonWriter& w) {
  w.BeginObject().Member("kind", node.is_cohort ? "Cohort" : "ClusterQueue");
  w.Member("name", node.name).Member("active", node.is_active);
  w.Member("pending", node.pending).Member("admitted", node.admitted);
  w.Key("quotas").BeginArray();
  for (const auto& [key, use] : node.uses) {
    w.BeginObject().Member("flavor", key.first).Member("resource", key.second);
    w.Member("nominal", use.nominal.ToString()).Member("used", use.used.ToString());
    w.Member("borrowed", use.borrowed.ToString()).EndObject();
  }
  w.EndArray().Key("children").BeginArray();
  for (const QueueTreeNode& child : node.children) WriteNode(child, w);
  w.EndArray().EndObject();
}

}  // namespace

std::vector<QueueTreeNode> MakeQueueTree(std::span<const api::ClusterQueue> queues,
                                         std::span<const api::Cohort> cohorts) {
  return QueueTreeMaker(queues, cohorts).Make();
}

TextTable QueueTreeTable(std::span<const QueueTreeNode> roots) {
  TextTable table{.columns = {{"Name"},
                              {"Flavor"},
                              {"Resource"},
                              {"Nominal"},
                              {"Used"},
                              {"Borrowed"},
                              {"Pending"},
                              {"Admitted"}},
                  .rows = {}};
  for (const QueueTreeNode& root : roots) AddRows(root, "", "", table);
  return table;
}

std::string QueueTreeJson(std::span<const QueueTreeNode> roots) {
  schema::JsonWriter w;
  w.BeginArray();
  for (const QueueTreeNode& root : roots) WriteNode(root, w);
  w.EndArray();
  return w.Take() + "\n";
}

}  // namespace berth::ctl
