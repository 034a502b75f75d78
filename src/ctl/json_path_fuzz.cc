// Any template of -o jsonpath prints, or is an error.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "ctl/json_path.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace berth;
  static const json::value kObject = *json::Parse(
      R"({"metadata":{"name":"a","labels":{"a.b/c":"d"}},"items":[{"n":1},{"n":2},{"m":[3,4]}]})");
  const auto path = ctl::JsonPath::Parse({reinterpret_cast<const char*>(data), size});
  if (path)
    CHECK(path->Print(kObject) == path->Print(kObject));
  else
    CHECK(!path.error().message.empty());
  return 0;
}
