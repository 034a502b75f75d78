#include "http/message.h"

#include "schema/json/writer.h"

namespace berth::http {

Response StatusResponse(int code, std::string_view reason, std::string_view message) {
  schema::JsonWriter w;
  w.BeginObject().Member("kind", "Status").Member("apiVersion", "v1");
  w.Key("metadata").BeginObject().EndObject();
  w.Member("status", "Failure").Member("message", message).Member("reason", reason);
  w.Member("code", code).EndObject();
  return {.status = code, .body = Share(w.Take())};
}

std::string_view BearerToken(std::string_view authorization) {
  constexpr std::string_view kScheme = "Bearer ";
  return authorization.starts_with(kScheme) ? authorization.substr(kScheme.size())
                                            : std::string_view();
}

std::string_view ReasonPhrase(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 201:
      return "Created";
    case 202:
      return "Accepted";
    case 304:
      return "Not Modified";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 406:
      return "Not Acceptable";
    case 408:
      return "Request Timeout";
    case 409:
      return "Conflict";
    case 410:
      return "Gone";
    case 413:
      return "Payload Too Large";
    case 415:
      return "Unsupported Media Type";
    case 422:
      return "Unprocessable Entity";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 503:
      return "Service Unavailable";
    case 504:
      return "Gateway Timeout";
    default:
      return "Unknown";
  }
}

}  // namespace berth::http
