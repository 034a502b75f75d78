#include "apiserver/rest_response.h"

#include "apiserver/table.h"
#include "schema/encode.h"
#include "schema/json_writer.h"
#include "schema/yaml_writer.h"

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

// What a client hears of an object that is no more.
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

SharedText ObjectText(const RestView& view, const store::Object& object, base::Time now) {
  // A subresource of another kind has no columns and no metadata of this one.
  const bool is_plain = view.subresource == store::kScaleSubresource;
  if (view.presentation.form == Form::kTable && !is_plain)
    return Share(TableOf(view).Make({&object, 1}, ObjectMetadata(object), now));
  if (view.presentation.form == Form::kMetadata && !is_plain)
    return Share(PartialMetadata(object, view.presentation.table_version));
  return object.json;
}

SharedText BodyOf(const RestView& view, const store::Reply& reply, base::Time now) {
  if (view.verb == Verb::kList || view.verb == Verb::kDeleteCollection) {
    if (view.presentation.form == Form::kTable)
      return Share(TableOf(view).Make(reply.items, ListMetadata(reply), now));
    return Share(ListText(view, reply));
  }
  // Pods are told of in full even when they are gone, as everywhere.
  const bool is_pod = view.kind->resource.group.empty() && view.kind->resource.kind == "Pod";
  if (view.verb == Verb::kDelete && reply.was_removed && !is_pod)
    return Share(DeletedStatus(view, reply.object));
  return ObjectText(view, reply.object, now);
}

void Encode(HttpResponse& response, Encoding encoding) {
  if (encoding == Encoding::kJson || response.body == nullptr) return;
  auto yaml = schema::JsonToYaml(*response.body);
  if (!yaml) return;
  response.body = Share(*std::move(yaml));
  response.content_type = "application/yaml";
}

}  // namespace

HttpResponse RenderJson(std::string json) { return {.body = Share(std::move(json))}; }

std::string StatusJson(const store::Failure& failure) {
  api::Status status = failure.status;
  if (status.code == 0) status.code = 500;
  return schema::Encode(status);
}

HttpResponse RenderFailure(const store::Failure& failure, Encoding encoding) {
  HttpResponse response{.status = failure.code() == 0 ? 500 : failure.code(),
                        .body = Share(StatusJson(failure))};
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

HttpResponse RenderReply(const RestView& view, const store::Reply& reply, base::Time now) {
  HttpResponse response{.status = reply.was_created ? 201 : 200, .body = BodyOf(view, reply, now)};
  for (const std::string& warning : reply.warnings)
    response.headers.emplace_back("Warning", WarningHeader(warning));
  Encode(response, view.presentation.encoding);
  return response;
}

}  // namespace berth::apiserver
