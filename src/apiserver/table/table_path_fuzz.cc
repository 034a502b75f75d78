// Any text is a path or an error, and a path can be evaluated on any document. The first line is
// the path, the rest the document.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "apiserver/table/path.h"
#include "base/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace berth;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const size_t end = text.find('\n');
  const auto path = apiserver::TablePath::Parse(text.substr(0, end));
  if (!path) {
    CHECK(!path.error().message.empty());
    return 0;
  }
  if (end == std::string_view::npos) return 0;
  const auto document = json::Parse(text.substr(end + 1));
  if (!document) return 0;
  for (const json::value* found : path->Find(*document)) CHECK(found != nullptr);
  return 0;
}
