#include "apiserver/apply/merge_field_set.h"

#include <algorithm>
#include <utility>

namespace berth::apiserver {
namespace {

void Keep(FieldSet::Nodes& nodes, const PathStep& step, FieldSet::Node node) {
  if (node.is_member || !node.below.empty()) nodes.emplace(step, std::move(node));
}

std::string PrintKeys(const json::value& keys) {
  std::string text = "[";
  for (const auto& member : keys.get_object()) {
    if (text.size() > 1) text += ',';
    text += json::View(member.key());
    text += '=';
    json::PrintTo(text, member.value());
  }
  return text + "]";
}

std::string PrintStep(const PathStep& step) {
  const std::string_view rest = std::string_view(step).substr(2);
  switch (step[0]) {
    case 'k':
      if (const auto keys = json::Parse(rest); keys && keys->is_object()) {
        return PrintKeys(*keys);
      }
      return "[" + std::string(rest) + "]";
    case 'v':
      return "[=" + std::string(rest) + "]";
    case 'i':
      return "[" + std::string(rest) + "]";
    default:
      return "." + std::string(rest);
  }
}

// Normalizes a step of external input.
base::Result<PathStep> ParseStep(std::string_view text) {
  const std::string_view kind = text.substr(0, 2);
  const std::string_view rest = text.substr(std::min<size_t>(2, text.size()));
  if (kind == "f:" || kind == "i:") return PathStep(text);
  const auto value = json::Parse(rest);
  if (kind == "k:" && value && value->is_object()) return KeyStep(value->get_object());
  if (kind == "v:" && value) return ValueStep(*value);
  return base::Fail("managedFields: \"" + std::string(text) + "\" is no step of a field path",
                    "steps are f:name, k:{keys}, v:value and i:index");
}

}  // namespace

PathStep MemberStep(std::string_view name) { return "f:" + std::string(name); }

PathStep KeyStep(const json::object& keys) {
  std::vector<json::string_view> names;
  for (const auto& member : keys) names.push_back(member.key());
  std::ranges::sort(names);
  json::object sorted;
  for (const json::string_view name : names) sorted.emplace(name, keys.at(name));
  return "k:" + json::Print(sorted);
}

PathStep ValueStep(const json::value& value) { return "v:" + json::Print(value); }

std::string ToString(std::span<const PathStep> path) {
  std::string text;
  for (const PathStep& step : path) text += PrintStep(step);
  return text;
}

bool FieldSet::empty() const {
  return std::ranges::all_of(nodes_, [](const auto& entry) {
    return !entry.second.is_member && entry.second.below.empty();
  });
}

void FieldSet::Insert(std::span<const PathStep> path) { Insert(path, {}); }

void FieldSet::Insert(std::span<const PathStep> path, FieldSet below) {
  FieldSet* at = this;
  for (size_t i = 0; i < path.size(); ++i) {
    Node& node = at->nodes_[path[i]];
    if (i + 1 == path.size()) node.is_member = true;
    at = &node.below;
  }
  at->Add(std::move(below));
}

bool FieldSet::Has(std::string_view step) const {
  const auto found = nodes_.find(step);
  return found != nodes_.end() && found->second.is_member;
}

const FieldSet* FieldSet::Below(std::string_view step) const {
  const auto found = nodes_.find(step);
  return found == nodes_.end() || found->second.below.empty() ? nullptr : &found->second.below;
}

void FieldSet::Add(FieldSet other) {
  nodes_.merge(other.nodes_);
  for (auto& [step, node] : other.nodes_) {
    Node& mine = nodes_.find(step)->second;
    mine.is_member |= node.is_member;
    mine.below.Add(std::move(node.below));
  }
}

FieldSet FieldSet::Union(const FieldSet& other) const {
  FieldSet result = *this;
  result.Add(other);
  return result;
}

FieldSet FieldSet::Intersection(const FieldSet& other) const {
  if (other.nodes_.size() < nodes_.size()) return other.Intersection(*this);
  FieldSet result;
  for (const auto& [step, node] : nodes_) {
    const auto found = other.nodes_.find(step);
    if (found == other.nodes_.end()) continue;
    Keep(result.nodes_, step,
         {node.is_member && found->second.is_member, node.below.Intersection(found->second.below)});
  }
  return result;
}

void FieldSet::Remove(const FieldSet& other) {
  for (const auto& [step, node] : other.nodes_) {
    const auto found = nodes_.find(step);
    if (found == nodes_.end()) continue;
    found->second.is_member = found->second.is_member && !node.is_member;
    found->second.below.Remove(node.below);
    if (!found->second.is_member && found->second.below.empty()) nodes_.erase(found);
  }
}

FieldSet FieldSet::Difference(const FieldSet& other) const {
  FieldSet result = *this;
  result.Remove(other);
  return result;
}

FieldSet FieldSet::Without(const FieldSet& other) const {
  FieldSet result;
  for (const auto& [step, node] : nodes_) {
    const auto found = other.nodes_.find(step);
    if (found == other.nodes_.end()) {
      result.nodes_.emplace(step, node);
    } else if (!found->second.is_member) {
      Keep(result.nodes_, step, {node.is_member, node.below.Without(found->second.below)});
    }
  }
  return result;
}

namespace {

void PrintNodes(const FieldSet& set, json::object& out) {
  out.reserve(set.nodes().size() + 1);
  for (const auto& [step, node] : set.nodes()) {
    const bool has_below = !node.below.empty();
    if (!node.is_member && !has_below) continue;
    json::object& inner = out.emplace(step, boost::json::object_kind).first->value().get_object();
    if (node.is_member && has_below) inner.emplace(".", boost::json::object_kind);
    PrintNodes(node.below, inner);
  }
}

}  // namespace

json::object PrintFieldSet(const FieldSet& set, json::storage_ptr memory) {
  json::object out(std::move(memory));
  PrintNodes(set, out);
  return out;
}

bool HasAnyOf(const json::value& fields, const FieldSet& set) {
  const json::object* object = fields.if_object();
  if (object == nullptr) return false;
  return std::ranges::any_of(set.nodes(), [&](const auto& entry) {
    const auto& [step, node] = entry;
    const json::value* found = object->if_contains(json::BoostView(step));
    const json::object* inner = found == nullptr ? nullptr : found->if_object();
    if (inner == nullptr) return false;
    return (node.is_member && (inner->empty() || inner->contains("."))) ||
           HasAnyOf(*found, node.below);
  });
}

base::Result<FieldSet> ParseFieldSet(const json::value& fields) {
  const json::object* object = fields.if_object();
  if (object == nullptr) return base::Fail("managedFields: fieldsV1 must be an object");
  FieldSet set;
  for (const auto& member : *object) {
    if (member.key() == ".") continue;
    const auto step = ParseStep(json::View(member.key()));
    if (!step) return std::unexpected(step.error());
    auto below = ParseFieldSet(member.value());
    if (!below) return below;
    const json::object& inner = member.value().get_object();
    FieldSet::Node& node = set.nodes()[*step];
    node.is_member |= inner.empty() || inner.contains(".");
    node.below.Add(*std::move(below));
  }
  return set;
}

}  // namespace berth::apiserver
