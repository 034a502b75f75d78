#include "apiserver/table/table.h"

#include "schema/json/writer.h"

namespace berth::apiserver {
namespace {

std::string WithRest(int64_t whole, std::string_view unit, int64_t rest,
                     std::string_view rest_unit) {
  std::string text = std::to_string(whole) + std::string(unit);
  if (rest > 0) text += std::to_string(rest) + std::string(rest_unit);
  return text;
}

// A value of any type as text.
std::string TextOf(const json::value& value) {
  if (value.is_string()) return std::string(json::View(value.get_string()));
  return json::Print(value);
}

json::value AgeCell(const json::value& value, base::Time now) {
  if (!value.is_string()) return json::string("<unknown>");
  const auto time = base::ParseTime(json::View(value.get_string()));
  return json::string(time ? HumanAge(now - *time) : "<invalid>");
}

bool IsNumber(const json::value& value) {
  return value.is_int64() || value.is_uint64() || value.is_double();
}

// The value as the column type; null on a mismatch.
json::value Convert(const json::value& value, std::string_view type, base::Time now) {
  if (value.is_null()) return nullptr;
  if (type == "date") return AgeCell(value, now);
  if (type == "integer" || type == "number") return IsNumber(value) ? value : nullptr;
  if (type == "boolean") return value.is_bool() ? value : nullptr;
  return json::string(TextOf(value));
}

}  // namespace

std::string HumanAge(base::Duration age) {
  int64_t seconds = age.nanos / 1'000'000'000;
  // Small negative ages are clock skew.
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  if (seconds < 120) return std::to_string(seconds) + "s";
  const int64_t minutes = seconds / 60;
  if (minutes < 10) return WithRest(minutes, "m", seconds % 60, "s");
  if (minutes < 180) return std::to_string(minutes) + "m";
  const int64_t hours = minutes / 60;
  if (hours < 8) return WithRest(hours, "h", minutes % 60, "m");
  if (hours < 48) return std::to_string(hours) + "h";
  const int64_t days = hours / 24;
  if (hours < 192) return WithRest(days, "d", hours % 24, "h");
  if (days < 365 * 2) return std::to_string(days) + "d";
  if (days < 365 * 8) return WithRest(days / 365, "y", days % 365, "d");
  return std::to_string(days / 365) + "y";
}

std::string PartialMetadata(const store::Object& object, std::string_view version) {
  const auto parsed = json::Parse(object.text());
  const json::value* metadata = parsed ? json::Find(*parsed, {"metadata"}) : nullptr;
  std::string out = R"({"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/)";
  out += version;
  out += R"(","metadata":)";
  out += metadata != nullptr ? json::Print(*metadata) : "{}";
  return out += '}';
}

TableMaker::TableMaker(const ServedKind& kind, RowObject row_object, std::string_view version)
    : row_object_(row_object), version_(version) {
  const BuiltInColumns own = FindBuiltInColumns(kind.resource.group, kind.resource.kind);
  if (own.begins_with_name) AddName();
  for (const BuiltInColumn& column : own.columns) Add(column);
  if (!own.columns.empty()) return;
  for (const PrinterColumn& column : kind.columns) Add(column);
  if (kind.columns.empty())
    Add(PrinterColumn{.name = "Age",
                      .type = "date",
                      .format = {},
                      .description = "Time since the object was created.",
                      .priority = 0,
                      .json_path = ".metadata.creationTimestamp"});
}

void TableMaker::AddName() {
  Add(PrinterColumn{.name = "Name",
                    .type = "string",
                    .format = "name",
                    .description = "Name of the object, unique in its namespace.",
                    .priority = 0,
                    .json_path = ".metadata.name"});
}

void TableMaker::Add(const BuiltInColumn& column) {
  Add(PrinterColumn{.name = std::string(column.name),
                    .type = std::string(column.type),
                    .format = {},
                    .description = std::string(column.description),
                    .priority = column.priority,
                    .json_path = std::string(column.json_path)});
  columns_.back().cell = column.cell;
}

void TableMaker::Add(const PrinterColumn& column) {
  Column added{.definition = column, .cell = nullptr, .path = std::nullopt};
  if (auto path = TablePath::Parse(column.json_path)) added.path = *std::move(path);
  columns_.push_back(std::move(added));
}

json::value TableMaker::Column::CellOf(const json::value& object, base::Time now) const {
  if (cell != nullptr) return cell(object, now);
  const auto found = path ? path->Find(object) : std::vector<const json::value*>();
  if (found.empty()) return nullptr;
  return Convert(*found.front(), definition.type, now);
}

void TableMaker::AppendColumns(std::string& out) const {
  schema::JsonWriter w;
  w.BeginArray();
  for (const Column& column : columns_) {
    const PrinterColumn& definition = column.definition;
    // Ages are formatted here; clients print them as they are.
    const bool is_date = definition.type == "date";
    w.BeginObject().Member("name", definition.name);
    w.Member("type", is_date ? std::string_view("string") : std::string_view(definition.type));
    w.Member("format", definition.format).Member("description", definition.description);
    w.Member("priority", definition.priority).EndObject();
  }
  out += w.EndArray().text();
}

void TableMaker::AppendRow(std::string& out, const store::Object& object, base::Time now) const {
  const auto parsed = json::Parse(object.text());
  const json::value tree = parsed ? *parsed : json::value(json::object());
  json::array cells;
  for (const Column& column : columns_) cells.push_back(column.CellOf(tree, now));
  out += R"({"cells":)";
  json::PrintTo(out, cells);
  if (row_object_ != RowObject::kNone) out += R"(,"object":)";
  if (row_object_ == RowObject::kObject) out += object.text();
  if (row_object_ == RowObject::kMetadata) out += PartialMetadata(object, version_);
  out += '}';
}

std::string TableMaker::Make(std::span<const store::Object> objects, std::string_view metadata,
                             base::Time now, bool has_columns) const {
  std::string out = R"({"kind":"Table","apiVersion":"meta.k8s.io/)" + version_ + R"(","metadata":)";
  out += metadata;
  out += R"(,"columnDefinitions":)";
  if (has_columns) {
    AppendColumns(out);
  } else {
    out += "[]";
  }
  out += R"(,"rows":[)";
  for (size_t i = 0; i < objects.size(); ++i) {
    if (i > 0) out += ',';
    AppendRow(out, objects[i], now);
  }
  return out += "]}";
}

}  // namespace berth::apiserver
