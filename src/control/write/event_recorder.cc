#include "control/write/event_recorder.h"

#include <utility>

#include "api/core/events_v1_event.h"
#include "schema/encode.h"

namespace berth::control {
namespace {

constexpr base::Duration kRepeatInterval = base::Duration::Seconds(6 * 60);
constexpr size_t kMaxNote = 1024;  // as the API server allows
constexpr size_t kMaxInFlight = 8;
constexpr size_t kMaxQueued = 50'000;  // some 50 MB

std::string Hex(uint64_t number) {
  std::string text(16, '0');
  for (auto digit = text.rbegin(); digit != text.rend(); ++digit, number >>= 4)
    *digit = "0123456789abcdef"[number & 15];
  return text;
}

std::string Truncated(std::string text) {
  if (text.size() <= kMaxNote) return text;
  size_t end = kMaxNote - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  text.resize(end);
  return text += "...";
}

}  // namespace

EventRecorder::EventRecorder(store::Store& store, store::Executor& executor, std::string instance)
    : store_(store), executor_(executor), instance_(std::move(instance)) {}

bool EventRecorder::IsRepeated(const std::string& key, const std::string& message, base::Time now) {
  Expire(now);
  const auto [last, is_new] = recent_.try_emplace(key);
  if (!is_new && last->second.message == message && now - last->second.at < kRepeatInterval)
    return true;
  last->second = {.at = now, .message = message};
  order_.emplace_back(now, key);
  return false;
}

void EventRecorder::Expire(base::Time now) {
  for (; !order_.empty() && now - order_.front().first > kRepeatInterval; order_.pop_front()) {
    const auto& [at, key] = order_.front();
    const auto last = recent_.find(key);
    // A later Event of the same key has its own entry in the order.
    if (last != recent_.end() && last->second.at == at) recent_.erase(last);
  }
}

void EventRecorder::Record(const api::ObjectReference& regarding, std::string_view controller,
                           const lifecycle::EventRecord& record) {
  const base::Time now = executor_.Now();
  if (queue_.size() >= kMaxQueued) return;
  if (IsRepeated(regarding.uid + "/" + record.reason, record.message, now)) return;
  api::EventsV1Event event;
  event.metadata.namespace_ = regarding.namespace_.empty() ? "default" : regarding.namespace_;
  event.metadata.name =
      regarding.name + "." + Hex(static_cast<uint64_t>(now.micros) * 64 + (count_++ & 63));
  event.event_time = now;
  event.reporting_controller = controller;
  event.reporting_instance = instance_;
  event.action = record.reason;
  event.reason = record.reason;
  event.regarding = regarding;
  event.note = Truncated(record.message);
  event.type = record.is_warning ? "Warning" : "Normal";
  queue_.push_back({.resource = store::ResourceOf<api::EventsV1Event>(),
                    .namespace_ = event.metadata.namespace_,
                    .object = schema::Encode(event),
                    .options = {}});
  WriteNext();
}

void EventRecorder::WriteNext() {
  while (!queue_.empty() && in_flight_ < kMaxInFlight) {
    store::Create event = std::move(queue_.front());
    queue_.pop_front();
    ++in_flight_;
    store_.Do(std::move(event), executor_, self_.Wrap([this](const store::Outcome<store::Reply>&) {
      --in_flight_;
      WriteNext();
    }));
  }
}

}  // namespace berth::control
