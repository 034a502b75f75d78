#include "replica/front_proxy.h"

#include <algorithm>

#include "apiserver/rest_target.h"

namespace berth::replica {
namespace {

namespace json = store::json;

constexpr std::string_view kUserField = "x-remote-user";
constexpr std::string_view kUidField = "x-remote-uid";
constexpr std::string_view kGroupField = "x-remote-group";
constexpr std::string_view kExtraFields = "x-remote-extra-";

// What is `key` of `object`; made as an empty list if there is none.
json::array& ListIn(json::object& object, std::string_view key) {
  json::value& list = object[store::BoostView(key)];
  if (!list.is_array()) list = json::array();
  return list.as_array();
}

json::object& ObjectIn(json::object& object, std::string_view key) {
  json::value& part = object[store::BoostView(key)];
  if (!part.is_object()) part = json::object();
  return part.as_object();
}

}  // namespace

std::optional<FrontProxy> FrontProxy::FromConfigMap(std::string_view json) {
  const auto map = store::ParseJson(json);
  if (!map) return std::nullopt;
  FrontProxy proxy{
      .authority = std::string(store::JsonStringAt(*map, {"data", "requestheader-client-ca-file"})),
      .names = {}};
  if (proxy.authority.empty()) return std::nullopt;
  const auto names =
      store::ParseJson(store::JsonStringAt(*map, {"data", "requestheader-allowed-names"}));
  if (names && names->is_array())
    for (const json::value& name : names->as_array())
      if (name.is_string()) proxy.names.emplace_back(name.as_string());
  return proxy;
}

json::object FrontProxy::UserBehind(const apiserver::HttpRequest& request) const {
  const std::string& who = request.subject.user;
  if (who.empty() || (!names.empty() && std::ranges::find(names, who) == names.end())) return {};
  json::object subject;
  for (const auto& [name, value] : request.remote) {
    if (name == kUserField) subject["user"] = value;
    if (name == kUidField) subject["uid"] = value;
    if (name == kGroupField) ListIn(subject, "groups").emplace_back(value);
    if (name.starts_with(kExtraFields)) {
      const std::string key = apiserver::Unescaped(name.substr(kExtraFields.size()));
      ListIn(ObjectIn(subject, "extra"), key).emplace_back(value);
    }
  }
  return subject.contains("user") ? subject : json::object();
}

}  // namespace berth::replica
