#include "apiserver/openapi/openapi.h"

#include "apiserver/openapi/paths.h"
#include "apiserver/openapi/protobuf.h"
#include "apiserver/openapi/schema.h"
#include "base/sha1.h"
#include "schema/json/writer.h"

namespace berth::apiserver {
namespace {

using schema::JsonWriter;
using GroupVersion = Catalog::GroupVersion;

constexpr std::string_view kVersion3 = "v3/";

// "api/v1", "apis/batch/v1".
std::string NameOf(const GroupVersion& version) {
  return (version.group.empty() ? "api/" : "apis/") + version.Name();
}

void WriteApiInfo(JsonWriter& w, std::string_view server_version) {
  w.Key("info").BeginObject().Member("title", "Berth").Member("version", server_version);
  w.EndObject();
}

void WriteSchemas(JsonWriter& w, const GroupVersion& version) {
  for (const ServedKind* kind : version.kinds) w.Key(SchemaName(*kind)).Raw(SchemaDocument(*kind));
}

}  // namespace

OpenApi::OpenApi(std::shared_ptr<const Catalog> catalog, std::string_view server_version)
    : catalog_(std::move(catalog)), server_version_(server_version) {}

const GroupVersion* OpenApi::Find(std::string_view name) const {
  for (const GroupVersion& version : catalog_->versions()) {
    if (NameOf(version) == name) return &version;
  }
  return nullptr;
}

// The caller holds the mutex.
const Document& OpenApi::Keep(std::string name,
                              std::string (OpenApi::*make)(std::string_view) const) {
  auto at = documents_.find(name);
  if (at == documents_.end()) {
    std::string text = (this->*make)(name);
    std::string hash = base::Sha1Hex(text);
    at =
        documents_.emplace(std::move(name), Document{http::Share(std::move(text)), std::move(hash)})
            .first;
  }
  return at->second;
}

Document OpenApi::Index() {
  const std::lock_guard lock(mutex_);
  for (const GroupVersion& version : catalog_->versions())
    Keep(std::string(kVersion3) + NameOf(version), &OpenApi::MakeVersion3);
  return Keep("index", &OpenApi::MakeIndex);
}

Document OpenApi::Version3(std::string_view name) {
  if (Find(name) == nullptr) return {};
  const std::lock_guard lock(mutex_);
  return Keep(std::string(kVersion3) + std::string(name), &OpenApi::MakeVersion3);
}

Document OpenApi::Version2() {
  const std::lock_guard lock(mutex_);
  return Keep("v2", &OpenApi::MakeVersion2);
}

Document OpenApi::Version2Protobuf() {
  const std::lock_guard lock(mutex_);
  return Keep("v2.pb", &OpenApi::MakeVersion2Protobuf);
}

// All listed documents must have been created.
std::string OpenApi::MakeIndex(std::string_view) const {
  JsonWriter w;
  w.BeginObject().Key("paths").BeginObject();
  for (const GroupVersion& version : catalog_->versions()) {
    const std::string name = NameOf(version);
    const Document& document = documents_.find(std::string(kVersion3) + name)->second;
    w.Key(name).BeginObject();
    w.Member("serverRelativeURL", "/openapi/v3/" + name + "?hash=" + document.hash).EndObject();
  }
  w.EndObject().EndObject();
  return w.Take();
}

std::string OpenApi::MakeVersion3(std::string_view name) const {
  const GroupVersion& version = *Find(name.substr(kVersion3.size()));
  JsonWriter w;
  w.BeginObject().Member("openapi", "3.0.0");
  WriteApiInfo(w, server_version_);
  w.Key("paths").BeginObject();
  for (const ServedKind* kind : version.kinds) WritePaths(w, *kind, ApiForm::kVersion3);
  w.EndObject().Key("components").BeginObject().Key("schemas").BeginObject();
  WriteSchemas(w, version);
  w.EndObject().EndObject().EndObject();
  return w.Take();
}

std::string OpenApi::MakeVersion2Protobuf(std::string_view name) const {
  return OpenApiProtobuf(*json::Parse(MakeVersion2(name)));
}

std::string OpenApi::MakeVersion2(std::string_view) const {
  JsonWriter w;
  w.BeginObject().Member("swagger", "2.0");
  WriteApiInfo(w, server_version_);
  w.Key("paths").BeginObject();
  for (const ServedKind& kind : catalog_->kinds()) WritePaths(w, kind, ApiForm::kVersion2);
  w.EndObject().Key("definitions").BeginObject();
  for (const GroupVersion& version : catalog_->versions()) WriteSchemas(w, version);
  w.EndObject().EndObject();
  return w.Take();
}

}  // namespace berth::apiserver
