#pragma once

// JSON trees: Boost.JSON values with our own parser and printer.
//
// API types are structs (`api`). Objects of any kind, known or not, that are patched, merged or
// stored are boost::json::value.

#include <boost/json/array.hpp>
#include <boost/json/kind.hpp>
#include <boost/json/object.hpp>
#include <boost/json/storage_ptr.hpp>
#include <boost/json/string.hpp>
#include <boost/json/value.hpp>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace berth::json {

using boost::json::array;
using boost::json::key_value_pair;
using boost::json::kind;
using boost::json::object;
using boost::json::storage_ptr;
using boost::json::string;
using boost::json::string_view;
using boost::json::value;

struct ParseOptions {
  // Maximum nesting of objects and lists. Recursive functions over a tree rely on it.
  size_t max_depth = 256;
  // If set, receives each duplicate key as a path ("spec.a[0].b"), in the order of the text.
  std::vector<std::string>* duplicates = nullptr;
};

// Parses exactly one JSON value. Integers that fit into 64 bits stay exact (signed if possible);
// other numbers become the nearest double, and overflow is an error. The text must be valid UTF-8.
// The last value of a duplicate key wins, as in an API server. Errors have line and column.
base::Result<json::value> Parse(std::string_view text, const ParseOptions& options = {});

// Prints compact JSON, members in the order of the tree. Numbers look as an API server prints them:
// the shortest digits that read back the same, with an exponent from 1e21 on and below 1e-6.
std::string Print(const json::value& value);
void PrintTo(std::string& out, const json::value& value);

// Returns the value at the path of object keys; null if there is none or a parent is not an object.
const json::value* Find(const json::value& root, std::initializer_list<std::string_view> path);
json::value* Find(json::value& root, std::initializer_list<std::string_view> path);

// Returns whether the member exists and is true.
bool IsTrue(const json::value& object, std::string_view key);

// Returns the string at the path, otherwise "".
std::string_view StringAt(const json::value& root, std::initializer_list<std::string_view> path);

// Conversions from Boost's string types.
inline std::string_view View(json::string_view text) { return {text.data(), text.size()}; }
inline std::string_view View(const json::string& text) { return {text.data(), text.size()}; }
inline json::string_view BoostView(std::string_view text) { return {text.data(), text.size()}; }
inline json::value Text(std::string_view text) { return json::string(BoostView(text)); }

}  // namespace berth::json
