#pragma once

// The JSON tree of the server side: Boost.JSON's, with our own way in and out.
//
// API types are structs (`api`). Where an object of any kind passes through, known or not, patched,
// merged, stored, it is a boost::json::value.

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace berth::store {

namespace json = boost::json;

struct ParseJsonOptions {
  // How deep objects and lists may nest. Every walk over a tree may recurse this deep.
  size_t max_depth = 256;
  // Where given: each key that stands more than once in its object, as a path ("spec.a[0].b"),
  // in the order of the text.
  std::vector<std::string>* duplicates = nullptr;
};

// Reads exactly one JSON value. Integers that fit in 64 bits are kept exactly (signed if they can
// be), other numbers as the nearest double; one that no double can hold is an error. Text must be
// valid UTF-8. Of a key that stands twice in one object the last value counts, as it does for an
// API server. An Error has the line and column.
base::Result<json::value> ParseJson(std::string_view text, const ParseJsonOptions& options = {});

// Compact JSON, members in the order of the tree. Numbers look as an API server prints them: the
// shortest digits that read back the same, an exponent only from 1e21 on and below 1e-6.
std::string PrintJson(const json::value& value);
void PrintJsonTo(std::string& out, const json::value& value);

// The value at the end of the path of object keys; null if there is none or a part of the way is
// no object.
const json::value* FindJson(const json::value& root, std::initializer_list<std::string_view> path);
json::value* FindJson(json::value& root, std::initializer_list<std::string_view> path);

// Whether the object has that member, and it is true.
bool IsJsonTrue(const json::value& object, std::string_view key);

// The same where a string stands there, otherwise "".
std::string_view JsonStringAt(const json::value& root,
                              std::initializer_list<std::string_view> path);

// Boost's strings know their own string_view; these keep the conversions in one place.
inline std::string_view View(json::string_view text) { return {text.data(), text.size()}; }
inline std::string_view View(const json::string& text) { return {text.data(), text.size()}; }
inline json::string_view BoostView(std::string_view text) { return {text.data(), text.size()}; }
inline json::value JsonText(std::string_view text) { return json::string(BoostView(text)); }

}  // namespace berth::store
