#pragma once

// Objects as `kubectl get` shows them: the columns of a kind and the cells of an object.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/rest_catalog.h"
#include "apiserver/rest_request.h"
#include "apiserver/table_columns.h"
#include "apiserver/table_path.h"
#include "base/time.h"
#include "store/object.h"

namespace berth::apiserver {

// Makes the tables of one kind. Columns of built-in kinds are those of Kubernetes; other kinds have
// their printer columns, and their age where there are none.
class TableMaker {
 public:
  // `version` is that of meta.k8s.io which the client asked for.
  TableMaker(const ServedKind& kind, RowObject row_object, std::string_view version);

  // A Table of the objects. `metadata` is that of the list, as JSON. Further tables of a watch have
  // no columns: the client knows them from the first.
  std::string Make(std::span<const store::Object> objects, std::string_view metadata,
                   base::Time now, bool has_columns = true) const;

 private:
  struct Column {
    PrinterColumn definition;
    CellMaker cell = nullptr;
    std::optional<TablePath> path;  // without a cell; absent if it could not be read

    store::json::value CellOf(const store::json::value& object, base::Time now) const;
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

// How long something lasted, as kubectl writes it: "45s", "3m20s", "5h", "2d3h".
std::string HumanAge(base::Duration age);

// What the object is called and labelled, as an object of kind PartialObjectMetadata.
std::string PartialMetadata(const store::Object& object, std::string_view version);

}  // namespace berth::apiserver
