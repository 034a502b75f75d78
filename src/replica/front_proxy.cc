#include "replica/front_proxy.h"

#include <algorithm>

#include "http/url.h"

namespace berth::replica {
namespace {

constexpr std::string_view kUserField = "x-remote-user";
constexpr std::string_view kUidField = "x-remote-uid";
constexpr std::string_view kGroupField = "x-remote-group";
constexpr std::string_view kExtraFields = "x-remote-extra-";

// The list at `key`, created empty if absent.
json::array& ListIn(json::object& object, std::string_view key) {
  json::value& list = object[json::BoostView(key)];
  if (!list.is_array()) list = json::array();
  return list.as_array();
}

json::object& ObjectIn(json::object& object, std::string_view key) {
  json::value& part = object[json::BoostView(key)];
  if (!part.is_object()) part = json::object();
  return part.as_object();
}

}  // namespace

std::optional<FrontProxy> FrontProxy::FromConfigMap(std::string_view json) {
  const auto map = json::Parse(json);
  if (!map) return std::nullopt;
  FrontProxy proxy{
      .authority = std::string(json::StringAt(*map, {"data", "requestheader-client-ca-file"})),
      .names = {}};
  if (proxy.authority.empty()) return std::nullopt;
  const auto names = json::Parse(json::StringAt(*map, {"data", "requestheader-allowed-names"}));
  if (names && names->is_array())
    for (const json::value& name : names->as_array())
      if (name.is_string()) proxy.names.emplace_back(name.as_string());
  return proxy;
}

json::object FrontProxy::ForwardedUser(const http::Request& request) const {
  const std::string& name_of_proxy = request.subject.user;
  const bool is_allowed = names.empty() || std::ranges::find(names, name_of_proxy) != names.end();
  if (name_of_proxy.empty() || !is_allowed) return {};
  json::object user;
  for (const auto& [name, value] : request.remote) {
    if (name == kUserField) user["user"] = value;
    if (name == kUidField) user["uid"] = value;
    if (name == kGroupField) ListIn(user, "groups").emplace_back(value);
    if (name.starts_with(kExtraFields)) {
      const std::string key = http::Unescaped(name.substr(kExtraFields.size()));
      ListIn(ObjectIn(user, "extra"), key).emplace_back(value);
    }
  }
  return user.contains("user") ? user : json::object();
}

}  // namespace berth::replica
