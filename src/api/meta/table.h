#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "api/meta/meta.h"
#include "schema/describe.h"

namespace berth::api {

struct TableColumnDefinition {
  std::string name;
  std::string type;
  std::string format;
  std::string description;
  int32_t priority = 0;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const TableColumnDefinition&, const TableColumnDefinition&) = default;
};

struct TableRow {
  std::vector<schema::Json> cells;
  schema::Json object;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const TableRow&, const TableRow&) = default;
};

// Objects as printed by `kubectl get`.
struct Table {
  ListMeta metadata;
  std::vector<TableColumnDefinition> column_definitions;
  std::vector<TableRow> rows;
  schema::Extra extra;

  static const schema::Kind& KindInfo();
  static const schema::Struct& Description();
  friend bool operator==(const Table&, const Table&) = default;
};

}  // namespace berth::api

// Compiled once, in table.cc.
extern template class std::vector<berth::api::TableColumnDefinition>;
extern template class std::vector<berth::api::TableRow>;
