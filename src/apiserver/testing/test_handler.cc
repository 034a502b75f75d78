#include "apiserver/testing/test_handler.h"

#include <future>
#include <utility>

#include "base/check.h"

namespace berth::apiserver::testing {
namespace {

std::string NamespaceOf(const store::Resource& resource) {
  return resource.is_namespaced ? "default" : "";
}

}  // namespace

TestHandler::TestHandler(ApiHandler::Options options) {
  if (!options.now) options.now = [this] { return now; };
  auto opened = ApiHandler::Open(std::move(options));
  CHECK(opened.has_value());
  handler_ = std::move(*opened);
}

store::Outcome<store::Reply> TestHandler::Do(const store::Call& call) {
  std::promise<store::Outcome<store::Reply>> answer;
  handler_->Do(call, Caller{.user = "tester"},
               [&](store::Outcome<store::Reply> reply) { answer.set_value(std::move(reply)); });
  return answer.get_future().get();
}

std::string TestHandler::Text(const store::Call& call) {
  const auto reply = Do(call);
  return reply ? std::string(reply->object.text()) : ErrorOf(reply);
}

std::string TestHandler::Error(const store::Call& call) { return ErrorOf(Do(call)); }

store::Outcome<store::Reply> TestHandler::Create(const store::Resource& resource,
                                                 std::string object) {
  return Do(store::Create{.resource = resource,
                          .namespace_ = NamespaceOf(resource),
                          .object = std::move(object),
                          .options = {.field_manager = "tester"}});
}

store::Outcome<store::Reply> TestHandler::Update(const store::Resource& resource,
                                                 const std::string& name, std::string object,
                                                 std::string subresource) {
  return Do(store::Update{.resource = resource,
                          .namespace_ = NamespaceOf(resource),
                          .name = name,
                          .subresource = std::move(subresource),
                          .object = std::move(object),
                          .options = {.field_manager = "tester"}});
}

store::Outcome<store::Reply> TestHandler::Merge(const store::Resource& resource,
                                                const std::string& name, std::string patch,
                                                std::string subresource) {
  return Do(store::Patch{.resource = resource,
                         .namespace_ = NamespaceOf(resource),
                         .name = name,
                         .subresource = std::move(subresource),
                         .type = store::PatchType::kMerge,
                         .body = std::move(patch),
                         .options = {.field_manager = "tester"}});
}

store::Outcome<store::Reply> TestHandler::Delete(const store::Resource& resource,
                                                 const std::string& name,
                                                 store::DeleteOptions options) {
  return Do(store::Delete{.resource = resource,
                          .namespace_ = NamespaceOf(resource),
                          .name = name,
                          .options = std::move(options)});
}

json::value TestHandler::Get(const store::Resource& resource, const std::string& name) {
  return TreeOf(
      Do(store::Get{.resource = resource, .namespace_ = NamespaceOf(resource), .name = name}));
}

bool TestHandler::Has(const store::Resource& resource, const std::string& name) {
  return !Get(resource, name).is_null();
}

json::value TreeOf(const store::Outcome<store::Reply>& reply) {
  if (!reply) return nullptr;
  return json::Parse(reply->object.text()).value_or(nullptr);
}

std::string At(const json::value& object, std::string_view path) {
  const json::value* at = &object;
  while (at != nullptr && !path.empty()) {
    const size_t dot = std::min(path.find('.'), path.size());
    at = json::Find(*at, {path.substr(0, dot)});
    path.remove_prefix(std::min(dot + 1, path.size()));
  }
  return at == nullptr ? "" : json::Print(*at);
}

std::string ErrorOf(const store::Outcome<store::Reply>& reply) {
  return reply ? "" : store::ToString(reply.error());
}

}  // namespace berth::apiserver::testing
