#include "base/time.h"

#include <array>
#include <cstdio>

#include "base/int128.h"

namespace berth::base {
namespace {

// Conversion between days since 1970-01-01 and proleptic Gregorian dates. Counts 400-year eras from
// 1 March of year 0, so that the leap day is the last day of its year.
constexpr int64_t kDaysPerEra = 146097;
constexpr int64_t kDaysTo1970 = 719468;

int64_t DaysFromDate(int64_t year, int month, int day) {
  if (month <= 2) --year;
  const int64_t era = (year >= 0 ? year : year - 399) / 400;
  const int64_t year_of_era = year - era * 400;
  const int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * kDaysPerEra + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year -
         kDaysTo1970;
}

struct Date {
  int64_t year;
  int month;
  int day;
};

Date DateFromDays(int64_t days) {
  days += kDaysTo1970;
  const int64_t era = (days >= 0 ? days : days - (kDaysPerEra - 1)) / kDaysPerEra;
  const int64_t day_of_era = days - era * kDaysPerEra;
  const int64_t year_of_era =
      (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const int64_t day_of_year =
      day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const int64_t shifted_month = (5 * day_of_year + 2) / 153;
  const int day = static_cast<int>(day_of_year - (153 * shifted_month + 2) / 5 + 1);
  const int month = static_cast<int>(shifted_month < 10 ? shifted_month + 3 : shifted_month - 9);
  return {year_of_era + era * 400 + (month <= 2 ? 1 : 0), month, day};
}

bool IsLeapYear(int64_t year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

int DaysInMonth(int64_t year, int month) {
  constexpr std::array<int, 12> kDays = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && IsLeapYear(year) ? 29 : kDays[static_cast<size_t>(month - 1)];
}

// Consumes exactly `digits` digits; -1 if they are missing.
int TakeNumber(std::string_view& text, size_t digits) {
  if (text.size() < digits) return -1;
  int value = 0;
  for (size_t i = 0; i < digits; ++i) {
    if (text[i] < '0' || text[i] > '9') return -1;
    value = value * 10 + (text[i] - '0');
  }
  text.remove_prefix(digits);
  return value;
}

bool TakeChar(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

// Consumes the fraction after the dot, truncated to microseconds; -1 if there is no digit.
int64_t TakeMicros(std::string_view& text) {
  int64_t micros = 0;
  size_t digits = 0;
  while (!text.empty() && text.front() >= '0' && text.front() <= '9') {
    if (digits < 6) micros = micros * 10 + (text.front() - '0');
    ++digits;
    text.remove_prefix(1);
  }
  if (digits == 0) return -1;
  for (; digits < 6; ++digits) micros *= 10;
  return micros;
}

// Go accepts a one-digit hour.
int TakeHour(std::string_view& text) {
  const bool has_two = text.size() > 1 && text[1] >= '0' && text[1] <= '9';
  return TakeNumber(text, has_two ? 2 : 1);
}

// Consumes "Z" or "+hh:mm" and returns seconds east of UTC. Go's limits of both parts are
// inclusive.
std::optional<int> TakeOffset(std::string_view& text) {
  if (TakeChar(text, 'Z')) return 0;
  const bool west = TakeChar(text, '-');
  if (!west && !TakeChar(text, '+')) return std::nullopt;
  const int hours = TakeNumber(text, 2);
  if (hours < 0 || hours > 24 || !TakeChar(text, ':')) return std::nullopt;
  const int minutes = TakeNumber(text, 2);
  if (minutes < 0 || minutes > 60) return std::nullopt;
  const int seconds = hours * 3600 + minutes * 60;
  return west ? -seconds : seconds;
}

char* WriteTwoDigits(char* at, int64_t value) {
  *at++ = static_cast<char>('0' + value / 10);
  *at++ = static_cast<char>('0' + value % 10);
  return at;
}

char* WriteYear(char* at, int64_t year) {
  if (year >= 0 && year <= 9999) return WriteTwoDigits(WriteTwoDigits(at, year / 100), year % 100);
  return at + std::snprintf(at, kMostTimeSize, "%04lld", static_cast<long long>(year));
}

char* WriteSeconds(char* at, Time time) {
  const int64_t seconds = time.seconds();
  const int64_t days = (seconds >= 0 ? seconds : seconds - 86399) / 86400;
  const int64_t of_day = seconds - days * 86400;
  const Date date = DateFromDays(days);
  at = WriteYear(at, date.year);
  *at++ = '-';
  at = WriteTwoDigits(at, date.month);
  *at++ = '-';
  at = WriteTwoDigits(at, date.day);
  *at++ = 'T';
  at = WriteTwoDigits(at, of_day / 3600);
  *at++ = ':';
  at = WriteTwoDigits(at, of_day / 60 % 60);
  *at++ = ':';
  return WriteTwoDigits(at, of_day % 60);
}

struct Unit {
  std::string_view name;
  int64_t nanos;
};
// A name precedes its own prefixes.
constexpr Unit kUnits[] = {
    {"ns", 1},         {"us", 1'000},        {"\u00b5s", 1'000},    {"\u03bcs", 1'000},
    {"ms", 1'000'000}, {"s", 1'000'000'000}, {"m", 60'000'000'000}, {"h", 3'600'000'000'000},
};

const Unit* TakeUnit(std::string_view& text) {
  size_t length = 0;
  while (length < text.size() && text[length] != '.' && (text[length] < '0' || text[length] > '9'))
    ++length;
  for (const Unit& unit : kUnits) {
    if (text.substr(0, length) == unit.name) {
      text.remove_prefix(length);
      return &unit;
    }
  }
  return nullptr;
}

// The magnitude of the lowest int64, which a negative Go duration can reach.
constexpr Int128 kLargestMagnitude = Int128{1} << 63;

bool StartsWithDigit(std::string_view text) {
  return !text.empty() && text.front() >= '0' && text.front() <= '9';
}

// The digits of a term's fraction. Digits beyond the range of int64 are dropped, as in Go.
struct Fraction {
  Int128 digits = 0;
  double scale = 1;
};

Fraction TakeFraction(std::string_view& text) {
  Fraction fraction;
  for (bool is_full = false; StartsWithDigit(text); text.remove_prefix(1)) {
    const Int128 digits = fraction.digits * 10 + (text.front() - '0');
    is_full = is_full || digits > kLargestMagnitude;
    if (is_full) continue;
    fraction.digits = digits;
    fraction.scale *= 10;
  }
  return fraction;
}

// Consumes one term such as "1.5h" and returns truncated nanoseconds. Fractions use floating point
// to truncate exactly like Go.
std::optional<Int128> TakeTerm(std::string_view& text) {
  const size_t size = text.size();
  Int128 whole = 0;
  for (; StartsWithDigit(text); text.remove_prefix(1)) {
    whole = whole * 10 + (text.front() - '0');
    if (whole > kLargestMagnitude) return std::nullopt;
  }
  size_t digits = size - text.size();
  Fraction fraction;
  if (TakeChar(text, '.')) {
    const size_t before = text.size();
    fraction = TakeFraction(text);
    digits += before - text.size();
  }
  if (digits == 0) return std::nullopt;
  const Unit* unit = TakeUnit(text);
  if (unit == nullptr) return std::nullopt;
  const double unit_size = static_cast<double>(unit->nanos) / fraction.scale;
  return whole * unit->nanos +
         static_cast<Int128>(static_cast<double>(fraction.digits) * unit_size);
}

// "12", "1.5": without trailing zeros in the fraction.
std::string FormatFraction(uint64_t value, uint64_t unit) {
  std::string text = std::to_string(value / unit);
  uint64_t rest = value % unit;
  if (rest == 0) return text;
  text += '.';
  for (uint64_t digit = unit / 10; rest > 0; digit /= 10) {
    text += static_cast<char>('0' + rest / digit);
    rest %= digit;
  }
  return text;
}

// The value of two digits; 100'000 (out of range) if either is not a digit.
int TwoDigits(const char* at) {
  const int tens = at[0] - '0', ones = at[1] - '0';
  return tens < 0 || tens > 9 || ones < 0 || ones > 9 ? 100'000 : tens * 10 + ones;
}

// Fast path for "2026-01-02T15:04:05Z", the form that API servers write. Nullopt for any other
// form, valid or not.
std::optional<Time> ParsePlainTime(std::string_view text) {
  if (text.size() != 20 || text[4] != '-' || text[7] != '-' || text[10] != 'T' || text[13] != ':' ||
      text[16] != ':' || text[19] != 'Z')
    return std::nullopt;
  const char* const at = text.data();
  const int year = TwoDigits(at) * 100 + TwoDigits(at + 2), month = TwoDigits(at + 5);
  const int day = TwoDigits(at + 8), hour = TwoDigits(at + 11);
  const int minute = TwoDigits(at + 14), second = TwoDigits(at + 17);
  const bool is_plain = year <= 9999 && month >= 1 && month <= 12 && day >= 1 && hour <= 23 &&
                        minute <= 59 && second <= 59;
  if (!is_plain || day > DaysInMonth(year, month)) return std::nullopt;
  return Time::FromSeconds(DaysFromDate(year, month, day) * 86400 + int64_t{hour} * 3600 +
                           int64_t{minute} * 60 + second);
}

}  // namespace

std::optional<Time> ParseTime(std::string_view text) {
  if (const std::optional<Time> plain = ParsePlainTime(text)) return plain;
  const int year = TakeNumber(text, 4);
  if (year < 0 || !TakeChar(text, '-')) return std::nullopt;
  const int month = TakeNumber(text, 2);
  if (month < 1 || month > 12 || !TakeChar(text, '-')) return std::nullopt;
  const int day = TakeNumber(text, 2);
  if (day < 1 || day > DaysInMonth(year, month) || !TakeChar(text, 'T')) return std::nullopt;
  const int hour = TakeHour(text);
  if (hour < 0 || hour > 23 || !TakeChar(text, ':')) return std::nullopt;
  const int minute = TakeNumber(text, 2);
  if (minute < 0 || minute > 59 || !TakeChar(text, ':')) return std::nullopt;
  const int second = TakeNumber(text, 2);
  if (second < 0 || second > 59) return std::nullopt;
  int64_t micros = 0;
  if (TakeChar(text, '.') || TakeChar(text, ',')) micros = TakeMicros(text);
  if (micros < 0) return std::nullopt;
  const std::optional<int> offset = TakeOffset(text);
  if (!offset || !text.empty()) return std::nullopt;
  const int64_t seconds = DaysFromDate(year, month, day) * 86400 + int64_t{hour} * 3600 +
                          int64_t{minute} * 60 + second - *offset;
  return Time{seconds * 1'000'000 + micros};
}

char* WriteTime(char* at, Time time) {
  at = WriteSeconds(at, time);
  *at++ = 'Z';
  return at;
}

char* WriteMicroTime(char* at, Time time) {
  at = WriteSeconds(at, time);
  const int64_t micros = (time.micros % 1'000'000 + 1'000'000) % 1'000'000;
  *at++ = '.';
  for (int64_t unit = 10'000; unit >= 1; unit /= 100) at = WriteTwoDigits(at, micros / unit % 100);
  *at++ = 'Z';
  return at;
}

std::string FormatTime(Time time) {
  std::array<char, kMostTimeSize> text;
  return {text.data(), WriteTime(text.data(), time)};
}

std::string FormatMicroTime(Time time) {
  std::array<char, kMostTimeSize> text;
  return {text.data(), WriteMicroTime(text.data(), time)};
}

std::optional<Duration> ParseDuration(std::string_view text) {
  const bool negative = TakeChar(text, '-');
  if (!negative) TakeChar(text, '+');
  if (text == "0") return Duration{};
  if (text.empty()) return std::nullopt;
  Int128 total = 0;
  while (!text.empty()) {
    const std::optional<Int128> term = TakeTerm(text);
    if (!term) return std::nullopt;
    total += *term;
    if (total > kLargestMagnitude) return std::nullopt;
  }
  if (negative) return Duration{static_cast<int64_t>(-total)};
  if (total == kLargestMagnitude) return std::nullopt;
  return Duration{static_cast<int64_t>(total)};
}

std::string FormatDuration(Duration duration) {
  if (duration.nanos == 0) return "0s";
  const bool negative = duration.nanos < 0;
  const uint64_t nanos =
      negative ? ~static_cast<uint64_t>(duration.nanos) + 1 : static_cast<uint64_t>(duration.nanos);
  std::string text = negative ? "-" : "";
  if (nanos < 1'000) return text + std::to_string(nanos) + "ns";
  if (nanos < 1'000'000) return text + FormatFraction(nanos, 1'000) + "\u00b5s";
  if (nanos < 1'000'000'000) return text + FormatFraction(nanos, 1'000'000) + "ms";
  const uint64_t minutes = nanos / 60'000'000'000, hours = minutes / 60;
  if (hours > 0) text += std::to_string(hours) + "h";
  if (minutes > 0) text += std::to_string(minutes % 60) + "m";
  return text + FormatFraction(nanos % 60'000'000'000, 1'000'000'000) + "s";
}

}  // namespace berth::base
