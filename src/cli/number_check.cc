#include "cli/number_check.h"

#include <charconv>
#include <optional>
#include <sstream>

#include "api/meta/problem_report.h"

namespace berth::cli {
namespace {

// Nullopt if any of the text is left.
template <class T>
std::optional<T> WholeTextAs(const std::string& text) {
  T number{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

}  // namespace

NumberCheck WholeNumber(uint64_t most) {
  return [most](const std::string& text) -> std::string {
    const auto number = WholeTextAs<uint64_t>(text);
    if (number && *number <= most) return "";
    return api::Quoted(text) + " is not a whole number from 0 to " + std::to_string(most);
  };
}

NumberCheck NumberBetween(double least, double most) {
  return [least, most](const std::string& text) -> std::string {
    const auto number = WholeTextAs<double>(text);
    if (number && *number >= least && *number <= most) return "";
    std::ostringstream message;
    message << api::Quoted(text) << " is not a number from " << least << " to " << most;
    return message.str();
  };
}

}  // namespace berth::cli
