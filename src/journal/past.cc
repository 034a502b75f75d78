#include "journal/past.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "journal/player.h"
#include "workload/convert/convert_workload.h"

namespace berth::journal {
namespace {

bool IsObject(const Record& record) {
  return std::holds_alternative<Upsert>(record) || std::holds_alternative<Removal>(record);
}

// Whether it is an object other than the Workload of this name.
bool IsOfAnother(const Record& record, std::string_view workload) {
  const auto differs = [&](const auto& object) {
    return workload::NamespacedName(object.namespace_, object.name) != workload;
  };
  if (const auto* upsert = std::get_if<Upsert>(&record)) return differs(*upsert);
  if (const auto* removal = std::get_if<Removal>(&record)) return differs(*removal);
  return false;
}

void WriteQuota(schema::JsonWriter& w, const QueueMoment& moment) {
  w.Key("quota").BeginArray();
  for (const QueueMoment::Quota& q : moment.quota) {
    w.BeginObject().Member("flavor", q.flavor).Member("resource", q.resource);
    w.Member("used", q.used).Member("nominal", q.nominal).EndObject();
  }
  w.EndArray();
}

void WriteHolders(schema::JsonWriter& w, const QueueMoment& moment, const MayName& may_name) {
  w.Key("holders").BeginArray();
  for (const QueueMoment::Holder& holder : moment.holders) {
    if (!may_name(holder.workload)) continue;
    w.BeginObject().Member("workload", holder.workload);
    w.Member("since", base::FormatTime(holder.since)).Member("flavors", holder.flavors);
    w.EndObject();
  }
  w.EndArray();
}

void WriteWaiters(schema::JsonWriter& w, const QueueMoment& moment, const MayName& may_name) {
  w.Key("waiting").BeginArray();
  for (const QueueMoment::Waiter& waiter : moment.waiters) {
    if (!may_name(waiter.workload)) continue;
    w.BeginObject().Member("workload", waiter.workload).Member("priority", waiter.priority);
    w.Member("since", base::FormatTime(waiter.since));
    w.Member("isInadmissible", waiter.is_inadmissible).Member("reason", waiter.reason);
    w.EndObject();
  }
  w.EndArray();
}

// Of both lists, those that are not named.
int64_t HiddenIn(const QueueMoment& moment, const MayName& may_name) {
  const auto is_hidden = [&](const auto& entry) { return !may_name(entry.workload); };
  return std::ranges::count_if(moment.holders, is_hidden) +
         std::ranges::count_if(moment.waiters, is_hidden);
}

}  // namespace

std::vector<LifeEvent> LifeOf(Reader& reader, std::string_view workload) {
  LifeEvents lives;
  std::vector<LifeEvent> life;
  while (const auto record = reader.Next()) {
    if (IsOfAnother(*record, workload)) continue;
    std::ranges::move(lives.Add(*record), std::back_inserter(life));
  }
  return life;
}

PastQueue QueueAt(Reader& reader, std::string_view queue, base::Time at) {
  Player player;
  PastQueue past;
  // Objects count from the moment at which the controllers see them.
  std::vector<Record> unseen;
  while (auto record = reader.Next()) {
    if (IsObject(*record)) {
      unseen.push_back(*std::move(record));
      continue;
    }
    const auto time = TimeOf(*record);
    if (time && *time > at) break;
    for (const Record& one : std::exchange(unseen, {})) static_cast<void>(player.Play(one));
    static_cast<void>(player.Play(*record));
    past.has_state = true;
  }
  if (past.has_state) past.moment = MomentOf(*player.cluster(), queue, at);
  return past;
}

void WriteJson(schema::JsonWriter& w, const LifeEvent& event) {
  w.BeginObject().Member("time", base::FormatMicroTime(event.time));
  w.Member("workload", event.workload).Member("localQueue", event.local_queue);
  if (!event.cluster_queue.empty()) w.Member("clusterQueue", event.cluster_queue);
  w.Member("what", event.what).Member("detail", event.detail).EndObject();
}

std::string ToJson(const QueueMoment& moment, base::Time at, const MayName& may_name) {
  schema::JsonWriter w;
  w.BeginObject().Member("clusterQueue", moment.name);
  w.Member("at", base::FormatMicroTime(at));
  if (!moment.inactive_reason.empty()) w.Member("inactive", moment.inactive_reason);
  WriteQuota(w, moment);
  WriteHolders(w, moment, may_name);
  WriteWaiters(w, moment, may_name);
  if (const int64_t hidden = HiddenIn(moment, may_name); hidden > 0) w.Member("hidden", hidden);
  return w.EndObject().Take();
}

}  // namespace berth::journal
