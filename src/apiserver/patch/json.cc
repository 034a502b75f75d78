#include <algorithm>
#include <charconv>
#include <vector>

#include "api/meta/problem_report.h"
#include "apiserver/patch/patch.h"

namespace berth::apiserver {
namespace {

using api::Quoted;

// The unescaped segments of a path. Nullopt for a path without a slash.
std::optional<std::vector<std::string>> SplitPath(std::string_view path) {
  const size_t first = path.find('/');
  if (first == std::string_view::npos) return std::nullopt;
  std::vector<std::string> names(1);
  for (size_t i = first + 1; i < path.size(); ++i) {
    const std::string_view escape = path.substr(i, 2);
    if (path[i] == '/') {
      names.emplace_back();
    } else if (escape == "~1" || escape == "~0") {
      names.back() += escape == "~1" ? '/' : '~';
      ++i;
    } else {
      names.back() += path[i];
    }
  }
  return names;
}

std::optional<int64_t> ParseIndex(std::string_view text) {
  if (text.starts_with('+') && text.size() > 1 && text[1] != '-') text.remove_prefix(1);
  int64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

// The index of one of `places` elements; negative indices count from the end.
std::optional<size_t> PlaceIn(size_t places, std::string_view text) {
  const std::optional<int64_t> index = ParseIndex(text);
  const auto count = static_cast<int64_t>(places);
  if (!index || *index >= count || *index < -count) return std::nullopt;
  return static_cast<size_t>(*index < 0 ? *index + count : *index);
}

// A container and a key in it, existing or not.
struct Location {
  json::value* parent = nullptr;
  std::string name;
  size_t depth = 0;  // number of path segments
};

// The nesting depth of the value; adds the number of visited values to `work`.
size_t DepthOf(const json::value& value, size_t& work) {
  ++work;
  size_t deepest = 0;
  if (const json::array* list = value.if_array()) {
    for (const json::value& element : *list) deepest = std::max(deepest, DepthOf(element, work));
    return deepest + 1;
  }
  if (const json::object* object = value.if_object()) {
    for (const auto& member : *object) deepest = std::max(deepest, DepthOf(member.value(), work));
    return deepest + 1;
  }
  return 0;
}

// Executes the operations of one patch on its own copy.
class JsonPatcher {
 public:
  JsonPatcher(json::value root, const PatchLimits& limits)
      : root_(std::move(root)), limits_(limits) {}

  using Step = std::expected<void, PatchError>;

  Step Run(const json::object& operation) {
    const std::string_view op = Text(operation, "op").value_or("unknown");
    if (op == "add") return Add(operation);
    if (op == "remove") return Remove(operation);
    if (op == "replace") return Replace(operation);
    if (op == "move") return Move(operation);
    if (op == "copy") return Copy(operation);
    if (op == "test") return Test(operation);
    return RefusePatch(PatchFault::kBadOperation,
                       Quoted(op) +
                           " is no operation of a JSON patch; use add, remove, replace, move, "
                           "copy or test");
  }

  json::value Take() { return std::move(root_); }

 private:
  static std::optional<std::string_view> Text(const json::object& operation,
                                              std::string_view member) {
    const json::value* found = operation.if_contains(json::BoostView(member));
    if (found == nullptr || !found->is_string()) return std::nullopt;
    return json::View(found->get_string());
  }

  // Null if omitted.
  static json::value ValueOf(const json::object& operation) {
    const json::value* found = operation.if_contains("value");
    return found == nullptr ? json::value() : *found;
  }

  // Resolves the operation's "path" or "from".
  std::expected<Location, PatchError> Find(const json::object& operation, std::string_view member) {
    const auto path = Text(operation, member);
    if (!path) {
      return RefusePatch(PatchFault::kMissing,
                         "an operation of the JSON patch has no " + Quoted(member));
    }
    const auto names = SplitPath(*path);
    json::value* at = names ? &root_ : nullptr;
    for (size_t i = 0; at != nullptr && i + 1 < names->size(); ++i) at = Enter(*at, (*names)[i]);
    if (at == nullptr || !(at->is_object() || at->is_array())) {
      return RefusePatch(PatchFault::kMissing, "the object has no path " + Quoted(*path));
    }
    return Location{at, names->back(), names->size()};
  }

  static json::value* Enter(json::value& at, std::string_view name) {
    if (at.is_object()) return at.get_object().if_contains(json::BoostView(name));
    if (!at.is_array()) return nullptr;
    const auto place = PlaceIn(at.get_array().size(), name);
    return place ? &at.get_array()[*place] : nullptr;
  }

  static std::unexpected<PatchError> NoIndex(const Location& where) {
    return RefusePatch(PatchFault::kIndex, Quoted(where.name) + " is no index in a list of " +
                                               std::to_string(where.parent->get_array().size()));
  }

  static std::unexpected<PatchError> NoMember(const Location& where) {
    return RefusePatch(PatchFault::kMissing, "there is no member " + Quoted(where.name));
  }

  // Operations could nest an object in itself repeatedly, and tree walks recurse.
  Step CheckDepth(const Location& where, const json::value& value) {
    if (where.depth + DepthOf(value, work_) > limits_.depth) {
      return RefusePatch(PatchFault::kTooLarge, "the object would be nested too deeply");
    }
    return CountMoved(0);
  }

  Step CountMoved(size_t values) {
    work_ += values;
    if (work_ <= limits_.work) return {};
    return RefusePatch(PatchFault::kTooLarge, "the JSON patch changes too many values; split it");
  }

  Step Insert(const Location& where, json::value value) {
    if (Step checked = CheckDepth(where, value); !checked) return checked;
    if (where.parent->is_object()) {
      where.parent->get_object().insert_or_assign(json::BoostView(where.name), std::move(value));
      return {};
    }
    json::array& list = where.parent->get_array();
    const auto place = where.name == "-" ? list.size() : PlaceIn(list.size() + 1, where.name);
    if (!place) return NoIndex(where);
    if (Step counted = CountMoved(list.size() - *place); !counted) return counted;
    list.insert(list.begin() + *place, std::move(value));
    return {};
  }

  // The current value; a missing member reads as null.
  std::expected<json::value*, PatchError> Read(const Location& where) {
    json::value* found = Enter(*where.parent, where.name);
    if (found != nullptr) return found;
    if (where.parent->is_array()) return NoIndex(where);
    nothing_ = nullptr;
    return &nothing_;
  }

  Step Erase(const Location& where) {
    if (where.parent->is_object()) {
      json::object& object = where.parent->get_object();
      const auto found = object.find(json::BoostView(where.name));
      if (found == object.end()) return NoMember(where);
      if (Step counted = CountMoved(static_cast<size_t>(object.end() - found)); !counted)
        return counted;
      object.stable_erase(found);
      return {};
    }
    json::array& list = where.parent->get_array();
    const auto place = PlaceIn(list.size(), where.name);
    if (!place) return NoIndex(where);
    if (Step counted = CountMoved(list.size() - *place); !counted) return counted;
    list.erase(list.begin() + *place);
    return {};
  }

  Step Add(const json::object& operation) {
    const auto where = Find(operation, "path");
    if (!where) return std::unexpected(where.error());
    return Insert(*where, ValueOf(operation));
  }

  Step Remove(const json::object& operation) {
    const auto where = Find(operation, "path");
    if (!where) return std::unexpected(where.error());
    return Erase(*where);
  }

  Step ReplaceRoot(json::value value) {
    if (!value.is_object() && !value.is_array()) {
      return RefusePatch(PatchFault::kOther,
                         "the root can only be replaced by an object or a list");
    }
    root_ = std::move(value);
    return {};
  }

  Step Replace(const json::object& operation) {
    if (Text(operation, "path") == "") return ReplaceRoot(ValueOf(operation));
    const auto where = Find(operation, "path");
    if (!where) return std::unexpected(where.error());
    json::value* found = Enter(*where->parent, where->name);
    if (found == nullptr && where->parent->is_array()) return NoMember(*where);
    if (found == nullptr) return Insert(*where, ValueOf(operation));
    json::value value = ValueOf(operation);
    if (Step checked = CheckDepth(*where, value); !checked) return checked;
    *found = std::move(value);
    return {};
  }

  Step Move(const json::object& operation) {
    const auto from = Find(operation, "from");
    if (!from) return std::unexpected(from.error());
    const auto found = Read(*from);
    if (!found) return std::unexpected(found.error());
    json::value value = std::move(**found);
    if (Step erased = Erase(*from); !erased) return erased;
    const auto where = Find(operation, "path");
    if (!where) return std::unexpected(where.error());
    return Insert(*where, std::move(value));
  }

  Step Copy(const json::object& operation) {
    const auto from = Find(operation, "from");
    if (!from) return std::unexpected(from.error());
    const auto found = Read(*from);
    if (!found) return std::unexpected(found.error());
    const auto where = Find(operation, "path");
    if (!where) return std::unexpected(where.error());
    copied_bytes_ += json::Print(**found).size();
    if (copied_bytes_ > limits_.copied_bytes) {
      return RefusePatch(PatchFault::kTooLarge,
                         "the copy operations of a JSON patch may copy at most " +
                             std::to_string(limits_.copied_bytes) + " bytes");
    }
    return Insert(*where, **found);
  }

  Step Test(const json::object& operation) {
    std::expected<json::value*, PatchError> found = &root_;
    if (Text(operation, "path") != "") {
      const auto where = Find(operation, "path");
      if (!where) return std::unexpected(where.error());
      found = Read(*where);
      if (!found) return std::unexpected(found.error());
    }
    if (**found == ValueOf(operation)) return {};
    return RefusePatch(PatchFault::kTestFailed, "the test of path " +
                                                    Quoted(Text(operation, "path").value_or("")) +
                                                    " failed: another value is there");
  }

  json::value root_;
  const PatchLimits& limits_;
  json::value nothing_;
  size_t copied_bytes_ = 0;
  size_t work_ = 0;
};

}  // namespace

PatchResult ApplyJsonPatch(json::value original, const json::value& patch,
                           const PatchLimits& limits) {
  if (patch.is_null()) return original;
  if (!patch.is_array()) {
    return RefusePatch(PatchFault::kBadJson, "a JSON patch must be a list of operations");
  }
  if (!original.is_object() && !original.is_array()) {
    return RefusePatch(PatchFault::kBadJson, "only objects and lists can be patched");
  }
  const json::array& operations = patch.get_array();
  if (operations.size() > limits.operations) {
    return RefusePatch(PatchFault::kTooLarge,
                       "a JSON patch may have at most " + std::to_string(limits.operations) +
                           " operations, this one has " + std::to_string(operations.size()));
  }
  for (const json::value& operation : operations) {
    if (operation.is_object() || operation.is_null()) continue;
    return RefusePatch(PatchFault::kBadJson, "every operation of a JSON patch must be an object");
  }
  JsonPatcher patching(std::move(original), limits);
  for (const json::value& operation : operations) {
    const auto done = patching.Run(operation.is_null() ? json::object() : operation.get_object());
    if (!done) return std::unexpected(done.error());
  }
  return patching.Take();
}

}  // namespace berth::apiserver
