#include "store/failure.h"

#include <utility>

namespace berth::store {
namespace {

// The details of most failures name the resource as URLs do.
Failure About(const Resource& resource, std::string_view name, Failure failure) {
  api::StatusDetails& details = failure.status.details.emplace();
  details.name = name;
  details.group = resource.group;
  details.kind = resource.plural;
  return failure;
}

std::string Quoted(std::string_view name) {
  std::string text = "\"";
  text += name;
  text += '"';
  return text;
}

std::string Named(const Resource& resource, std::string_view name) {
  const std::string what = resource.GroupResource();
  return name.empty() ? what : what + " " + Quoted(name);
}

std::string_view Words(schema::ProblemType type) {
  using enum schema::ProblemType;
  switch (type) {
    case kRequired:
      return "Required value";
    case kDuplicate:
      return "Duplicate value";
    case kNotSupported:
      return "Unsupported value";
    case kForbidden:
      return "Forbidden";
    case kTooLong:
      return "Too long";
    case kTooMany:
      return "Too many";
    case kNotFound:
      return "Not found";
    case kInvalid:
    case kTypeInvalid:
    case kUnknownField:
    case kSyntax:
      break;
  }
  return "Invalid value";
}

std::string CauseMessage(const schema::Problem& problem) {
  std::string text(Words(problem.type));
  text += ": " + problem.message;
  if (!problem.hint.empty()) text += " (" + problem.hint + ")";
  return text;
}

std::string Summary(const schema::Problems& problems) {
  std::string text;
  for (const schema::Problem& problem : problems) {
    if (!text.empty()) text += ", ";
    text += (problem.field.empty() ? "<nil>" : problem.field) + ": " + CauseMessage(problem);
  }
  return problems.size() == 1 ? text : "[" + text + "]";
}

}  // namespace

Failure MakeFailure(int code, std::string_view reason, std::string message) {
  Failure failure;
  failure.status.status = api::kStatusFailure;
  failure.status.code = code;
  failure.status.reason = reason;
  failure.status.message = std::move(message);
  return failure;
}

bool Failure::IsTransient() const {
  return code() == 0 || code() == 429 || code() >= 500 || Has(reason::kTimeout);
}

bool Failure::IsFinal() const {
  return IsInvalid() || (message().starts_with("admission webhook ") &&
                         message().find(" denied the request") != std::string::npos);
}

int32_t Failure::retry_after_seconds() const {
  return status.details ? status.details->retry_after_seconds : 0;
}

std::string ToString(const Failure& failure) {
  if (failure.code() == 0) return "no answer: " + failure.message();
  return std::to_string(failure.code()) + " " + failure.status.reason + ": " + failure.message();
}

Failure NotFound(const Resource& resource, std::string_view name) {
  return About(resource, name,
               MakeFailure(404, reason::kNotFound, Named(resource, name) + " not found"));
}

Failure AlreadyExists(const Resource& resource, std::string_view name) {
  return About(resource, name,
               MakeFailure(409, reason::kAlreadyExists, Named(resource, name) + " already exists"));
}

Failure Conflict(const Resource& resource, std::string_view name, std::string_view why) {
  return About(resource, name,
               MakeFailure(409, reason::kConflict,
                           "Operation cannot be fulfilled on " + Named(resource, name) + ": " +
                               std::string(why)));
}

Failure Invalid(const Resource& resource, std::string_view name, const schema::Problems& problems) {
  std::string what = resource.kind;
  if (!resource.group.empty()) what += "." + resource.group;
  Failure failure =
      About(resource, name,
            MakeFailure(422, reason::kInvalid,
                        what + " " + Quoted(name) + " is invalid: " + Summary(problems)));
  failure.status.details->kind = resource.kind;
  for (const schema::Problem& problem : problems)
    failure.status.details->causes.push_back({.reason = std::string(schema::CauseOf(problem.type)),
                                              .message = CauseMessage(problem),
                                              .field = problem.field});
  return failure;
}

Failure Forbidden(const Resource& resource, std::string_view name, std::string_view why) {
  return About(resource, name,
               MakeFailure(403, reason::kForbidden,
                           Named(resource, name) + " is forbidden: " + std::string(why)));
}

Failure BadRequest(std::string message) {
  return MakeFailure(400, reason::kBadRequest, std::move(message));
}

Failure Expired(std::string message) {
  return MakeFailure(410, reason::kExpired, std::move(message));
}

Failure MethodNotAllowed(const Resource& resource, std::string_view action) {
  return About(resource, "",
               MakeFailure(405, reason::kMethodNotAllowed,
                           std::string(action) + " is not supported on resources of kind " +
                               Quoted(resource.GroupResource())));
}

Failure TooManyRequests(std::string message, int32_t retry_after_seconds) {
  Failure failure = MakeFailure(429, reason::kTooManyRequests, std::move(message));
  failure.status.details.emplace().retry_after_seconds = retry_after_seconds;
  return failure;
}

Failure TooLarge(std::string message) {
  return MakeFailure(413, reason::kRequestEntityTooLarge,
                     "Request entity is too large: " + std::move(message));
}

Failure Unavailable(std::string message) {
  return MakeFailure(503, reason::kServiceUnavailable, std::move(message));
}

Failure InternalError(std::string message) {
  return MakeFailure(500, reason::kInternalError, "Internal error occurred: " + std::move(message));
}

Failure Unreachable(std::string message) { return MakeFailure(0, "", std::move(message)); }

}  // namespace berth::store
