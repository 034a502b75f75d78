#include "webhook_server/conversion.h"

#include <utility>

#include "api/meta/object.h"
#include "api/meta/registry.h"
#include "schema/decode.h"
#include "schema/json/writer.h"
#include "store/previous_version.h"

namespace berth::webhook_server {
namespace {

base::Result<json::value> ToToday(const json::value& object, const schema::Kind& kind,
                                  bool is_previous) {
  api::Object read(kind);
  schema::Decoder decoder;
  const schema::Problems problems =
      decoder.Decode(json::Print(object), kind, read.value(), {.is_previous = is_previous});
  if (!problems.empty()) return base::Fail(schema::ToString(problems.front()));
  auto tree = json::Parse(read.Encode());
  if (!tree) return std::unexpected(tree.error());
  return std::move(*tree);
}

void WriteConversionResult(schema::JsonWriter& w, const base::Result<json::array>& objects) {
  w.Key("convertedObjects").BeginArray();
  if (objects)
    for (const json::value& object : *objects) w.Raw(json::Print(object));
  w.EndArray().Key("result").BeginObject();
  w.Member("status", objects ? "Success" : "Failure");
  if (!objects) w.Member("message", base::ToString(objects.error()));
  w.EndObject();
}

base::Result<json::array> ConvertAll(const json::value& request) {
  const std::string_view desired = json::StringAt(request, {"desiredAPIVersion"});
  const json::value* objects = json::Find(request, {"objects"});
  json::array converted;
  if (objects == nullptr || !objects->is_array()) return converted;
  for (const json::value& object : objects->get_array()) {
    auto one = ConvertObject(object, desired);
    if (!one) return std::unexpected(one.error());
    converted.push_back(std::move(*one));
  }
  return converted;
}

}  // namespace

base::Result<json::value> ConvertObject(json::value object, std::string_view desired_api_version) {
  const std::string version(json::StringAt(object, {"apiVersion"}));
  const std::string kind_name(json::StringAt(object, {"kind"}));
  if (version == desired_api_version) return object;
  const api::FoundKind from = api::FindKind(version, kind_name);
  const api::FoundKind to = api::FindKind(desired_api_version, kind_name);
  if (!from || !to || from.kind != to.kind)
    return base::Fail("an object of " + version + " " + kind_name + " has no form in " +
                      std::string(desired_api_version));
  base::Result<json::value> today = ToToday(object, *from.kind, from.is_previous);
  if (!today || !to.is_previous) return today;
  const size_t slash = desired_api_version.find('/');
  store::ConvertToPrevious(*to.kind, desired_api_version.substr(slash + 1), *today);
  today->as_object()["apiVersion"] = json::BoostView(desired_api_version);
  return today;
}

base::Result<std::string> AnswerConversion(std::string_view review) {
  const auto tree = json::Parse(review);
  if (!tree) return std::unexpected(tree.error());
  const json::value* request = json::Find(*tree, {"request"});
  if (request == nullptr || !request->is_object())
    return base::Fail("request body is not a ConversionReview with a request");
  schema::JsonWriter w;
  w.BeginObject().Member("apiVersion", "apiextensions.k8s.io/v1");
  w.Member("kind", "ConversionReview").Key("response").BeginObject();
  w.Member("uid", json::StringAt(*request, {"uid"}));
  WriteConversionResult(w, ConvertAll(*request));
  w.EndObject().EndObject();
  return w.text();
}

}  // namespace berth::webhook_server
