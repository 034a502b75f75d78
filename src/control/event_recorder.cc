#include "control/event_recorder.h"

#include <utility>

#include "api/events_v1_event.h"
#include "schema/encode.h"

namespace berth::control {
namespace {

constexpr base::Duration kQuiet = base::Duration::Seconds(6 * 60);
constexpr size_t kMaxNote = 1024;  // as the API server allows
constexpr size_t kMostUnderWay = 8;
constexpr size_t kMostWaiting = 50'000;  // some 50 MB

std::string Hex(uint64_t number) {
  std::string text(16, '0');
  for (auto digit = text.rbegin(); digit != text.rend(); ++digit, number >>= 4)
    *digit = "0123456789abcdef"[number & 15];
  return text;
}

std::string Shortened(std::string text) {
  if (text.size() <= kMaxNote) return text;
  size_t end = kMaxNote - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  text.resize(end);
  return text += "...";
}

}  // namespace

EventRecorder::EventRecorder(store::Store& store, store::Executor& executor, std::string instance)
    : store_(store),
      executor_(executor),
      instance_(std::move(instance)),
      self_(std::make_shared<EventRecorder*>(this)) {}

bool EventRecorder::IsRepeated(const std::string& key, const std::string& text, base::Time now) {
  ForgetOld(now);
  const auto [said, is_new] = said_.try_emplace(key);
  if (!is_new && said->second.text == text && now - said->second.at < kQuiet) return true;
  said->second = {.at = now, .text = text};
  order_.emplace_back(now, key);
  return false;
}

void EventRecorder::ForgetOld(base::Time now) {
  for (; !order_.empty() && now - order_.front().first > kQuiet; order_.pop_front()) {
    const auto& [at, key] = order_.front();
    const auto said = said_.find(key);
    // Unless something else was said of it since.
    if (said != said_.end() && said->second.at == at) said_.erase(said);
  }
}

void EventRecorder::Record(const api::ObjectReference& regarding, std::string_view controller,
                           const Note& note) {
  const base::Time now = executor_.Now();
  if (waiting_.size() >= kMostWaiting) return;
  if (IsRepeated(regarding.uid + "/" + note.reason, note.message, now)) return;
  api::EventsV1Event event;
  event.metadata.namespace_ = regarding.namespace_.empty() ? "default" : regarding.namespace_;
  event.metadata.name =
      regarding.name + "." + Hex(static_cast<uint64_t>(now.micros) * 64 + (count_++ & 63));
  event.event_time = now;
  event.reporting_controller = controller;
  event.reporting_instance = instance_;
  event.action = note.reason;
  event.reason = note.reason;
  event.regarding = regarding;
  event.note = Shortened(note.message);
  event.type = note.is_warning ? "Warning" : "Normal";
  waiting_.push_back({.resource = store::ResourceOf<api::EventsV1Event>(),
                      .namespace_ = event.metadata.namespace_,
                      .object = schema::Encode(event),
                      .options = {}});
  WriteNext();
}

void EventRecorder::WriteNext() {
  while (!waiting_.empty() && under_way_ < kMostUnderWay) {
    store::Create event = std::move(waiting_.front());
    waiting_.pop_front();
    ++under_way_;
    store_.Do(std::move(event), executor_,
              [weak = std::weak_ptr(self_)](const store::Outcome<store::Reply>&) {
                const auto self = weak.lock();
                if (!self) return;
                --(*self)->under_way_;
                (*self)->WriteNext();
              });
  }
}

}  // namespace berth::control
