#pragma once

#include <cstdint>
#include <string_view>

#include "api/meta/object.h"
#include "json/json.h"
#include "store/resource.h"

namespace berth::store {

enum class Operation : uint8_t { kCreate, kUpdate, kDelete };

// A write under admission review, in process or from an AdmissionReview. The request owns nothing;
// what it refers to must outlive the review.
struct AdmissionRequest {
  Operation operation = Operation::kCreate;
  const Resource& resource;  // in the version of the object under review
  std::string_view subresource;
  std::string_view namespace_;
  std::string_view name;
  std::string_view user;
  const json::value* old_object = nullptr;  // as stored; null on create
  // The objects as their description decodes them, where the caller has done so; may be null.
  const api::Object* decoded = nullptr;
  const api::Object* old_decoded = nullptr;
};

}  // namespace berth::store
