#pragma once

#include <string_view>

namespace berth::schema {

// Whether the text is a date, or a date and a time of day, of a day that exists: `2026-1-2`,
// `2026-01-02T15:04:05.5+01:00` (the zone is needed then), `2026-01-02 15:04:05` (without zone).
bool IsTimestamp(std::string_view text);

}  // namespace berth::schema
