#include "apiserver/object_tree.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/check.h"
#include "json/same.h"
#include "schema/json/text.h"

namespace berth::apiserver {
namespace {

constexpr std::array<std::string_view, 3> kFirstNames = {"name", "namespace", "uid"};

const json::object* MetadataIfAny(const json::value& object) {
  const json::value* metadata = json::Find(object, {"metadata"});
  return metadata == nullptr ? nullptr : metadata->if_object();
}

void AppendKey(std::string& out, std::string_view key) {
  if (out.back() != '{') out += ',';
  schema::AppendJsonString(out, key);
  out += ':';
}

void AppendMember(std::string& out, std::string_view key, const json::value& value) {
  AppendKey(out, key);
  json::PrintTo(out, value);
}

bool IsFirstName(std::string_view key) {
  return std::ranges::find(kFirstNames, key) != kFirstNames.end();
}

void AppendMetadata(Draft& draft, const json::object& metadata) {
  std::string& out = draft.text;
  out += '{';
  for (const std::string_view key : kFirstNames)
    if (const json::value* value = metadata.if_contains(json::BoostView(key)))
      AppendMember(out, key, *value);
  AppendKey(out, "resourceVersion");
  out += '"';
  draft.hole = out.size();
  out += '"';
  for (const auto& member : metadata)
    if (!IsFirstName(json::View(member.key())) && member.key() != "resourceVersion")
      AppendMember(out, json::View(member.key()), member.value());
  out += '}';
}

// The range [begin, end) of the first string under this key in a stored text.
std::pair<size_t, size_t> FindString(std::string_view text, std::string_view quoted_key) {
  size_t begin = text.find(quoted_key);
  if (begin == std::string_view::npos) return {0, 0};
  begin += quoted_key.size();
  return {begin, text.find('"', begin)};
}

constexpr std::string_view kUidKey = "\"uid\":\"";
constexpr std::string_view kCreationKey = "\"creationTimestamp\":\"";
constexpr std::string_view kVersionKey = "\"resourceVersion\":\"";
constexpr std::string_view kApiVersionKey = "\"apiVersion\":\"";

std::string Replaced(std::string_view text, std::pair<size_t, size_t> range,
                     std::string_view with) {
  std::string out;
  out.reserve(text.size() + with.size());
  out += text.substr(0, range.first);
  out += with;
  out += text.substr(range.second);
  return out;
}

// Follows a path built by schema::FieldPath.
class PathEraser {
 public:
  PathEraser(json::value& root, std::string_view path) : at_(&root), rest_(path) {}

  void Erase() {
    while (at_ != nullptr && !rest_.empty()) {
      if (rest_.front() == '.') rest_.remove_prefix(1);
      if (rest_.front() == '[') {
        StepInto(rest_.substr(1, rest_.find(']') - 1), rest_.find(']') + 1);
      } else if (json::object* object = at_->if_object()) {
        StepToMember(*object);
      } else {
        return;
      }
    }
  }

 private:
  // Field names may contain dots: takes the longest match.
  void StepToMember(json::object& object) {
    std::string_view best;
    for (const auto& member : object) {
      const std::string_view key = json::View(member.key());
      const bool fits =
          rest_.starts_with(key) && key.size() >= best.size() &&
          (rest_.size() == key.size() || rest_[key.size()] == '.' || rest_[key.size()] == '[');
      if (fits) best = key;
    }
    if (best.empty()) {
      at_ = nullptr;
    } else {
      StepTo(object, std::string(best), best.size());
    }
  }

  void StepTo(json::object& object, const std::string& key, size_t length) {
    rest_.remove_prefix(length);
    if (rest_.empty()) {
      object.erase(key);
      at_ = nullptr;
    } else {
      at_ = object.if_contains(key);
    }
  }

  void StepInto(std::string_view inside, size_t length) {
    if (json::object* object = at_->if_object())
      return StepTo(*object, std::string(inside), length);
    json::array* array = at_->if_array();
    size_t index = 0;
    const auto [end, error] = std::from_chars(inside.data(), inside.data() + inside.size(), index);
    if (array == nullptr || error != std::errc() || index >= array->size()) {
      at_ = nullptr;
      return;
    }
    rest_.remove_prefix(length);
    at_ = &(*array)[index];
  }

  json::value* at_;
  std::string_view rest_;
};

}  // namespace

json::object& Metadata(json::value& object) {
  if (!object.is_object()) object.emplace_object();
  json::value& metadata = object.get_object()["metadata"];
  return metadata.is_object() ? metadata.get_object() : metadata.emplace_object();
}

std::string_view MetaString(const json::value& object, std::string_view key) {
  return json::StringAt(object, {"metadata", key});
}

void SetMetaString(json::value& object, std::string_view key, std::string_view value) {
  Metadata(object)[json::BoostView(key)] = json::BoostView(value);
}

int64_t Generation(const json::value& object) {
  const json::value* found = json::Find(object, {"metadata", "generation"});
  return found != nullptr && found->is_int64() ? found->get_int64() : 0;
}

bool IsBeingDeleted(const json::value& object) {
  return !MetaString(object, "deletionTimestamp").empty();
}

bool MayBeBeingDeleted(std::string_view text) {
  return text.find("\"deletionTimestamp\"") != std::string_view::npos;
}

std::vector<std::string> Finalizers(const json::value& object) {
  std::vector<std::string> names;
  const json::value* found = json::Find(object, {"metadata", "finalizers"});
  if (found == nullptr || !found->is_array()) return names;
  for (const json::value& name : found->get_array())
    if (name.is_string()) names.emplace_back(json::View(name.get_string()));
  return names;
}

bool HasFinalizer(const json::value& object, std::string_view finalizer) {
  return std::ranges::count(Finalizers(object), finalizer) > 0;
}

void AddFinalizer(json::value& object, std::string_view finalizer) {
  if (HasFinalizer(object, finalizer)) return;
  json::value& list = Metadata(object)["finalizers"];
  if (!list.is_array()) list.emplace_array();
  list.get_array().emplace_back(json::BoostView(finalizer));
}

bool RemoveFinalizer(json::value& object, std::string_view finalizer) {
  if (!HasFinalizer(object, finalizer)) return false;
  json::array kept;
  for (const std::string& name : Finalizers(object))
    if (name != finalizer) kept.emplace_back(json::BoostView(name));
  if (kept.empty()) {
    Metadata(object).erase("finalizers");
  } else {
    Metadata(object)["finalizers"] = std::move(kept);
  }
  return true;
}

bool SameExcept(const json::object& a, const json::object& b,
                std::initializer_list<std::string_view> ignored) {
  const auto counts = [&](const json::key_value_pair& member) {
    return std::ranges::find(ignored, json::View(member.key())) == ignored.end();
  };
  if (std::ranges::count_if(a, counts) != std::ranges::count_if(b, counts)) return false;
  return std::ranges::all_of(a, [&](const json::key_value_pair& member) {
    if (!counts(member)) return true;
    const json::value* other = b.if_contains(member.key());
    return other != nullptr && json::Same(*other, member.value());
  });
}

void CopyMember(const json::object& from, json::object& to, std::string_view key) {
  if (const json::value* value = from.if_contains(json::BoostView(key))) {
    to[json::BoostView(key)] = *value;
  } else {
    to.erase(json::BoostView(key));
  }
}

void ErasePath(json::value& object, std::string_view path) { PathEraser(object, path).Erase(); }

Draft DraftOf(const json::value& object) {
  const json::object* metadata = MetadataIfAny(object);
  CHECK(metadata != nullptr);
  Draft draft;
  draft.text.reserve(4096);
  draft.text = "{";
  for (const std::string_view key : {"apiVersion", "kind"})
    if (const json::value* value = json::Find(object, {key})) AppendMember(draft.text, key, *value);
  AppendKey(draft.text, "metadata");
  AppendMetadata(draft, *metadata);
  for (const auto& member : object.get_object()) {
    const std::string_view key = json::View(member.key());
    if (key != "apiVersion" && key != "kind" && key != "metadata")
      AppendMember(draft.text, key, member.value());
  }
  draft.text += '}';
  return draft;
}

std::string_view StoredUid(std::string_view text) {
  const auto [begin, end] = FindString(text, kUidKey);
  return text.substr(begin, end - begin);
}

std::string_view StoredCreationTime(std::string_view text) {
  const auto [begin, end] = FindString(text, kCreationKey);
  return text.substr(begin, end - begin);
}

store::Object ObjectOf(std::string namespace_, std::string name, const Item& item) {
  return {.namespace_ = std::move(namespace_),
          .name = std::move(name),
          .uid = std::string(StoredUid(*item.text)),
          .resource_version = std::to_string(item.revision),
          .json = item.text};
}

store::Object ObjectOf(const Text& text) {
  auto object = store::Object::FromJson(*text);
  CHECK(object.has_value());  // printed by the server
  return std::move(*object);
}

std::string WithVersion(std::string_view stored, Revision revision) {
  return Replaced(stored, FindString(stored, kVersionKey), std::to_string(revision));
}

std::string WithApiVersion(std::string_view stored, std::string_view api_version) {
  return Replaced(stored, FindString(stored, kApiVersionKey), api_version);
}

}  // namespace berth::apiserver
