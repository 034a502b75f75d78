#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/time.h"
#include "store/json.h"

namespace berth::apiserver {

using CellMaker = store::json::value (*)(const store::json::value& object, base::Time now);

// A column of a kind of Kubernetes' own. The cell is made by the function or, without one, is what
// stands at the path.
struct BuiltInColumn {
  std::string_view name;
  std::string_view type;
  std::string_view description;
  std::string_view json_path = {};
  CellMaker cell = nullptr;
  int32_t priority = 0;  // 1: only with -o wide
};

// The columns behind the name, or all of them where a kind does not begin with its name (Events).
// Empty if the kind has no columns of its own here.
struct BuiltInColumns {
  std::span<const BuiltInColumn> columns;
  bool begins_with_name = true;
};
BuiltInColumns FindBuiltInColumns(std::string_view group, std::string_view kind);

}  // namespace berth::apiserver
