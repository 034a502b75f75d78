#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/meta/status.h"
#include "base/flat_map.h"
#include "schema/describe.h"

namespace berth::api {

inline constexpr std::string_view kOperationCreate = "CREATE";
inline constexpr std::string_view kOperationUpdate = "UPDATE";
inline constexpr std::string_view kOperationDelete = "DELETE";
inline constexpr std::string_view kOperationConnect = "CONNECT";

inline constexpr std::string_view kPatchTypeJsonPatch = "JSONPatch";

struct GroupVersionKind {
  std::string group;
  std::string version;
  std::string kind;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const GroupVersionKind&, const GroupVersionKind&) = default;
};

struct GroupVersionResource {
  std::string group;
  std::string version;
  std::string resource;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const GroupVersionResource&, const GroupVersionResource&) = default;
};

struct UserInfo {
  std::string username;
  std::string uid;
  std::vector<std::string> groups;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const UserInfo&, const UserInfo&) = default;
};

struct AdmissionRequest {
  std::string uid;
  GroupVersionKind kind;
  GroupVersionResource resource;
  std::string sub_resource;
  std::optional<GroupVersionKind> request_kind;
  std::optional<GroupVersionResource> request_resource;
  std::string request_sub_resource;
  std::string name;
  std::string namespace_;
  std::string operation;
  UserInfo user_info;
  schema::Json object;
  schema::Json old_object;
  std::optional<bool> dry_run;
  schema::Json options;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const AdmissionRequest&, const AdmissionRequest&) = default;
};

struct AdmissionResponse {
  std::string uid;
  bool allowed = false;
  std::optional<Status> status;
  std::string patch;
  std::optional<std::string> patch_type;
  base::FlatMap<std::string> audit_annotations;
  std::vector<std::string> warnings;
  schema::Extra extra;

  static const schema::Struct& Description();
  friend bool operator==(const AdmissionResponse&, const AdmissionResponse&) = default;
};

// The request of an API server to a webhook, and the webhook's response.
struct AdmissionReview {
  std::optional<AdmissionRequest> request;
  std::optional<AdmissionResponse> response;
  schema::Extra extra;

  static const schema::Kind& KindInfo();
  static const schema::Struct& Description();
  friend bool operator==(const AdmissionReview&, const AdmissionReview&) = default;
};

}  // namespace berth::api
