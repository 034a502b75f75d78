#include "apiserver/handler/scale.h"

#include <span>
#include <utility>

#include "api/meta/meta.h"
#include "api/meta/selector.h"
#include "apiserver/object_tree.h"
#include "schema/decode.h"

namespace berth::apiserver {
namespace {

const json::value* At(const json::value& root, std::span<const std::string> path) {
  const json::value* at = &root;
  for (const std::string& key : path)
    if (at = json::Find(*at, {key}); at == nullptr) return nullptr;
  return at;
}

int64_t NumberAt(const json::value& root, std::span<const std::string> path) {
  const json::value* found = At(root, path);
  return found != nullptr && found->is_int64() ? found->get_int64() : 0;
}

// The selector is a string in custom resources and an object in built-in kinds.
std::string SelectorAt(const json::value& root, std::span<const std::string> path) {
  const json::value* found = path.empty() ? nullptr : At(root, path);
  if (found == nullptr) return "";
  if (found->is_string()) return std::string(json::View(found->get_string()));
  const auto selector = schema::Decode<api::LabelSelector>(json::Print(*found));
  if (!selector) return "";
  const auto compiled = api::Selector::Compile(*selector);
  return compiled ? compiled->ToString() : "";
}

}  // namespace

json::value ScaleOf(const ScalePaths& paths, const json::value& object) {
  json::value scale = {{"apiVersion", "autoscaling/v1"}, {"kind", "Scale"}};
  for (const std::string_view key :
       {"name", "namespace", "uid", "resourceVersion", "creationTimestamp"})
    if (const std::string_view text = MetaString(object, key); !text.empty())
      SetMetaString(scale, key, text);
  scale.get_object()["spec"] = {{"replicas", NumberAt(object, paths.spec_replicas)}};
  json::object status = {{"replicas", NumberAt(object, paths.status_replicas)}};
  if (const std::string selector = SelectorAt(object, paths.selector); !selector.empty())
    status["selector"] = selector;
  scale.get_object()["status"] = std::move(status);
  return scale;
}

store::Outcome<json::value> Scaled(const HandlerRequest& request, const json::value& scale,
                                   json::value object) {
  const json::value* replicas = json::Find(scale, {"spec", "replicas"});
  if (replicas != nullptr && (!replicas->is_int64() || replicas->get_int64() < 0))
    return std::unexpected(store::Invalid(
        request.resource(), request.name,
        {{.field = "spec.replicas",
          .message = json::Print(*replicas) + ": must be greater than or equal to 0"}}));
  json::value* at = &object;
  for (const std::string& key : request.version->scale->spec_replicas) {
    if (!at->is_object()) at->emplace_object();
    at = &at->get_object()[json::BoostView(key)];
  }
  *at = replicas == nullptr ? 0 : replicas->get_int64();
  // The Scale has the object's resourceVersion, so a stale one is a conflict.
  if (const std::string_view version = MetaString(scale, "resourceVersion"); !version.empty())
    SetMetaString(object, "resourceVersion", version);
  return object;
}

}  // namespace berth::apiserver
