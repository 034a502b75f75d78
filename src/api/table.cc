#include "api/table.h"

namespace berth::api {

using schema::Carried;
using schema::kCarriedString;
using schema::kCarriedStructs;
using schema::Member;

const schema::Struct& TableColumnDefinition::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&TableColumnDefinition::name>("name", "Heading.").Required(),
      Member<&TableColumnDefinition::type>("type", "integer, number, string or boolean.")
          .Required(),
      Member<&TableColumnDefinition::format>("format", "Such as name or date.").Required(),
      Member<&TableColumnDefinition::description>("description", "What the column shows.")
          .Required(),
      Member<&TableColumnDefinition::priority>("priority",
                                               "0 is always shown, more only when there is room.")
          .Required(),
  };
  static constexpr auto kStruct =
      schema::Describe<TableColumnDefinition>("TableColumnDefinition", "A column.", kFields);
  return kStruct;
}

namespace {

const schema::Struct& TableRowConditionShape() {
  static constexpr schema::Field kFields[] = {
      Carried("type", kCarriedString, "Such as Completed.").Required(),
      Carried("status", kCarriedString, "True, False or Unknown.").Required(),
      Carried("reason", kCarriedString, "Why, in one word."),
      Carried("message", kCarriedString, "Why, for people."),
  };
  static constexpr auto kStruct =
      schema::DescribeCarried("TableRowCondition", "A mark on a row.", kFields);
  return kStruct;
}

}  // namespace

const schema::Struct& TableRow::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&TableRow::cells>("cells", "A value for each column.").Required(),
      Carried("conditions", kCarriedStructs<&TableRowConditionShape>, "Marks on the row."),
      Member<&TableRow::object>("object", "The object, or its metadata."),
  };
  static constexpr auto kStruct = schema::Describe<TableRow>("TableRow", "A row.", kFields);
  return kStruct;
}

const schema::Struct& Table::Description() {
  static constexpr schema::Field kFields[] = {
      Member<&Table::metadata>("metadata", "Metadata of the list."),
      Member<&Table::column_definitions>("columnDefinitions", "The columns.").Required(),
      Member<&Table::rows>("rows", "The rows.").Required(),
  };
  static constexpr auto kStruct = schema::Describe<Table>("Table", "Objects as a table.", kFields);
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
