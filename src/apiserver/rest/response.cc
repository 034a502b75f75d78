#include "apiserver/rest/response.h"

#include "apiserver/table/table.h"
#include "schema/encode.h"
#include "schema/json/writer.h"
#include "schema/yaml/writer.h"

namespace berth::apiserver {
namespace {

using Form = Presentation::Form;
using schema::JsonWriter;

std::string ListMetadata(const store::Reply& reply) {
  JsonWriter w;
  w.BeginObject().Member("resourceVersion", reply.resource_version);
  if (!reply.continue_token.empty()) w.Member("continue", reply.continue_token);
  if (reply.remaining_items) w.Member("remainingItemCount", *reply.remaining_items);
  w.EndObject();
  return w.Take();
}

std::string ObjectMetadata(const store::Object& object) {
  JsonWriter w;
  w.BeginObject().Member("resourceVersion", object.resource_version).EndObject();
  return w.Take();
}

size_t SizeOf(std::span<const store::Object> items) {
  size_t size = 0;
  for (const store::Object& item : items) size += item.text().size() + 1;
  return size;
}

std::string ListText(const RestView& view, const store::Reply& reply) {
  const store::Resource& resource = view.kind->resource;
  const bool is_partial = view.presentation.form == Form::kMetadata;
  JsonWriter w;
  w.BeginObject().Member("kind", is_partial ? "PartialObjectMetadataList" : view.kind->list_kind);
  w.Member("apiVersion",
           is_partial ? "meta.k8s.io/" + view.presentation.table_version : resource.ApiVersion());
  w.Key("metadata").Raw(ListMetadata(reply)).Key("items");
  std::string out = w.Take();
  out.reserve(out.size() + SizeOf(reply.items) + 4);
  out += '[';
  for (size_t i = 0; i < reply.items.size(); ++i) {
    if (i > 0) out += ',';
    if (is_partial) {
      out += PartialMetadata(reply.items[i], view.presentation.table_version);
    } else {
      out += reply.items[i].text();
    }
  }
  return out += "]}";
}

// The response to a completed deletion.
std::string DeletedStatus(const RestView& view, const store::Object& object) {
  const store::Resource& resource = view.kind->resource;
  JsonWriter w;
  w.BeginObject().Member("kind", "Status").Member("apiVersion", "v1");
  w.Key("metadata").BeginObject().EndObject().Member("status", "Success");
  w.Key("details").BeginObject().Member("name", object.name);
  if (!resource.group.empty()) w.Member("group", resource.group);
  w.Member("kind", resource.plural).Member("uid", object.uid).EndObject().EndObject();
  return w.Take();
}

TableMaker TableOf(const RestView& view) {
  return TableMaker(*view.kind, view.row_object, view.presentation.table_version);
}

http::SharedText ObjectText(const RestView& view, const store::Object& object, base::Time now) {
  // Subresources of another kind have no columns and metadata of this one.
  const bool is_plain = view.subresource == store::kScaleSubresource;
  if (view.presentation.form == Form::kTable && !is_plain)
    return http::Share(TableOf(view).Make({&object, 1}, ObjectMetadata(object), now));
  if (view.presentation.form == Form::kMetadata && !is_plain)
    return http::Share(PartialMetadata(object, view.presentation.table_version));
  return object.json;
}

http::SharedText BodyOf(const RestView& view, const store::Reply& reply, base::Time now) {
  if (view.verb == Verb::kList || view.verb == Verb::kDeleteCollection) {
    if (view.presentation.form == Form::kTable)
      return http::Share(TableOf(view).Make(reply.items, ListMetadata(reply), now));
    return http::Share(ListText(view, reply));
  }
  // Deleted pods are returned in full, as in Kubernetes.
  const bool is_pod = view.kind->resource.group.empty() && view.kind->resource.kind == "Pod";
  if (view.verb == Verb::kDelete && reply.was_removed && !is_pod)
    return http::Share(DeletedStatus(view, reply.object));
  return ObjectText(view, reply.object, now);
}

void Encode(http::Response& response, Encoding encoding) {
  if (encoding == Encoding::kJson || response.body == nullptr) return;
  auto yaml = schema::JsonToYaml(*response.body);
  if (!yaml) return;
  response.body = http::Share(*std::move(yaml));
  response.content_type = "application/yaml";
}

}  // namespace

http::Response RenderJson(std::string json) { return {.body = http::Share(std::move(json))}; }

std::string StatusJson(const store::Failure& failure) {
  api::Status status = failure.status;
  if (status.code == 0) status.code = 500;
  return schema::Encode(status);
}

http::Response RenderFailure(const store::Failure& failure, Encoding encoding) {
  http::Response response{.status = failure.code() == 0 ? 500 : failure.code(),
                          .body = http::Share(StatusJson(failure))};
  if (const int32_t seconds = failure.retry_after_seconds(); seconds > 0)
    response.headers.emplace_back("Retry-After", std::to_string(seconds));
  Encode(response, encoding);
  return response;
}

std::string WarningHeader(std::string_view text) {
  std::string value = "299 - \"";
  for (const char c : text) {
    if (c == '"' || c == '\\') value += '\\';
    value += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
  }
  return value += '"';
}

void AddWarnings(std::span<const std::string> warnings, http::Response& response) {
  constexpr size_t kMost = 50, kMostBytes = 4096;
  size_t count = 0, bytes = 0;
  for (; count < warnings.size() && count < kMost; ++count) {
    bytes += warnings[count].size();
    if (count > 0 && bytes > kMostBytes) break;
    response.headers.emplace_back("Warning", WarningHeader(warnings[count].substr(0, kMostBytes)));
  }
  if (count < warnings.size())
    response.headers.emplace_back(
        "Warning", WarningHeader(std::to_string(warnings.size() - count) + " more warnings"));
}

http::Response RenderReply(const RestView& view, const store::Reply& reply, base::Time now) {
  http::Response response{.status = reply.was_created ? 201 : 200,
                          .body = BodyOf(view, reply, now)};
  AddWarnings(reply.warnings, response);
  Encode(response, view.presentation.encoding);
  return response;
}

}  // namespace berth::apiserver
