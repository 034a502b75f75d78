#include "apiserver/handler/decision.h"

#include <utility>

#include "apiserver/handler/events.h"
#include "apiserver/handler/scale.h"
#include "apiserver/object_tree.h"
#include "store/previous_version.h"

namespace berth::apiserver {
namespace {

// Converts objects whose served form differs from the stored one.
std::optional<std::string> Converted(const HandlerRequest& request, std::string_view stored) {
  if (request.kind->is_events_v1) {
    json::value event = *json::Parse(stored);
    FromCoreEvent(event);
    return json::Print(event);
  }
  if (request.IsScale()) return json::Print(ScaleOf(*request.version->scale, *json::Parse(stored)));
  if (request.is_previous()) {
    json::value object = *json::Parse(stored);
    store::ConvertToPrevious(*request.kind->described, request.version->name, object);
    return json::Print(object);
  }
  if (request.version->name != request.resource().version)
    return WithApiVersion(stored, request.ApiVersion());
  return std::nullopt;
}

}  // namespace

store::Object Present(const HandlerRequest& request, std::string namespace_, std::string name,
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

store::Reply ReplyTo(const HandlerRequest& request, const WriteDecision& decision,
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
