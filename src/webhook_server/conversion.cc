#include "webhook_server/conversion.h"

#include <utility>

#include "api/object.h"
#include "api/registry.h"
#include "schema/decode.h"
#include "schema/json_writer.h"
#include "store/former_version.h"

namespace berth::webhook_server {
namespace {

namespace json = store::json;

base::Result<json::value> ToToday(const json::value& object, const schema::Kind& kind,
                                  bool is_former) {
  api::Object read(kind);
  schema::Decoder decoder;
  const schema::Problems problems =
      decoder.Decode(store::PrintJson(object), kind, read.value(), {.is_former = is_former});
  if (!problems.empty()) return base::Fail(schema::ToString(problems.front()));
  auto tree = store::ParseJson(read.Encode());
  if (!tree) return std::unexpected(tree.error());
  return std::move(*tree);
}

void WriteConversionResult(schema::JsonWriter& w, const base::Result<json::array>& objects) {
  w.Key("convertedObjects").BeginArray();
  if (objects)
    for (const json::value& object : *objects) w.Raw(store::PrintJson(object));
  w.EndArray().Key("result").BeginObject();
  w.Member("status", objects ? "Success" : "Failure");
  if (!objects) w.Member("message", base::ToString(objects.error()));
  w.EndObject();
}

base::Result<json::array> ConvertAll(const json::value& request) {
  const std::string_view desired = store::JsonStringAt(request, {"desiredAPIVersion"});
  const json::value* objects = store::FindJson(request, {"objects"});
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
  const std::string version(store::JsonStringAt(object, {"apiVersion"}));
  const std::string kind_name(store::JsonStringAt(object, {"kind"}));
  if (version == desired_api_version) return object;
  const api::FoundKind from = api::FindKind(version, kind_name);
  const api::FoundKind to = api::FindKind(desired_api_version, kind_name);
  if (!from || !to || from.kind != to.kind)
    return base::Fail("an object of " + version + " " + kind_name + " has no form in " +
                      std::string(desired_api_version));
  base::Result<json::value> today = ToToday(object, *from.kind, from.is_former);
  if (!today || !to.is_former) return today;
  const size_t slash = desired_api_version.find('/');
  store::TurnIntoFormer(*to.kind, desired_api_version.substr(slash + 1), *today);
  today->as_object()["apiVersion"] = store::BoostView(desired_api_version);
  return today;
}

base::Result<std::string> AnswerConversion(std::string_view review) {
  const auto tree = store::ParseJson(review);
  if (!tree) return std::unexpected(tree.error());
  const json::value* request = store::FindJson(*tree, {"request"});
  if (request == nullptr || !request->is_object())
    return base::Fail("this is no ConversionReview with a request");
  schema::JsonWriter w;
  w.BeginObject().Member("apiVersion", "apiextensions.k8s.io/v1");
  w.Member("kind", "ConversionReview").Key("response").BeginObject();
  w.Member("uid", store::JsonStringAt(*request, {"uid"}));
  WriteConversionResult(w, ConvertAll(*request));
  w.EndObject().EndObject();
  return w.text();
}

}  // namespace berth::webhook_server
