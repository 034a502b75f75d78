#include "api/meta/problem_report.h"

#include "schema/json/text.h"

namespace berth::api {

std::string Quoted(std::string_view text) {
  constexpr size_t kMaxShown = 80;
  std::string quoted;
  if (text.size() <= kMaxShown) {
    schema::AppendJsonString(quoted, text);
    return quoted;
  }
  size_t end = kMaxShown;
  // Do not cut inside a UTF-8 character.
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  quoted = '"';
  schema::AppendJsonEscaped(quoted, text.substr(0, end));
  return quoted + "…\"";
}

std::string QuotedList(const std::vector<std::string_view>& names) {
  if (names.empty()) return "none";
  std::string list = Quoted(names[0]);
  for (size_t i = 1; i < names.size(); ++i) {
    list += (i + 1 == names.size() ? " and " : ", ") + Quoted(names[i]);
  }
  return list;
}

}  // namespace berth::api
