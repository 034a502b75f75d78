#include "kube/request.h"

#include <utility>
#include <variant>

#include "schema/json/writer.h"

namespace berth::kube {
namespace {

constexpr std::string_view kJsonContent = "application/json";

// Builds path and query from left to right.
class Target {
 public:
  Target(std::string_view prefix, const store::Resource& resource, std::string_view namespace_name)
      : text_(prefix) {
    text_ += resource.group.empty() ? "/api" : "/apis";
    if (!resource.group.empty()) Add(resource.group);
    Add(resource.version);
    if (resource.is_namespaced && !namespace_name.empty()) Add("namespaces").Add(namespace_name);
    Add(resource.plural);
  }

  // Appends a path segment unless it is empty.
  Target& Add(std::string_view part) {
    if (!part.empty()) text_ += "/" + PercentEncoded(part);
    return *this;
  }

  // Appends a query parameter unless it is empty.
  Target& Set(std::string_view key, std::string_view value) {
    if (value.empty()) return *this;
    text_ += has_query_ ? '&' : '?';
    has_query_ = true;
    text_ += std::string(key) + "=" + PercentEncoded(value);
    return *this;
  }

  Target& Select(const store::Selection& selection) {
    return Set("labelSelector", selection.label_selector)
        .Set("fieldSelector", selection.field_selector);
  }

  Target& Match(store::VersionMatch match) {
    switch (match) {
      case store::VersionMatch::kUnset:
        return *this;
      case store::VersionMatch::kNotOlderThan:
        return Set("resourceVersionMatch", "NotOlderThan");
      case store::VersionMatch::kExact:
        return Set("resourceVersionMatch", "Exact");
    }
    return *this;
  }

  Target& Set(const store::WriteOptions& options) {
    if (options.is_dry_run) Set("dryRun", "All");
    Set("fieldManager", options.field_manager);
    if (options.field_validation == store::FieldValidation::kStrict)
      Set("fieldValidation", "Strict");
    if (options.field_validation == store::FieldValidation::kIgnore)
      Set("fieldValidation", "Ignore");
    return *this;
  }

  std::string Take() { return std::move(text_); }

 private:
  std::string text_;
  bool has_query_ = false;
};

std::string_view ContentTypeOf(store::PatchType type) {
  switch (type) {
    case store::PatchType::kJson:
      return "application/json-patch+json";
    case store::PatchType::kMerge:
      return "application/merge-patch+json";
    case store::PatchType::kStrategic:
      return "application/strategic-merge-patch+json";
    case store::PatchType::kApply:
      return "application/apply-patch+yaml";
  }
  return {};
}

std::string_view WordOf(store::Propagation propagation) {
  switch (propagation) {
    case store::Propagation::kBackground:
      return "Background";
    case store::Propagation::kForeground:
      return "Foreground";
    case store::Propagation::kOrphan:
      return "Orphan";
  }
  return {};
}

std::string DeleteBody(const store::DeleteOptions& options) {
  schema::JsonWriter w;
  w.BeginObject().Member("apiVersion", "v1").Member("kind", "DeleteOptions");
  if (!options.uid.empty() || !options.resource_version.empty()) {
    w.Key("preconditions").BeginObject();
    if (!options.uid.empty()) w.Member("uid", options.uid);
    if (!options.resource_version.empty()) w.Member("resourceVersion", options.resource_version);
    w.EndObject();
  }
  if (options.propagation) w.Member("propagationPolicy", WordOf(*options.propagation));
  if (options.grace_period_seconds) w.Member("gracePeriodSeconds", *options.grace_period_seconds);
  if (options.is_dry_run) w.Key("dryRun").BeginArray().Value("All").EndArray();
  w.EndObject();
  return w.text();
}

class RequestMaker {
 public:
  explicit RequestMaker(std::string_view prefix) : prefix_(prefix) {}

  Request operator()(const store::Get& get) const {
    return {.method = "GET",
            .target = Target(prefix_, get.resource, get.namespace_)
                          .Add(get.name)
                          .Add(get.subresource)
                          .Take()};
  }

  Request operator()(const store::List& list) const {
    Target target(prefix_, list.resource, list.selection.namespace_);
    target.Select(list.selection);
    if (list.limit > 0) target.Set("limit", std::to_string(list.limit));
    target.Set("continue", list.continue_token)
        .Set("resourceVersion", list.resource_version)
        .Match(list.version_match);
    return {.method = "GET", .target = target.Take()};
  }

  Request operator()(const store::Create& create) const {
    return {
        .method = "POST",
        .target = Target(prefix_, create.resource, create.namespace_).Set(create.options).Take(),
        .content_type = std::string(kJsonContent),
        .body = create.object};
  }

  Request operator()(const store::Update& update) const {
    return {.method = "PUT",
            .target = Target(prefix_, update.resource, update.namespace_)
                          .Add(update.name)
                          .Add(update.subresource)
                          .Set(update.options)
                          .Take(),
            .content_type = std::string(kJsonContent),
            .body = update.object};
  }

  Request operator()(const store::Patch& patch) const {
    Target target(prefix_, patch.resource, patch.namespace_);
    target.Add(patch.name).Add(patch.subresource).Set(patch.options);
    if (patch.is_forced) target.Set("force", "true");
    return {.method = "PATCH",
            .target = target.Take(),
            .content_type = std::string(ContentTypeOf(patch.type)),
            .body = patch.body};
  }

  Request operator()(const store::Delete& call) const {
    return {.method = "DELETE",
            .target = Target(prefix_, call.resource, call.namespace_).Add(call.name).Take(),
            .content_type = std::string(kJsonContent),
            .body = DeleteBody(call.options)};
  }

  Request operator()(const store::DeleteCollection& call) const {
    return {
        .method = "DELETE",
        .target =
            Target(prefix_, call.resource, call.selection.namespace_).Select(call.selection).Take(),
        .content_type = std::string(kJsonContent),
        .body = DeleteBody(call.options)};
  }

 private:
  std::string_view prefix_;
};

}  // namespace

std::string PercentEncoded(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                          (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_' || c == '~';
    if (is_plain) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  return out;
}

Request RequestFor(const store::Call& call, std::string_view prefix) {
  return std::visit(RequestMaker(prefix), call);
}

Request RequestFor(const store::Watch& watch, std::string_view prefix) {
  Target target(prefix, watch.resource, watch.selection.namespace_);
  target.Set("watch", "true").Select(watch.selection);
  target.Set("resourceVersion", watch.resource_version).Match(watch.version_match);
  if (watch.allows_bookmarks) target.Set("allowWatchBookmarks", "true");
  if (watch.sends_initial_events) target.Set("sendInitialEvents", "true");
  if (watch.timeout)
    target.Set("timeoutSeconds", std::to_string(watch.timeout->nanos / 1'000'000'000));
  return {.method = "GET", .target = target.Take()};
}

}  // namespace berth::kube
