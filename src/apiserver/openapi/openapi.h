#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "apiserver/rest/catalog.h"
#include "http/message.h"

namespace berth::apiserver {

// A document and its hash.
struct Document {
  http::SharedText text;  // null if there is no such document
  std::string hash;
};

// OpenAPI documents for `kubectl explain`, `apply` and `edit`: schemas and operations of the kinds
// in a catalog. Created on first use and cached. Thread-safe.
class OpenApi {
 public:
  OpenApi(std::shared_ptr<const Catalog> catalog, std::string_view server_version);

  const Catalog& catalog() const { return *catalog_; }

  // /openapi/v3: the list of documents.
  Document Index();
  // /openapi/v3/NAME, with names such as "api/v1" and "apis/batch/v1".
  Document Version3(std::string_view name);
  // /openapi/v2: everything in one document.
  Document Version2();
  // The same as protobuf.
  Document Version2Protobuf();

 private:
  const Document& Keep(std::string name, std::string (OpenApi::*make)(std::string_view) const);
  std::string MakeIndex(std::string_view) const;
  std::string MakeVersion2(std::string_view) const;
  std::string MakeVersion2Protobuf(std::string_view) const;
  std::string MakeVersion3(std::string_view name) const;
  const Catalog::GroupVersion* Find(std::string_view name) const;

  std::shared_ptr<const Catalog> catalog_;
  std::string server_version_;
  std::mutex mutex_;
  std::map<std::string, Document, std::less<>> documents_;
};

}  // namespace berth::apiserver
