// Any query string of a watch is parsed, within the bounds of watches, or rejected with a proper
// Status.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "apiserver/rest/options.h"
#include "base/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace berth;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto query = http::Query::Parse(text);
  const auto options = apiserver::ReadListOptions(query);
  if (!options) {
    CHECK(options.error().code() == 400 || options.error().code() == 422);
    return 0;
  }
  CHECK(options->limit >= 0);
  CHECK(!options->timeout || options->timeout->nanos > 0);
  // Only watches send initial events, and never for an exact version.
  CHECK(!options->sends_initial_events || options->is_watch);
  CHECK(options->version_match != store::VersionMatch::kExact || !options->is_watch ||
        !options->sends_initial_events);
  CHECK(*apiserver::ReadListOptions(query) == *options);
  return 0;
}
