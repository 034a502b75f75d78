#include "api/meta/source.h"

#include <charconv>

#include "schema/json/walk.h"

namespace berth::api {
namespace {

// A segment of a field path.
struct Segment {
  std::string_view text;
  bool is_bracketed = false;  // an index or a map key
};

// The closing bracket of a key: the first one followed by the end of the path or a new segment.
size_t ClosingBracket(std::string_view path) {
  for (size_t i = 1; i < path.size(); ++i) {
    if (path[i] != ']') continue;
    if (i + 1 == path.size() || path[i + 1] == '.' || path[i + 1] == '[') return i;
  }
  return path.size();
}

// Removes and returns the first segment of a non-empty path.
Segment TakeSegment(std::string_view& path) {
  if (path.front() == '[') {
    const size_t close = ClosingBracket(path);
    const Segment segment{.text = path.substr(1, close - 1), .is_bracketed = true};
    path.remove_prefix(std::min(close + 1, path.size()));
    return segment;
  }
  if (path.front() == '.') path.remove_prefix(1);
  const size_t end = std::min(path.find_first_of(".["), path.size());
  const Segment segment{.text = path.substr(0, end)};
  path.remove_prefix(end);
  return segment;
}

struct Found {
  size_t place;  // token whose position is the field's
  size_t value;
};

bool IsKey(std::string_view token, std::string_view name) {
  const std::string_view inner = token.substr(1, token.size() - 2);
  if (inner.find('\\') == std::string_view::npos) return inner == name;
  return schema::UnescapeJsonString(token) == name;
}

std::optional<Found> FindMember(const schema::JsonIndex& index, size_t object,
                                std::string_view name) {
  std::optional<Found> found;
  schema::WalkObject(index, object, [&](size_t key, size_t value) {
    if (found || !IsKey(index.token(key), name)) return;
    const char first = index.first(value);
    found = Found{.place = first == '{' || first == '[' ? key : value, .value = value};
  });
  return found;
}

std::optional<Found> FindElement(const schema::JsonIndex& index, size_t list,
                                 std::string_view number) {
  size_t wanted = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), wanted);
  if (error != std::errc() || end != number.data() + number.size()) return std::nullopt;
  std::optional<Found> found;
  size_t at = 0;
  schema::WalkList(index, list, [&](size_t value) {
    if (at++ == wanted) found = Found{.place = value, .value = value};
  });
  return found;
}

std::optional<Found> Step(const schema::JsonIndex& index, size_t from, const Segment& segment) {
  const char first = index.first(from);
  if (first == '{') return FindMember(index, from, segment.text);
  if (first == '[' && segment.is_bracketed) return FindElement(index, from, segment.text);
  return std::nullopt;
}

}  // namespace

base::Place Source::PlaceOf(size_t offset) const {
  if (map) {
    const schema::TextPosition position = map->Find(offset);
    return {file, position.line, position.column};
  }
  const schema::TextPosition position = schema::PositionInText(json, offset);
  const int column_shift = position.line == 1 ? start.column - 1 : 0;
  return {file, position.line + start.line - 1, position.column + column_shift};
}

Locator::Locator(const Source& source) : source_(source) { index_.Build(source.json); }

base::Place Locator::Find(std::string_view field) const {
  Found at{.place = 0, .value = 0};
  while (!field.empty()) {
    const std::optional<Found> next = Step(index_, at.value, TakeSegment(field));
    if (!next) break;
    at = *next;
  }
  return source_.PlaceOf(index_.offset(at.place));
}

base::Place Locate(const Source& source, std::string_view field) {
  return Locator(source).Find(field);
}

}  // namespace berth::api
