#include "simulate/report/format.h"

#include <charconv>
#include <cmath>

#include "quantity/resource_amount.h"

namespace berth::simulate {
namespace {

std::string TwoDigits(int64_t number) { return (number < 10 ? "0" : "") + std::to_string(number); }

bool CountsBytes(const std::string& resource) {
  return resource == "memory" || resource == "ephemeral-storage" ||
         resource.starts_with("hugepages-");
}

}  // namespace

std::string FixedText(double number, int digits) {
  if (!std::isfinite(number)) return number > 0 ? "unlimited" : "-";
  char text[400];
  const auto end =
      std::to_chars(text, text + sizeof text, number, std::chars_format::fixed, digits);
  std::string result(text, end.ptr);
  if (result.find('.') != std::string::npos) {
    while (result.ends_with('0')) result.pop_back();
    if (result.ends_with('.')) result.pop_back();
  }
  return result == "-0" ? "0" : result;
}

std::string JsonNumber(double number) {
  if (!std::isfinite(number)) return "null";
  if (number == 0) return "0";
  char text[400];
  const auto end = std::to_chars(text, text + sizeof text, number);
  return {text, end.ptr};
}

std::string LengthText(double seconds) {
  if (seconds < 0) return "-" + LengthText(-seconds);
  if (seconds < 0.9995) return FixedText(seconds * 1000, 0) + "ms";
  if (seconds < 59.95) return FixedText(seconds, 1) + "s";
  const auto whole = static_cast<int64_t>(std::llround(seconds));
  if (whole < 3600) return std::to_string(whole / 60) + "m" + TwoDigits(whole % 60) + "s";
  const int64_t minutes = (whole + 30) / 60;
  if (minutes < 48 * 60) return std::to_string(minutes / 60) + "h" + TwoDigits(minutes % 60) + "m";
  const int64_t hours = (whole + 1800) / 3600;
  return std::to_string(hours / 24) + "d" + TwoDigits(hours % 24) + "h";
}

std::string PercentText(double part) { return FixedText(part * 100, 1) + "%"; }

std::string AmountText(const std::string& resource, double amount) {
  if (!std::isfinite(amount)) return "unlimited";
  static constexpr const char* kUnits[] = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
  size_t unit = 0;
  while (CountsBytes(resource) && std::abs(amount) >= 1024 && unit < 6) {
    amount /= 1024;
    ++unit;
  }
  const int digits = std::abs(amount) >= 100 ? 0 : std::abs(amount) >= 10 ? 1 : 2;
  return FixedText(amount, digits) + kUnits[unit];
}

}  // namespace berth::simulate
