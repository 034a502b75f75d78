#pragma once

// Tables of `kubectl get`.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/rest/catalog.h"
#include "apiserver/rest/request.h"
#include "apiserver/table/columns.h"
#include "apiserver/table/path.h"
#include "base/time.h"
#include "store/object.h"

namespace berth::apiserver {

// Builds the tables of one kind. Built-in kinds have the columns of Kubernetes; others have their
// printer columns, or the age if there are none.
class TableMaker {
 public:
  // `version` is the requested version of meta.k8s.io.
  TableMaker(const ServedKind& kind, RowObject row_object, std::string_view version);

  // A Table of the objects. `metadata` is the list metadata as JSON. Only the first table of a
  // watch has columns.
  std::string Make(std::span<const store::Object> objects, std::string_view metadata,
                   base::Time now, bool has_columns = true) const;

 private:
  struct Column {
    PrinterColumn definition;
    CellMaker cell = nullptr;
    std::optional<TablePath> path;  // set if there is no cell; absent if it does not parse

    json::value CellOf(const json::value& object, base::Time now) const;
  };

  void AddName();
  void Add(const BuiltInColumn& column);
  void Add(const PrinterColumn& column);
  void AppendColumns(std::string& out) const;
  void AppendRow(std::string& out, const store::Object& object, base::Time now) const;

  std::vector<Column> columns_;
  RowObject row_object_;
  std::string version_;
};

// A duration as kubectl formats it: "45s", "3m20s", "5h", "2d3h".
std::string HumanAge(base::Duration age);

// The PartialObjectMetadata of the object.
std::string PartialMetadata(const store::Object& object, std::string_view version);

}  // namespace berth::apiserver
