// Any request, given as lines (method, target, Accept, Content-Type, then the body), is translated
// to a call for the kind in its URL, or rejected with a proper Status.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "apiserver/rest/request.h"
#include "apiserver/rest/response.h"
#include "base/check.h"

namespace {

using namespace berth;

std::string TakeLine(std::string_view& text) {
  const size_t end = text.find('\n');
  std::string line(text.substr(0, end));
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

void CheckPlan(const apiserver::RestPlan& plan, const apiserver::RestTarget& target) {
  CHECK(plan.view.kind != nullptr);
  CHECK(plan.view.kind->resource.plural == target.plural);
  const auto* call = std::get_if<store::Call>(&plan.operation);
  const store::Resource& resource =
      call != nullptr
          ? std::visit([](const auto& c) -> const store::Resource& { return c.resource; }, *call)
          : std::get<store::Watch>(plan.operation).resource;
  CHECK(resource == plan.view.kind->resource);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const apiserver::Catalog kCatalog(apiserver::BuiltInKinds());
  std::string_view text(reinterpret_cast<const char*>(data), size);
  http::Request request;
  request.method = TakeLine(text);
  request.target = TakeLine(text);
  request.accept = TakeLine(text);
  request.content_type = TakeLine(text);
  request.body = text;
  const auto target = apiserver::RestTarget::Parse(request.target);
  const auto plan = apiserver::PlanRequest(request, target, kCatalog);
  if (plan) {
    CheckPlan(*plan, target);
  } else {
    CHECK(plan.error().code() >= 400 && plan.error().code() < 500);
    CHECK(!plan.error().status.reason.empty());
    CHECK(apiserver::RenderFailure(plan.error()).body != nullptr);
  }
  return 0;
}
