#include "apiserver/kubeconfig.h"

#include <algorithm>
#include <optional>

#include "base/base64.h"
#include "http/private_file.h"
#include "json/json.h"
#include "schema/json/writer.h"
#include "schema/yaml/to_json.h"
#include "schema/yaml/writer.h"

namespace berth::apiserver {
namespace {

void WriteCluster(schema::JsonWriter& w, std::string_view url, std::string_view authority,
                  std::string_view name) {
  w.Key("clusters").BeginArray().BeginObject().Member("name", name);
  w.Key("cluster").BeginObject().Member("server", url);
  w.Member("certificate-authority-data", base::EncodeBase64(authority)).EndObject();
  w.EndObject().EndArray();
}

void WriteUser(schema::JsonWriter& w, const http::KeyPair& admin, std::string_view name) {
  w.Key("users").BeginArray().BeginObject().Member("name", name);
  w.Key("user").BeginObject();
  w.Member("client-certificate-data", base::EncodeBase64(admin.certificate));
  w.Member("client-key-data", base::EncodeBase64(admin.key)).EndObject();
  w.EndObject().EndArray();
}

void WriteContext(schema::JsonWriter& w, std::string_view name) {
  w.Key("contexts").BeginArray().BeginObject().Member("name", name);
  w.Key("context").BeginObject();
  w.Member("cluster", name).Member("user", name).Member("namespace", "default").EndObject();
  w.EndObject().EndArray();
}

}  // namespace

std::string KubeconfigText(std::string_view url, const http::TlsCredentials& credentials,
                           std::string_view name) {
  schema::JsonWriter w;
  w.BeginObject().Member("apiVersion", "v1").Member("kind", "Config");
  WriteCluster(w, url, credentials.authority, name);
  WriteUser(w, credentials.admin, name);
  WriteContext(w, name);
  w.Member("current-context", name).EndObject();
  return schema::JsonToYaml(w.text()).value_or(w.text());  // JSON is valid, too
}

namespace {

// Replaces the entries that have the names of the additions, and adds the others.
void MergeNamed(json::value& list, const json::value& additions) {
  if (!list.is_array()) list.emplace_array();
  json::array& entries = list.get_array();
  for (const json::value& addition : additions.get_array()) {
    const auto same = std::ranges::find_if(entries, [&](const json::value& entry) {
      return json::StringAt(entry, {"name"}) == json::StringAt(addition, {"name"});
    });
    if (same == entries.end())
      entries.push_back(addition);
    else
      *same = addition;
  }
}

// Nullopt if the text is not a kubeconfig.
std::optional<json::object> ParseKubeconfig(std::string_view text) {
  const auto documents = schema::YamlToJson(text);
  if (!documents || documents->size() > 1) return std::nullopt;
  if (documents->empty()) return json::object();
  const auto tree = json::Parse(documents->front().json);
  if (!tree || (!tree->is_object() && !tree->is_null())) return std::nullopt;
  if (tree->is_null()) return json::object();
  for (const std::string_view part : {"clusters", "users", "contexts"})
    if (const json::value* list = json::Find(*tree, {part});
        list != nullptr && !list->is_array() && !list->is_null())
      return std::nullopt;
  const std::string_view kind = json::StringAt(*tree, {"kind"});
  if (kind != "Config" && json::Find(*tree, {"clusters"}) == nullptr) return std::nullopt;
  return tree->get_object();
}

}  // namespace

base::Result<void> MergeKubeconfig(const std::filesystem::path& path, std::string_view url,
                                   const http::TlsCredentials& credentials) {
  std::error_code ignored;
  // A link to the file stays one.
  const auto target = std::filesystem::weakly_canonical(path, ignored);
  const std::optional<std::string> text = http::ReadWholeFile(target);
  if (!text && std::filesystem::exists(path, ignored))
    return base::Fail("cannot read " + path.string(), "make it readable for this user");
  if (!text) return WriteKubeconfig(target.empty() ? path : target, url, credentials);
  auto config = ParseKubeconfig(*text);
  if (!config)
    return base::Fail(path.string() + " is not a kubeconfig",
                      "set --kubeconfig to a new file, or to a kubeconfig");
  const json::value ours =
      *json::Parse(schema::YamlToJson(KubeconfigText(url, credentials))->front().json);
  for (const auto& member : ours.get_object()) {
    json::value& there = (*config)[member.key()];
    if (member.value().is_array())
      MergeNamed(there, member.value());
    else
      there = member.value();
  }
  const std::string merged = json::Print(*config);
  return http::WritePrivateFile(target, schema::JsonToYaml(merged).value_or(merged));
}

base::Result<void> WriteKubeconfig(const std::filesystem::path& path, std::string_view url,
                                   const http::TlsCredentials& credentials) {
  return http::WritePrivateFile(path, KubeconfigText(url, credentials));
}

}  // namespace berth::apiserver
