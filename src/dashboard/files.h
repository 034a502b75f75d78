#pragma once

#include <string_view>

namespace berth::dashboard {

// A file of the pages in web/dist, embedded in the program.
struct File {
  std::string_view name;  // "app.js"
  std::string_view content_type;
  std::string_view text;
};

// Null if there is none.
const File* FindFile(std::string_view name);

}  // namespace berth::dashboard
