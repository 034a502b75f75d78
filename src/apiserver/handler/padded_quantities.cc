#include "apiserver/handler/padded_quantities.h"

#include "api/meta/problem_report.h"
#include "quantity/quantity.h"
#include "schema/access.h"
#include "schema/report_limit.h"

namespace berth::apiserver {
namespace {

class QuantityWalk {
 public:
  void Visit(const schema::Type& type, const json::value& value) {
    const json::object* object = value.if_object();
    const json::array* list = value.if_array();
    if (type.shape == schema::Shape::kStruct && object != nullptr) {
      VisitFields(type.structure(), *object);
    } else if (type.shape == schema::Shape::kMap && object != nullptr) {
      VisitEntries(*type.element, *object);
    } else if (type.shape == schema::Shape::kList && list != nullptr) {
      VisitElements(*type.element, *list);
    } else if (type.shape == schema::Shape::kQuantity && value.is_string()) {
      Check(json::View(value.get_string()));
    }
  }

  void VisitFields(const schema::Struct& type, const json::object& object) {
    for (const auto& member : object) {
      const schema::Field* field = schema::FindField(type, json::View(member.key()));
      if (field == nullptr) continue;
      path_.Push(field->name);
      Visit(*field->type, member.value());
      path_.Pop();
    }
  }

  schema::Problems Take() { return std::move(problems_); }

 private:
  void VisitEntries(const schema::Type& type, const json::object& object) {
    for (const auto& member : object) {
      path_.PushKey(json::View(member.key()));
      Visit(type, member.value());
      path_.Pop();
    }
  }

  void VisitElements(const schema::Type& type, const json::array& list) {
    for (size_t i = 0; i < list.size(); ++i) {
      path_.PushIndex(i);
      Visit(type, list[i]);
      path_.Pop();
    }
  }

  void Check(std::string_view text) {
    if (limit_.is_reached() || quantity::Quantity::Parse(text)) return;
    problems_.push_back({.field = path_.ToString(),
                         .message = api::Quoted(text) + " is not a quantity",
                         .hint = "write it without white space around it"});
    limit_.Count(problems_.back().field.size() + text.size());
  }

  schema::FieldPath path_;
  schema::Problems problems_;
  schema::ReportLimit limit_;
};

}  // namespace

schema::Problems PaddedQuantities(const schema::Struct& type, const json::value& object) {
  QuantityWalk walk;
  if (const json::object* members = object.if_object()) walk.VisitFields(type, *members);
  return walk.Take();
}

}  // namespace berth::apiserver
