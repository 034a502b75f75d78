#include "json/path.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "base/check.h"

namespace berth::json {
namespace {

bool IsDigits(std::string_view text) {
  constexpr size_t kMostDigits = 9;
  return !text.empty() && text.size() <= kMostDigits &&
         std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

size_t NumberOf(std::string_view digits) {
  size_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return number;
}

// Returns the child; null if there is none.
const json::value* Child(const json::value& parent, std::string_view key) {
  const json::object* object = parent.if_object();
  return object == nullptr ? nullptr : object->if_contains(BoostView(key));
}

const json::value* Element(const json::value& parent, size_t index) {
  const json::array* list = parent.if_array();
  return list == nullptr || index >= list->size() ? nullptr : &(*list)[index];
}

// Whether the path consists of names and dots only. Most do and need no parsing.
bool IsPlain(std::string_view path) {
  return !path.empty() && path.find('[') == path.npos && path.find("..") == path.npos &&
         !path.starts_with('.') && !path.ends_with('.');
}

const json::value* FindPlain(const json::value& root, std::string_view path) {
  const json::value* at = &root;
  for (size_t begin = 0; at != nullptr && begin <= path.size();) {
    const size_t end = std::min(path.find('.', begin), path.size());
    at = Child(*at, path.substr(begin, end - begin));
    begin = end + 1;
  }
  return at == nullptr || at->is_null() ? nullptr : at;
}

Path MustParse(std::string_view text) {
  std::optional<Path> path = Path::Parse(text);
  CHECK(path.has_value());
  return *std::move(path);
}

}  // namespace

std::optional<Path> Path::Parse(std::string_view text) {
  Path path;
  while (!text.empty()) {
    if (text.front() == '[') {
      const size_t end = text.find(']');
      if (end == text.npos || end == 1) return std::nullopt;
      const std::string_view inside = text.substr(1, end - 1);
      path.parts_.push_back({.key = std::string(inside),
                             .index = IsDigits(inside) ? NumberOf(inside) : 0,
                             .is_index = IsDigits(inside)});
      text.remove_prefix(end + 1);
    } else {
      const size_t end = std::min(text.find_first_of(".["), text.size());
      if (end == 0) return std::nullopt;
      path.parts_.push_back({.key = std::string(text.substr(0, end))});
      text.remove_prefix(end);
    }
    if (!text.empty() && text.front() == '.') {
      text.remove_prefix(1);
      if (text.empty()) return std::nullopt;
    } else if (!text.empty() && text.front() != '[') {
      return std::nullopt;
    }
  }
  return path;
}

const json::value* Path::Find(const json::value& root) const {
  const json::value* at = &root;
  for (const Part& part : parts_) {
    at = part.is_index ? Element(*at, part.index) : Child(*at, part.key);
    if (at == nullptr) return nullptr;
  }
  return at->is_null() ? nullptr : at;
}

json::value* Path::Find(json::value& root) const {
  return const_cast<json::value*>(Find(std::as_const(root)));
}

json::value* Path::Make(json::value& root) const {
  json::value* at = &root;
  for (const Part& part : parts_) {
    if (part.is_index) {
      at = const_cast<json::value*>(Element(*at, part.index));
    } else {
      if (at->is_null()) at->emplace_object();
      json::object* object = at->if_object();
      at = object == nullptr ? nullptr : &(*object)[BoostView(part.key)];
    }
    if (at == nullptr) return nullptr;
  }
  return at;
}

bool Path::Erase(json::value& root) const {
  if (parts_.empty() || parts_.back().is_index) return false;
  Path parent = *this;
  parent.parts_.pop_back();
  json::value* at = parent.Find(root);
  json::object* object = at == nullptr ? nullptr : at->if_object();
  return object != nullptr && object->erase(BoostView(parts_.back().key)) > 0;
}

const json::value* FindAt(const json::value& root, std::string_view path) {
  return IsPlain(path) ? FindPlain(root, path) : MustParse(path).Find(root);
}

json::value* FindAt(json::value& root, std::string_view path) {
  return const_cast<json::value*>(FindAt(std::as_const(root), path));
}

json::value* MakeAt(json::value& root, std::string_view path) { return MustParse(path).Make(root); }

bool EraseAt(json::value& root, std::string_view path) { return MustParse(path).Erase(root); }

std::string TextAt(const json::value& root, std::string_view path) {
  const json::value* at = FindAt(root, path);
  if (at == nullptr || at->is_structured()) return {};
  if (const json::string* text = at->if_string()) return std::string(View(*text));
  return Print(*at);
}

std::optional<int32_t> IntAt(const json::value& root, std::string_view path) {
  const json::value* at = FindAt(root, path);
  const int64_t* number = at == nullptr ? nullptr : at->if_int64();
  if (number == nullptr || *number < std::numeric_limits<int32_t>::min() ||
      *number > std::numeric_limits<int32_t>::max()) {
    return std::nullopt;
  }
  return static_cast<int32_t>(*number);
}

std::optional<int32_t> IntOf(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  int32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

bool IsSetAt(const json::value& root, std::string_view path) {
  const json::value* at = FindAt(root, path);
  if (at == nullptr) return false;
  if (const json::object* object = at->if_object()) return !object->empty();
  if (const json::array* list = at->if_array()) return !list->empty();
  if (const json::string* text = at->if_string()) return !text->empty();
  if (const bool* flag = at->if_bool()) return *flag;
  if (const int64_t* number = at->if_int64()) return *number != 0;
  return true;
}

}  // namespace berth::json
