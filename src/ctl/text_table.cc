#include "ctl/text_table.h"

#include <algorithm>

namespace berth::ctl {
namespace {

constexpr size_t kLeastWidth = 6;
constexpr size_t kGap = 3;

std::string Upper(std::string text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return text;
}

// Characters, not bytes.
size_t WidthOf(std::string_view text) {
  return static_cast<size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

void TextTable::RemoveFirstColumn() {
  columns.erase(columns.begin());
  for (std::vector<std::string>& row : rows) row.erase(row.begin());
}

std::string TextTable::ToText(bool is_wide) const {
  std::vector<size_t> shown;
  for (size_t i = 0; i < columns.size(); ++i)
    if (is_wide || !columns[i].is_wide) shown.push_back(i);
  std::vector<std::vector<std::string>> lines(1);
  for (const size_t i : shown) lines.front().push_back(Upper(columns[i].name));
  for (const std::vector<std::string>& row : rows) {
    lines.emplace_back();
    for (const size_t i : shown) lines.back().push_back(row[i]);
  }
  std::vector<size_t> widths(shown.size(), kLeastWidth);
  for (const std::vector<std::string>& line : lines)
    for (size_t i = 0; i < line.size(); ++i)
      widths[i] = std::max(widths[i], WidthOf(line[i]) + kGap);
  std::string text;
  for (const std::vector<std::string>& line : lines) {
    for (size_t i = 0; i < line.size(); ++i) {
      text += line[i];
      if (i + 1 < line.size()) text.append(widths[i] - WidthOf(line[i]), ' ');
    }
    text += '\n';
  }
  return text;
}

}  // namespace berth::ctl
