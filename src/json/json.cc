#include "json/json.h"

#include <algorithm>
#include <array>
#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/monotonic_resource.hpp>
#include <boost/json/src.hpp>  // compiles the library here only
#include <boost/json/value_stack.hpp>
#include <charconv>
#include <cmath>
#include <set>
#include <span>

#include "json/pool.h"
#include "schema/json/text.h"
#include "schema/report_limit.h"

namespace berth::json {

namespace {

using ErrorCode = boost::system::error_code;

// Records duplicate keys during parsing.
class DuplicateFinder {
 public:
  explicit DuplicateFinder(std::vector<std::string>* out) : out_(out) {}

  bool is_wanted() const { return out_ != nullptr; }

  void BeginObject() {
    if (out_ != nullptr) levels_.push_back({});
  }
  void BeginArray() {
    if (out_ != nullptr) levels_.push_back({.is_array = true});
  }
  void End() {
    if (out_ != nullptr) levels_.pop_back();
  }
  void BeginValue() {
    if (out_ != nullptr && !levels_.empty() && levels_.back().is_array) ++levels_.back().count;
  }
  void Key(std::string_view key) {
    if (out_ == nullptr) return;
    Level& level = levels_.back();
    level.key = key;
    if (level.seen.emplace(key).second || limit_.is_reached()) return;
    out_->push_back(Path());
    limit_.Count(out_->back().size());
  }

 private:
  struct Level {
    bool is_array = false;
    size_t count = 0;  // elements so far
    std::string key;   // current key
    std::set<std::string, std::less<>> seen;
  };

  std::string Path() const {
    std::string path;
    for (const Level& level : levels_) {
      if (level.is_array) {
        path += '[' + std::to_string(level.count - 1) + ']';
      } else {
        if (!path.empty()) path += '.';
        path += level.key;
      }
    }
    return path;
  }

  std::vector<std::string>* out_;
  std::vector<Level> levels_;
  schema::ReportLimit limit_;
};

// Builds the tree like Boost's own handler, but reparses doubles from their digits: Boost's result
// may differ in the last bit.
struct TreeHandler {
  static constexpr size_t max_object_size = json::object::max_size();
  static constexpr size_t max_array_size = json::array::max_size();
  static constexpr size_t max_key_size = json::string::max_size();
  static constexpr size_t max_string_size = json::string::max_size();

  TreeHandler(std::vector<std::string>* out, std::span<unsigned char> room)
      : stack({}, room.data(), room.size()), duplicates(out) {}

  bool on_document_begin(ErrorCode&) { return true; }
  bool on_document_end(ErrorCode&) { return true; }
  bool on_object_begin(ErrorCode&) {
    duplicates.BeginValue();
    duplicates.BeginObject();
    return true;
  }
  bool on_object_end(size_t n, ErrorCode&) {
    duplicates.End();
    stack.push_object(n);
    return true;
  }
  bool on_array_begin(ErrorCode&) {
    duplicates.BeginValue();
    duplicates.BeginArray();
    return true;
  }
  bool on_array_end(size_t n, ErrorCode&) {
    duplicates.End();
    stack.push_array(n);
    return true;
  }
  bool on_key_part(json::string_view part, size_t, ErrorCode&) {
    if (duplicates.is_wanted()) key += View(part);
    stack.push_chars(part);
    return true;
  }
  bool on_key(json::string_view last, size_t, ErrorCode&) {
    ++keys;
    if (duplicates.is_wanted()) {
      key += View(last);
      duplicates.Key(key);
      key.clear();
    }
    stack.push_key(last);
    return true;
  }
  bool on_string_part(json::string_view part, size_t, ErrorCode&) {
    stack.push_chars(part);
    return true;
  }
  bool on_string(json::string_view last, size_t, ErrorCode&) {
    duplicates.BeginValue();
    stack.push_string(last);
    return true;
  }
  bool on_number_part(json::string_view part, ErrorCode&) {
    digits += View(part);
    return true;
  }
  bool on_int64(int64_t number, json::string_view, ErrorCode&) {
    digits.clear();
    duplicates.BeginValue();
    stack.push_int64(number);
    return true;
  }
  bool on_uint64(uint64_t number, json::string_view, ErrorCode&) {
    digits.clear();
    duplicates.BeginValue();
    stack.push_uint64(number);
    return true;
  }
  bool on_double(double, json::string_view last, ErrorCode& error) {
    digits += View(last);
    double number = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    // Underflow is zero, overflow an error.
    if (read.ec == std::errc::result_out_of_range) number = std::strtod(digits.c_str(), nullptr);
    if (!std::isfinite(number)) {
      error = boost::json::make_error_code(boost::json::error::exponent_overflow);
      return false;
    }
    digits.clear();
    duplicates.BeginValue();
    stack.push_double(number);
    return true;
  }
  bool on_bool(bool value, ErrorCode&) {
    duplicates.BeginValue();
    stack.push_bool(value);
    return true;
  }
  bool on_null(ErrorCode&) {
    duplicates.BeginValue();
    stack.push_null();
    return true;
  }
  bool on_comment_part(json::string_view, ErrorCode&) { return true; }
  bool on_comment(json::string_view, ErrorCode&) { return true; }

  boost::json::value_stack stack;
  DuplicateFinder duplicates;
  std::string key;
  std::string digits;
  size_t keys = 0;  // number of keys so far
};

base::Place PlaceOf(std::string_view text, size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return {.line = static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1,
          .column = static_cast<int>(before.size() - line_start) + 1};
}

std::unexpected<base::Error> NoJson(std::string_view text, size_t offset, const ErrorCode& error) {
  std::string message = "this is not JSON: ";
  if (error == boost::json::error::incomplete) {
    message += text.empty() ? "it is empty" : "it ends too early";
  } else if (error == boost::json::error::extra_data) {
    message += "something follows the value";
  } else if (error == boost::json::error::too_deep) {
    message = "objects and lists nest too deep here";
  } else {
    message += error.message();
  }
  return std::unexpected(
      base::Error{.message = std::move(message), .place = PlaceOf(text, offset)});
}

// "1.25e+19" as "12500000000000000000": integers beyond 2^53 have fewer significant digits than
// places, and std::to_chars would print them all.
void PrintExpandedTo(std::string& out, std::string_view scientific) {
  const size_t mark = scientific.find("e+");
  size_t places = 0;
  std::from_chars(scientific.data() + mark + 2, scientific.data() + scientific.size(), places);
  for (const char c : scientific.substr(0, mark)) {
    if (c != '.') out += c;
  }
  const size_t fraction =
      scientific.find('.') == std::string_view::npos ? 0 : mark - scientific.find('.') - 1;
  out.append(places - fraction, '0');
}

void PrintDoubleTo(std::string& out, double number) {
  constexpr double kExactIntegers = 9007199254740992;  // 2^53
  const double size = std::fabs(number);
  const bool is_long = size >= kExactIntegers && size < 1e21;
  const bool needs_exponent = size != 0 && (size < 1e-6 || size >= 1e21);
  std::array<char, 64> buffer;
  const auto end = std::to_chars(
      buffer.data(), buffer.data() + buffer.size(), number,
      needs_exponent || is_long ? std::chars_format::scientific : std::chars_format::fixed);
  std::string_view text(buffer.data(), static_cast<size_t>(end.ptr - buffer.data()));
  if (is_long) return PrintExpandedTo(out, text);
  const size_t padding = text.find("e-0");  // "1e-07" is printed as "1e-7"
  if (padding == std::string_view::npos) {
    out += text;
  } else {
    out += text.substr(0, padding + 2);
    out += text.substr(padding + 3);
  }
}

void PrintObjectTo(std::string& out, const json::object& object) {
  out += '{';
  bool is_first = true;
  for (const auto& member : object) {
    if (!is_first) out += ',';
    is_first = false;
    schema::AppendJsonString(out, View(member.key()));
    out += ':';
    PrintTo(out, member.value());
  }
  out += '}';
}

void PrintArrayTo(std::string& out, const json::array& array) {
  out += '[';
  for (size_t i = 0; i < array.size(); ++i) {
    if (i > 0) out += ',';
    PrintTo(out, array[i]);
  }
  out += ']';
}

size_t CountMembers(const json::value& value) {
  size_t count = 0;
  if (const json::object* object = value.if_object()) {
    count = object->size();
    for (const auto& member : *object) count += CountMembers(member.value());
  } else if (const json::array* array = value.if_array()) {
    for (const json::value& element : *array) count += CountMembers(element);
  }
  return count;
}

// Sets `keys` to the number of members in the text.
base::Result<json::value> ParseTree(json::storage_ptr memory, std::string_view text,
                                    const ParseOptions& options, size_t& keys) {
  std::array<unsigned char, 8192> room;  // for incomplete objects and lists
  boost::json::parse_options parsing;
  parsing.max_depth = options.max_depth;
  boost::json::basic_parser<TreeHandler> parser(parsing, options.duplicates, room);
  parser.handler().stack.reset(std::move(memory));
  ErrorCode error;
  const size_t used = parser.write_some(false, text.data(), text.size(), error);
  if (!error && used < text.size())
    error = boost::json::make_error_code(boost::json::error::extra_data);
  if (error) return NoJson(text, used, error);
  keys = parser.handler().keys;
  return parser.handler().stack.release();
}

}  // namespace

base::Result<json::value> ParseIn(json::storage_ptr memory, std::string_view text,
                                  const ParseOptions& options) {
  size_t keys = 0;
  auto tree = ParseTree(memory, text, {.max_depth = options.max_depth}, keys);
  // Duplicate keys are rare: search for them only if members are missing from the tree.
  if (!tree || options.duplicates == nullptr || CountMembers(*tree) == keys) return tree;
  return ParseTree(std::move(memory), text, options, keys);
}

base::Result<json::value> Parse(std::string_view text, const ParseOptions& options) {
  return ParseIn({}, text, options);
}

void PrintTo(std::string& out, const json::value& value) {
  switch (value.kind()) {
    case json::kind::null:
      out += "null";
      return;
    case json::kind::bool_:
      out += value.get_bool() ? "true" : "false";
      return;
    case json::kind::int64:
      schema::AppendInt(out, value.get_int64());
      return;
    case json::kind::uint64:
      schema::AppendUint(out, value.get_uint64());
      return;
    case json::kind::double_:
      PrintDoubleTo(out, value.get_double());
      return;
    case json::kind::string:
      schema::AppendJsonString(out, View(value.get_string()));
      return;
    case json::kind::array:
      PrintArrayTo(out, value.get_array());
      return;
    case json::kind::object:
      PrintObjectTo(out, value.get_object());
      return;
  }
}

std::string Print(const json::value& value) {
  std::string out;
  if (value.is_structured()) out.reserve(1024);
  PrintTo(out, value);
  return out;
}

const json::value* Find(const json::value& root, std::initializer_list<std::string_view> path) {
  const json::value* at = &root;
  for (const std::string_view key : path) {
    const json::object* object = at->if_object();
    at = object == nullptr ? nullptr : object->if_contains(BoostView(key));
    if (at == nullptr) return nullptr;
  }
  return at;
}

json::value* Find(json::value& root, std::initializer_list<std::string_view> path) {
  return const_cast<json::value*>(Find(std::as_const(root), path));
}

bool IsTrue(const json::value& object, std::string_view key) {
  const json::value* found = Find(object, {key});
  return found != nullptr && found->is_bool() && found->get_bool();
}

std::string_view StringAt(const json::value& root, std::initializer_list<std::string_view> path) {
  const json::value* found = Find(root, path);
  return found != nullptr && found->is_string() ? View(found->get_string()) : std::string_view();
}

}  // namespace berth::json
