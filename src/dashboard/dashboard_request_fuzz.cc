// Any target is a route, its names are safe, and its parameters are within their limits or refused.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "dashboard/parameters.h"
#include "dashboard/route.h"

namespace {

using namespace berth;

void CheckName(std::string_view name) {
  CHECK(name.find('/') == std::string_view::npos);
  CHECK(name.size() <= 253);
  CHECK(std::ranges::none_of(name, [](char c) { return c >= 0 && c < 0x20; }));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view target(reinterpret_cast<const char*>(data), size);
  const dashboard::Route route = dashboard::ParseRoute(target);
  for (const std::string_view name :
       {std::string_view(route.file), std::string_view(route.plural),
        std::string_view(route.namespace_), std::string_view(route.name)})
    CheckName(name);
  if (const auto page = dashboard::PageOf(route.query)) {
    CHECK(page->limit <= query::Page::kMost);
    CHECK(page->end() >= page->offset);
  }
  if (const auto history = dashboard::HistoryQueryOf(route.query, 1'800'000'000))
    CHECK(history->from >= 0 && history->from <= history->to && history->points <= 2000);
  dashboard::FilterOf(route.query);
  return 0;
}
