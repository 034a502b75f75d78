#pragma once

// Questions about the past, answered from a journal: the life of Workloads, a queue at a moment.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "journal/history.h"
#include "journal/reader.h"
#include "schema/json/writer.h"

namespace berth::journal {

// Of one Workload, by its namespaced name. Deleted ones have a life, too.
std::vector<LifeEvent> LifeOf(Reader& reader, std::string_view workload);

struct PastQueue {
  bool has_state = false;             // false: the journal begins later
  std::optional<QueueMoment> moment;  // nullopt: there was no such ClusterQueue
};
PastQueue QueueAt(Reader& reader, std::string_view queue, base::Time at);

// As elements of an array.
void WriteJson(schema::JsonWriter& w, const LifeEvent& event);
// `may_name`: others are counted, but not named.
using MayName = std::function<bool(std::string_view workload)>;
std::string ToJson(const QueueMoment& moment, base::Time at, const MayName& may_name);

}  // namespace berth::journal
