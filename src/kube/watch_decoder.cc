#include "kube/watch_decoder.h"

#include <optional>
#include <utility>

#include "json/json.h"
#include "kube/response.h"
#include "schema/json/index.h"
#include "schema/json/walk.h"

namespace berth::kube {
namespace {

std::optional<store::Event::Kind> EventKindOf(std::string_view quoted_type) {
  using enum store::Event::Kind;
  if (quoted_type == "\"ADDED\"") return kAdded;
  if (quoted_type == "\"MODIFIED\"") return kModified;
  if (quoted_type == "\"DELETED\"") return kDeleted;
  if (quoted_type == "\"BOOKMARK\"") return kBookmark;
  return std::nullopt;
}

store::Failure UnreadableEvent(const std::string& why) {
  return store::Unreachable("an event of a watch cannot be read: " + why);
}

bool EndsInitialEvents(std::string_view bookmark) {
  const auto tree = json::Parse(bookmark);
  return tree &&
         json::StringAt(*tree, {"metadata", "annotations", "k8s.io/initial-events-end"}) == "true";
}

bool IsBlank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

}  // namespace

store::Outcome<store::Event> ReadWatchEvent(std::string_view line) {
  thread_local schema::JsonIndex index;
  if (const auto fault = index.Build(line)) return std::unexpected(UnreadableEvent(fault->message));
  std::string_view type;
  std::optional<size_t> object;
  if (index.first(0) != '{') return std::unexpected(UnreadableEvent("it is no object"));
  const auto broken = schema::WalkObject(index, 0, [&](size_t key, size_t value) {
    if (index.token(key) == "\"type\"") type = index.token(value);
    if (index.token(key) == "\"object\"") object = value;
  });
  if (broken || !object) return std::unexpected(UnreadableEvent("it has no object"));
  std::string text(schema::ValueText(index, *object));
  if (type == "\"ERROR\"") return std::unexpected(FailureFrom({.status = 500, .body = text}));
  const auto kind = EventKindOf(type);
  if (!kind) return std::unexpected(UnreadableEvent("type is " + std::string(type)));
  const bool ends_initial = *kind == store::Event::Kind::kBookmark && EndsInitialEvents(text);
  auto read = store::Object::FromJson(std::move(text));
  if (!read) return std::unexpected(UnreadableEvent(read.error().message));
  return store::Event{
      .kind = *kind, .object = std::move(*read), .ends_initial_events = ends_initial};
}

std::vector<store::Outcome<store::Event>> WatchDecoder::Decode(std::string_view bytes) {
  std::vector<store::Outcome<store::Event>> events;
  while (!bytes.empty()) {
    const size_t end = bytes.find('\n');
    line_ += bytes.substr(0, end);
    if (line_.size() > limits_.line_bytes) {
      events.push_back(std::unexpected(UnreadableEvent("it is too long")));
      return events;
    }
    if (end == std::string_view::npos) return events;
    bytes.remove_prefix(end + 1);
    const std::string line = std::exchange(line_, {});
    if (IsBlank(line)) continue;
    events.push_back(ReadWatchEvent(line));
    if (!events.back()) return events;
  }
  return events;
}

}  // namespace berth::kube
