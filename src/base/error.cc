#include "base/error.h"

namespace berth::base {

std::string ToString(const Place& place) {
  if (place.line == 0) return place.file;
  std::string position = std::to_string(place.line);
  if (place.column > 0) position += ":" + std::to_string(place.column);
  return place.file.empty() ? "line " + position : place.file + ":" + position;
}

std::string ToString(const Error& error) {
  std::string text = ToString(error.place);
  if (!text.empty()) text += ": ";
  text += error.message;
  if (!error.hint.empty()) text += " (" + error.hint + ")";
  return text;
}

}  // namespace berth::base
