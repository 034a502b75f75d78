#pragma once

#include <span>
#include <string>
#include <vector>

namespace berth::ctl {

// Rows as kubectl prints them: columns at least three blanks apart, headings in upper case.
struct TextTable {
  struct Column {
    std::string name;
    bool is_wide = false;  // only with -o wide
  };
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;  // a cell per column

  void RemoveFirstColumn();
  std::string ToText(bool is_wide = false) const;
};

}  // namespace berth::ctl
