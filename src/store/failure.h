#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "api/meta/status.h"
#include "schema/problem.h"
#include "store/resource.h"

namespace berth::store {

// Values of api::Status::reason, as Kubernetes spells them.
namespace reason {
inline constexpr std::string_view kAlreadyExists = "AlreadyExists";
inline constexpr std::string_view kBadRequest = "BadRequest";
inline constexpr std::string_view kConflict = "Conflict";
inline constexpr std::string_view kExpired = "Expired";
inline constexpr std::string_view kForbidden = "Forbidden";
inline constexpr std::string_view kGone = "Gone";
inline constexpr std::string_view kInternalError = "InternalError";
inline constexpr std::string_view kInvalid = "Invalid";
inline constexpr std::string_view kMethodNotAllowed = "MethodNotAllowed";
inline constexpr std::string_view kNotAcceptable = "NotAcceptable";
inline constexpr std::string_view kNotFound = "NotFound";
inline constexpr std::string_view kRequestEntityTooLarge = "RequestEntityTooLarge";
inline constexpr std::string_view kServiceUnavailable = "ServiceUnavailable";
inline constexpr std::string_view kTimeout = "Timeout";
inline constexpr std::string_view kTooManyRequests = "TooManyRequests";
inline constexpr std::string_view kUnauthorized = "Unauthorized";
inline constexpr std::string_view kUnsupportedMediaType = "UnsupportedMediaType";
}  // namespace reason

// A failed request: the Status that the API server returned. Code 0 means no response, because the
// server was unreachable or the connection broke; then a write may or may not have happened.
struct Failure {
  api::Status status;

  int code() const { return status.code; }
  const std::string& message() const { return status.message; }
  bool Has(std::string_view reason) const { return status.reason == reason; }

  bool IsNotFound() const { return Has(reason::kNotFound); }
  bool IsAlreadyExists() const { return Has(reason::kAlreadyExists); }
  // Optimistic concurrency failed: read the object again and retry the decision.
  bool IsConflict() const { return Has(reason::kConflict); }
  bool IsInvalid() const { return Has(reason::kInvalid); }
  // The resource version or the continue token is too old: relist.
  bool IsExpired() const { return Has(reason::kExpired) || Has(reason::kGone); }
  // The same request may succeed later: no response, too many requests, or a server error.
  bool IsTransient() const;
  // The same request fails again: the object is invalid, or an admission webhook denied it.
  bool IsFinal() const;
  // The server's Retry-After; 0 if it sent none.
  int32_t retry_after_seconds() const;

  friend bool operator==(const Failure&, const Failure&) = default;
};

// "409 Conflict: message".
std::string ToString(const Failure& failure);

template <class T>
using Outcome = std::expected<T, Failure>;

// A Status of kind Failure.
Failure MakeFailure(int code, std::string_view reason, std::string message);

// The failures of an API server. Messages match those of Kubernetes, because client libraries and
// scripts parse them. `name` is the name of the object.
Failure NotFound(const Resource& resource, std::string_view name);
Failure AlreadyExists(const Resource& resource, std::string_view name);
// "Operation cannot be fulfilled on jobs.batch \"a\": <why>".
Failure Conflict(const Resource& resource, std::string_view name, std::string_view why);
// The message of a 409 for an update with a stale resource version.
inline constexpr std::string_view kObjectWasModified =
    "the object has been modified; please apply your changes to the latest version and try again";
// One cause per problem; the message summarizes them.
Failure Invalid(const Resource& resource, std::string_view name, const schema::Problems& problems);
Failure Forbidden(const Resource& resource, std::string_view name, std::string_view why);
Failure BadRequest(std::string message);
Failure Expired(std::string message);
Failure MethodNotAllowed(const Resource& resource, std::string_view action);
Failure TooManyRequests(std::string message, int32_t retry_after_seconds);
Failure TooLarge(std::string message);
Failure Unavailable(std::string message);
Failure InternalError(std::string message);
// Code 0: no response.
Failure Unreachable(std::string message);

}  // namespace berth::store
