#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "apiserver/http_message.h"
#include "apiserver/rest_catalog.h"

namespace berth::apiserver {

// A document and the fingerprint of its text.
struct Document {
  SharedText text;  // null if there is no such document
  std::string hash;
};

// What `kubectl explain`, `apply` and `edit` want to know of the kinds in a catalog: their schemas,
// and what may be done with them. Documents are made when they are first asked for, and kept. Any
// thread may ask.
class OpenApi {
 public:
  OpenApi(std::shared_ptr<const Catalog> catalog, std::string_view server_version);

  const Catalog& catalog() const { return *catalog_; }

  // /openapi/v3: which documents there are.
  Document Index();
  // /openapi/v3/NAME, with names such as "api/v1" and "apis/batch/v1".
  Document Version3(std::string_view name);
  // /openapi/v2: all in one.
  Document Version2();

 private:
  const Document& Keep(std::string name, std::string (OpenApi::*make)(std::string_view) const);
  std::string MakeIndex(std::string_view) const;
  std::string MakeVersion2(std::string_view) const;
  std::string MakeVersion3(std::string_view name) const;
  const Catalog::GroupVersion* Find(std::string_view name) const;

  std::shared_ptr<const Catalog> catalog_;
  std::string server_version_;
  std::mutex mutex_;
  std::map<std::string, Document, std::less<>> documents_;
};

}  // namespace berth::apiserver
