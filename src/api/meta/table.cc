#include "api/meta/table.h"

namespace berth::api {

using schema::Carried;
using schema::kCarriedString;
using schema::kCarriedStructs;
using schema::Member;

const schema::Struct& TableColumnDefinition::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&TableColumnDefinition::name>("name", "Heading.").Required(),
      Member<&TableColumnDefinition::type>(
          "type", "Type of the values: integer, number, string or boolean.")
          .Required(),
      Member<&TableColumnDefinition::format>("format",
                                             "Format of the values, such as name or date.")
          .Required(),
      Member<&TableColumnDefinition::description>("description", "Description of the column.")
          .Required(),
      Member<&TableColumnDefinition::priority>(
          "priority",
          "Priority of the column. 0 is always shown, higher values only in wide output.")
          .Required(),
  };
  static constexpr auto kStruct = schema::Describe<TableColumnDefinition>(
      "TableColumnDefinition", "TableColumnDefinition describes a column.", kFields);
  return kStruct;
}

namespace {

const schema::Struct& TableRowConditionShape() {
  static constexpr schema::Field kFields[] = {
      Carried("type", kCarriedString, "Type such as Completed.").Required(),
      Carried("status", kCarriedString, "True, False or Unknown.").Required(),
      Carried("reason", kCarriedString, "Machine-readable reason, in one word."),
      Carried("message", kCarriedString, "Human-readable details."),
  };
  static constexpr auto kStruct = schema::DescribeCarried(
      "TableRowCondition", "TableRowCondition is a condition of a row.", kFields);
  return kStruct;
}

}  // namespace

const schema::Struct& TableRow::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&TableRow::cells>("cells", "Values of the row, one per column.").Required(),
      Carried("conditions", kCarriedStructs<&TableRowConditionShape>, "Conditions of the row."),
      Member<&TableRow::object>("object", "Object of the row, or its metadata."),
  };
  static constexpr auto kStruct =
      schema::Describe<TableRow>("TableRow", "TableRow is a row.", kFields);
  return kStruct;
}

const schema::Struct& Table::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&Table::metadata>("metadata", "Metadata of the list."),
      Member<&Table::column_definitions>("columnDefinitions", "Columns of the table.").Required(),
      Member<&Table::rows>("rows", "Rows of the table.").Required(),
  };
  static constexpr auto kStruct =
      schema::Describe<Table>("Table", "Table is a tabular representation of objects.", kFields);
  return kStruct;
}

const schema::Kind& Table::KindInfo() {
  static constexpr schema::Kind kKind{
      .group = "meta.k8s.io",
      .version = "v1",
      .kind = "Table",
      .plural = "",
      .structure = &Table::Description,
  };
  return kKind;
}

}  // namespace berth::api

template class std::vector<berth::api::TableColumnDefinition>;
template class std::vector<berth::api::TableRow>;
