#include "apiserver/kubeconfig.h"

#include "base/base64.h"
#include "http/private_file.h"
#include "schema/json/writer.h"
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

base::Result<void> WriteKubeconfig(const std::filesystem::path& path, std::string_view url,
                                   const http::TlsCredentials& credentials) {
  return http::WritePrivateFile(path, KubeconfigText(url, credentials));
}

}  // namespace berth::apiserver
