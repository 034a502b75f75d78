#pragma once

#include <string_view>

namespace berth::schema {

// Whether the text is a valid date, or a date and a time of day: `2026-1-2`,
// `2026-01-02T15:04:05.5+01:00` (zone required), `2026-01-02 15:04:05` (without zone).
bool IsTimestamp(std::string_view text);

}  // namespace berth::schema
