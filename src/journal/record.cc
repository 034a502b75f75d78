#include "journal/record.h"

namespace berth::journal {

std::optional<base::Time> TimeOf(const Record& record) {
  if (const auto* header = std::get_if<Header>(&record)) return header->start;
  if (const auto* sync = std::get_if<Sync>(&record)) return sync->now;
  if (const auto* advance = std::get_if<Advance>(&record)) return advance->now;
  if (const auto* cycle = std::get_if<Cycle>(&record)) return cycle->now;
  return std::nullopt;
}

}  // namespace berth::journal
