#include "apiserver/service_decision.h"

#include <utility>

#include "apiserver/object_tree.h"
#include "apiserver/service_events.h"
#include "apiserver/service_scale.h"
#include "store/former_version.h"

namespace berth::apiserver {
namespace {

// The objects that are not shown as they are stored.
std::optional<std::string> Converted(const ServiceRequest& request, std::string_view stored) {
  if (request.kind->is_events_v1) {
    json::value event = *store::ParseJson(stored);
    FromCoreEvent(event);
    return store::PrintJson(event);
  }
  if (request.IsScale())
    return store::PrintJson(ScaleOf(*request.version->scale, *store::ParseJson(stored)));
  if (request.is_former()) {
    json::value object = *store::ParseJson(stored);
    store::TurnIntoFormer(*request.kind->described, request.version->name, object);
    return store::PrintJson(object);
  }
  if (request.version->name != request.resource().version)
    return WithApiVersion(stored, request.ApiVersion());
  return std::nullopt;
}

}  // namespace

store::Object Present(const ServiceRequest& request, std::string namespace_, std::string name,
                      const Item& item) {
  store::Object object = ObjectOf(std::move(namespace_), std::move(name), item);
  if (auto text = Converted(request, *item.text))
    object.json = std::make_shared<const std::string>(std::move(*text));
  return object;
}

Item WriteDecision::Preview() const {
  if (kind == Kind::kNothing) return unchanged;
  std::string text = proposal.draft.text;
  if (is_creation) {
    static constexpr std::string_view kNoVersion = ",\"resourceVersion\":\"\"";
    const size_t at = text.find(kNoVersion);
    if (at != std::string::npos) text.erase(at, kNoVersion.size());
  } else {
    text.insert(proposal.draft.hole, std::to_string(proposal.expected));
  }
  return {.revision = proposal.expected,
          .text = std::make_shared<const std::string>(std::move(text))};
}

store::Reply ReplyTo(const ServiceRequest& request, const WriteDecision& decision,
                     const Item& item) {
  store::Reply reply;
  reply.object = Present(request, request.namespace_, request.name, item);
  if (item.revision == 0) reply.object.resource_version.clear();
  reply.was_created = decision.is_creation;
  reply.was_removed = decision.kind == WriteDecision::Kind::kRemove;
  reply.resource_version = reply.object.resource_version;
  reply.warnings = request.warnings;
  return reply;
}

}  // namespace berth::apiserver
