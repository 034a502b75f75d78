#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/time.h"
#include "json/json.h"

namespace berth::apiserver {

using CellMaker = json::value (*)(const json::value& object, base::Time now);

// A column of a built-in kind. The cell is computed by `cell` or, if null, read from the path.
struct BuiltInColumn {
  std::string_view name;
  std::string_view type;
  std::string_view description;
  std::string_view json_path = {};
  CellMaker cell = nullptr;
  int32_t priority = 0;  // 1: only with -o wide
};

// The columns after the name, or all columns of a kind that does not start with its name (Events).
// Empty if the kind has none of its own.
struct BuiltInColumns {
  std::span<const BuiltInColumn> columns;
  bool begins_with_name = true;
};
BuiltInColumns FindBuiltInColumns(std::string_view group, std::string_view kind);

}  // namespace berth::apiserver
