#include "control/write/event_recorder.h"

#include <algorithm>
#include <utility>

#include "api/core/events_v1_event.h"
#include "schema/encode.h"

namespace berth::control {
namespace {

constexpr base::Duration kRepeatInterval = base::Duration::Seconds(6 * 60);
constexpr base::Duration kExpiryDelay = base::Duration::Seconds(6 * 60 + 1);
constexpr base::Duration kRefreshInterval = base::Duration::Seconds(30 * 60);
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

// --- Series --------------------------------------------------------------------------------------

bool EventRecorder::IsRepeated(const std::string& key, base::Time now) {
  Expire(now);
  const auto known = recent_.find(key);
  if (known == recent_.end()) return false;
  Series& series = known->second;
  ++series.count;
  series.last = now;
  if (series.is_created && series.written == 1)
    WriteSeries(series, now);
  else
    ExpireLater();
  return true;
}

void EventRecorder::WriteSeries(Series& series, base::Time now) {
  series.written = series.count;
  series.written_at = now;
  const api::EventSeries counted{.count = series.count, .last_observed_time = series.last};
  Submit({.call = store::Patch{.resource = store::ResourceOf<api::EventsV1Event>(),
                               .namespace_ = series.namespace_,
                               .name = series.name,
                               .body = "{\"series\":" + schema::Encode(counted) + "}"},
          .created_key = {}});
}

// A patch would overtake the creation.
void EventRecorder::OnCreated(const std::string& key) {
  const auto known = recent_.find(key);
  if (known == recent_.end()) return;
  known->second.is_created = true;
  if (known->second.count > known->second.written) WriteSeries(known->second, executor_.Now());
}

void EventRecorder::Expire(base::Time now) {
  while (!order_.empty() && now - order_.front().first > kRepeatInterval) {
    const std::string key = std::move(order_.front().second);
    order_.pop_front();
    Series& series = recent_.at(key);
    const bool is_over = now - series.last > kRepeatInterval;
    const bool is_due = is_over || now - series.written_at > kRefreshInterval;
    if (is_due && series.is_created && series.count > series.written) WriteSeries(series, now);
    if (is_over)
      recent_.erase(key);
    else
      order_.emplace_back(now, key);
  }
}

// So that the last count is written, even if nothing happens afterwards.
void EventRecorder::ExpireLater() {
  if (std::exchange(will_expire_, true)) return;
  executor_.PostAfter(kExpiryDelay, self_.Wrap([this] {
    will_expire_ = false;
    Expire(executor_.Now());
    const bool has_unwritten = std::ranges::any_of(
        recent_, [](const auto& known) { return known.second.count > known.second.written; });
    if (has_unwritten) ExpireLater();
  }));
}

// --- Events --------------------------------------------------------------------------------------

void EventRecorder::Record(const api::ObjectReference& regarding, std::string_view controller,
                           const lifecycle::EventRecord& record) {
  const base::Time now = executor_.Now();
  const std::string key = regarding.uid + "/" + record.reason + "/" + record.message;
  if (IsRepeated(key, now) || queue_.size() >= kMaxQueued) return;
  api::EventsV1Event event;
  event.metadata.namespace_ = regarding.namespace_.empty() ? "default" : regarding.namespace_;
  event.metadata.name =
      regarding.name + "." + Hex(static_cast<uint64_t>(now.micros) * 64 + (count_++ & 63));
  event.event_time = now;
  event.reporting_controller = controller;
  event.reporting_instance = instance_;
  event.action = record.action.empty() ? record.reason : record.action;
  event.reason = record.reason;
  event.regarding = regarding;
  event.note = Truncated(record.message);
  event.type = record.is_warning ? "Warning" : "Normal";
  recent_[key] = {.namespace_ = event.metadata.namespace_,
                  .name = event.metadata.name,
                  .last = now,
                  .written_at = now};
  order_.emplace_back(now, key);
  Submit({.call = store::Create{.resource = store::ResourceOf<api::EventsV1Event>(),
                                .namespace_ = event.metadata.namespace_,
                                .object = schema::Encode(event),
                                .options = {}},
          .created_key = key});
}

// --- Writes --------------------------------------------------------------------------------------

void EventRecorder::Submit(Write write) {
  queue_.push_back(std::move(write));
  WriteNext();
}

void EventRecorder::WriteNext() {
  while (!queue_.empty() && in_flight_ < kMaxInFlight) {
    Write write = std::move(queue_.front());
    queue_.pop_front();
    ++in_flight_;
    store_.Do(std::move(write.call), executor_,
              self_.Wrap([this, key = std::move(write.created_key)](
                             const store::Outcome<store::Reply>& reply) {
                --in_flight_;
                if (reply && !key.empty()) OnCreated(key);
                WriteNext();
              }));
  }
}

}  // namespace berth::control
