#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "store/json.h"

namespace berth::apiserver {

namespace json = boost::json;

// A step of a path as the FieldsV1 format writes it: "f:name" for a member, "k:{…}" for the element
// of a list with these keys, "v:…" for a value of a set, "i:0" for an index.
using PathStep = std::string;
using FieldPath = std::vector<PathStep>;

PathStep MemberStep(std::string_view name);
// The keys sorted by name.
PathStep KeyStep(const json::object& keys);
PathStep ValueStep(const json::value& value);

// As people write it: ".spec.containers[name=\"c\"].image".
std::string ToString(std::span<const PathStep> path);

// A set of paths. A path can be in the set without those below it, and the other way round.
class FieldSet {
 public:
  struct Node;
  using Nodes = std::map<PathStep, Node, std::less<>>;

  bool empty() const;
  void Insert(std::span<const PathStep> path);
  // The path itself and, below it, all of `below`.
  void Insert(std::span<const PathStep> path, FieldSet below);
  bool Has(std::string_view step) const;
  // What is below the step; null if nothing is.
  const FieldSet* Below(std::string_view step) const;

  // Adds the paths of `other`. What is below a step that only `other` has is moved, not copied.
  void Add(FieldSet other);
  FieldSet Union(const FieldSet& other) const;
  FieldSet Intersection(const FieldSet& other) const;
  // Takes out the paths of `other`; what is below them stays. Costs as much as `other` is large.
  void Remove(const FieldSet& other);
  // Without the paths of `other`; what is below them stays.
  FieldSet Difference(const FieldSet& other) const;
  // Without the paths of `other` and without what is below them.
  FieldSet Without(const FieldSet& other) const;

  // Calls visit(path) for each path: those that end here first, then those below.
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

// The FieldsV1 form.
json::object PrintFieldSet(const FieldSet& set, json::storage_ptr memory = {});
base::Result<FieldSet> ParseFieldSet(const json::value& fields);
// Whether a set in that form has one of these paths.
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
