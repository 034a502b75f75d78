// Any text is a table of tokens, each of which belongs to a user, or an error with its line.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "http/tokens.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace berth::http;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto table = TokenTable::Parse(text);
  if (!table) {
    CHECK(table.error().place.line > 0);
    CHECK(!table.error().message.empty());
    return 0;
  }
  CHECK(!table->Find(""));
  const auto subject = table->Find(text.substr(0, text.find(',')));
  CHECK(!subject || !subject->user.empty());
  return 0;
}
