#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "json/json.h"

namespace berth::apiserver {

// A path element in FieldsV1 notation: "f:name" for a member, "k:{…}" for a list element by keys,
// "v:…" for a set element, "i:0" for an index.
using PathStep = std::string;
using FieldPath = std::vector<PathStep>;

PathStep MemberStep(std::string_view name);
// Keys are sorted by name.
PathStep KeyStep(const json::object& keys);
PathStep ValueStep(const json::value& value);

// For messages: ".spec.containers[name=\"c\"].image".
std::string ToString(std::span<const PathStep> path);

// A set of paths. Membership of a path is independent of its descendants.
class FieldSet {
 public:
  struct Node;
  using Nodes = std::map<PathStep, Node, std::less<>>;

  bool empty() const;
  void Insert(std::span<const PathStep> path);
  // Inserts the path and, below it, all of `below`.
  void Insert(std::span<const PathStep> path, FieldSet below);
  bool Has(std::string_view step) const;
  // The subset below the step; null if empty.
  const FieldSet* Below(std::string_view step) const;

  // Adds the paths of `other`. Subtrees under new steps are moved, not copied.
  void Add(FieldSet other);
  FieldSet Union(const FieldSet& other) const;
  FieldSet Intersection(const FieldSet& other) const;
  // Removes the paths of `other` but not their descendants. Linear in the size of `other`.
  void Remove(const FieldSet& other);
  // A copy without the paths of `other`; descendants stay.
  FieldSet Difference(const FieldSet& other) const;
  // A copy without the paths of `other` and their descendants.
  FieldSet Without(const FieldSet& other) const;

  // Calls visit(path) for each path, parents before descendants.
  template <class Visit>
  void Each(Visit visit) const {
    FieldPath path;
    EachBelow(path, visit);
  }

  const Nodes& nodes() const { return nodes_; }
  Nodes& nodes() { return nodes_; }

  friend bool operator==(const FieldSet& a, const FieldSet& b);

 private:
  template <class Visit>
  void EachBelow(FieldPath& path, Visit& visit) const;

  Nodes nodes_;
};

struct FieldSet::Node {
  bool is_member = false;  // the path that ends here is in the set
  FieldSet below;

  friend bool operator==(const Node&, const Node&) = default;
};

inline bool operator==(const FieldSet& a, const FieldSet& b) { return a.nodes_ == b.nodes_; }

// FieldsV1 encoding.
json::object PrintFieldSet(const FieldSet& set, json::storage_ptr memory = {});
base::Result<FieldSet> ParseFieldSet(const json::value& fields);
// True if a FieldsV1 object contains any of these paths.
bool HasAnyOf(const json::value& fields, const FieldSet& set);

template <class Visit>
void FieldSet::EachBelow(FieldPath& path, Visit& visit) const {
  for (const auto& [step, node] : nodes_) {
    if (!node.is_member) continue;
    path.push_back(step);
    visit(std::as_const(path));
    path.pop_back();
  }
  for (const auto& [step, node] : nodes_) {
    path.push_back(step);
    node.below.EachBelow(path, visit);
    path.pop_back();
  }
}

}  // namespace berth::apiserver
