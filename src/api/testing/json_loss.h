#pragma once

#include <simdjson.h>

#include <optional>
#include <string>
#include <string_view>

namespace berth::api::testing {
namespace internal {

using Element = simdjson::dom::element;

inline bool MeansAbsent(Element e) {
  switch (e.type()) {
    case simdjson::dom::element_type::NULL_VALUE:
      return true;
    case simdjson::dom::element_type::BOOL:
      return !e.get_bool().value();
    case simdjson::dom::element_type::INT64:
      return e.get_int64().value() == 0;
    case simdjson::dom::element_type::STRING:
      return e.get_string().value().empty();
    case simdjson::dom::element_type::ARRAY:
      return e.get_array().value().size() == 0;
    case simdjson::dom::element_type::OBJECT: {
      const simdjson::dom::object object = e.get_object();
      for (auto field : object) {
        if (!MeansAbsent(field.value)) return false;
      }
      return true;
    }
    default:
      return false;
  }
}

inline std::string TextOf(Element e) {
  if (e.is_string()) return std::string(e.get_string().value());
  return simdjson::minify(e);
}

inline std::optional<std::string> FirstLoss(Element before, Element after, const std::string& path);

inline std::optional<std::string> FirstLossInObject(Element before, Element after,
                                                    const std::string& path) {
  const simdjson::dom::object fields = before.get_object();
  for (auto field : fields) {
    std::string inner = path + "." + std::string(field.key);
    auto found = after.is_object() ? after.get_object().value().at_key(field.key)
                                   : simdjson::simdjson_result<Element>(simdjson::NO_SUCH_FIELD);
    if (found.error() != simdjson::SUCCESS) {
      if (!MeansAbsent(field.value)) return inner;
    } else if (auto loss = FirstLoss(field.value, found.value(), inner)) {
      return loss;
    }
  }
  return std::nullopt;
}

inline std::optional<std::string> FirstLossInArray(Element before, Element after,
                                                   const std::string& path) {
  if (!after.is_array()) return path;
  const simdjson::dom::array old_items = before.get_array();
  const simdjson::dom::array new_items = after.get_array();
  if (new_items.size() != old_items.size()) return path;
  for (size_t i = 0; i < old_items.size(); ++i) {
    const auto loss = FirstLoss(old_items.at(i).value(), new_items.at(i).value(),
                                path + "[" + std::to_string(i) + "]");
    if (loss) return loss;
  }
  return std::nullopt;
}

inline std::optional<std::string> FirstLoss(Element before, Element after,
                                            const std::string& path) {
  if (before.is_object()) return FirstLossInObject(before, after, path);
  if (before.is_array()) return FirstLossInArray(before, after, path);
  if (MeansAbsent(before) && MeansAbsent(after)) return std::nullopt;
  return TextOf(before) == TextOf(after) ? std::nullopt : std::optional(path);
}

}  // namespace internal

// The path of the first value of `before` missing in `after`; nullopt if nothing is lost. Empty
// values (null, "", 0, false, empty lists and objects) may be dropped, and a number may become a
// string, as quantities do.
inline std::optional<std::string> FirstLoss(std::string_view before, std::string_view after) {
  simdjson::dom::parser old_parser;
  simdjson::dom::parser new_parser;
  return internal::FirstLoss(old_parser.parse(simdjson::padded_string(before)).value(),
                             new_parser.parse(simdjson::padded_string(after)).value(), "");
}

}  // namespace berth::api::testing
