#include "apiserver/kubeconfig.h"

#include "apiserver/base64.h"
#include "apiserver/private_file.h"
#include "schema/json_writer.h"
#include "schema/yaml_writer.h"

namespace berth::apiserver {
namespace {

void WriteCluster(schema::JsonWriter& w, std::string_view url, std::string_view authority,
                  std::string_view name) {
  w.Key("clusters").BeginArray().BeginObject().Member("name", name);
  w.Key("cluster").BeginObject().Member("server", url);
  w.Member("certificate-authority-data", EncodeBase64(authority)).EndObject();
  w.EndObject().EndArray();
}

void WriteUser(schema::JsonWriter& w, const KeyPair& admin, std::string_view name) {
  w.Key("users").BeginArray().BeginObject().Member("name", name);
  w.Key("user").BeginObject();
  w.Member("client-certificate-data", EncodeBase64(admin.certificate));
  w.Member("client-key-data", EncodeBase64(admin.key)).EndObject();
  w.EndObject().EndArray();
}

void WriteContext(schema::JsonWriter& w, std::string_view name) {
  w.Key("contexts").BeginArray().BeginObject().Member("name", name);
  w.Key("context").BeginObject();
  w.Member("cluster", name).Member("user", name).Member("namespace", "default").EndObject();
  w.EndObject().EndArray();
}

}  // namespace

std::string KubeconfigText(std::string_view url, const TlsCredentials& credentials,
                           std::string_view name) {
  schema::JsonWriter w;
  w.BeginObject().Member("apiVersion", "v1").Member("kind", "Config");
  WriteCluster(w, url, credentials.authority, name);
  WriteUser(w, credentials.admin, name);
  WriteContext(w, name);
  w.Member("current-context", name).EndObject();
  return schema::JsonToYaml(w.text()).value_or(w.text());  // JSON is a kubeconfig as well
}

base::Result<void> WriteKubeconfig(const std::filesystem::path& path, std::string_view url,
                                   const TlsCredentials& credentials) {
  return WritePrivateFile(path, KubeconfigText(url, credentials));
}

}  // namespace berth::apiserver
