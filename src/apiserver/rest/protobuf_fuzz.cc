// Any body is an object in JSON with its kind, or rejected with a proper status.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "apiserver/rest/protobuf.h"
#include "base/check.h"
#include "json/json.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace berth;
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  const auto text = apiserver::ProtobufAsJson(body);
  if (!text) {
    CHECK(text.error().code() == 400 || text.error().code() == 415);
    return 0;
  }
  const auto tree = json::Parse(*text);
  CHECK(tree.has_value());
  CHECK(!json::StringAt(*tree, {"kind"}).empty());
  CHECK(apiserver::ProtobufAsJson(body) == text);
  return 0;
}
