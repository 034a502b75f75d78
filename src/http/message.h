#pragma once

// HTTP without the wire: the requests a handler sees and the responses it sends. Everything of one
// connection happens on the thread of its executor.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "http/certificates.h"
#include "store/executor.h"

namespace berth::http {

// Only the header fields that handlers use.
struct Request {
  std::string method;  // "GET"
  std::string target;  // path and query, undecoded: "/api/v1/pods?limit=5"
  std::string accept;
  std::string content_type;
  std::string user_agent;
  std::string if_none_match;
  std::string authorization;
  std::string host;
  // The X-Remote-… fields, names in lower case: the user on whose behalf a proxy sends the request.
  // Any client can send them; trust them only if the subject is such a proxy.
  std::vector<std::pair<std::string, std::string>> remote;
  bool is_impersonated = false;  // has an Impersonate-… field
  std::string body;
  std::string client;  // IP address of the peer
  Subject subject;     // the authenticated user; user "" only on paths open to all
};

using SharedText = std::shared_ptr<const std::string>;

inline SharedText Share(std::string text) {
  return std::make_shared<const std::string>(std::move(text));
}

struct Response {
  int status = 200;
  std::string content_type = "application/json";
  std::vector<std::pair<std::string, std::string>> headers;  // additional fields; names may repeat
  SharedText body;                                           // null means empty
};

// A response of unknown length, such as a watch. Text the client has not read yet is buffered up to
// a limit; beyond it the stream ends cleanly after a whole piece.
class Stream {
 public:
  virtual ~Stream() = default;

  // Sends prefix, text and suffix as one piece. Prefix and suffix must have static lifetime. A
  // no-op once the stream is closed.
  virtual void Write(std::string_view prefix, SharedText text, std::string_view suffix) = 0;
  // There is more to write: schedules a call of on_writable unless the buffer is full.
  virtual void ScheduleWrite() = 0;
  // Flushes and ends the response. on_closed is not called.
  virtual void Close() = 0;
};

// Notifications of a stream to its writer.
struct StreamCallbacks {
  // The buffer is empty. Called at the start, whenever the client has read everything, and after a
  // ScheduleWrite.
  std::move_only_function<void()> on_writable;
  // Called once, as a separate task: the client disconnected or was cut off, or the server stops.
  // Later writes are dropped.
  std::move_only_function<void()> on_closed;
};

// One request in progress. All calls are on the executor's thread; exactly one Respond or one
// BeginStream.
class Exchange {
 public:
  virtual ~Exchange() = default;

  virtual store::Executor& executor() = 0;
  virtual void Respond(Response response) = 0;
  // Ignores the body of `head`. Keeps the callbacks until the stream is closed. Returns null, with
  // the request answered, if the limit of streams is reached.
  virtual std::shared_ptr<Stream> BeginStream(Response head, StreamCallbacks callbacks) = 0;
};

class Handler {
 public:
  virtual ~Handler() = default;

  // Called on the exchange's thread; several of these threads call concurrently.
  virtual void Handle(Request request, std::shared_ptr<Exchange> exchange) = 0;
  // True if requests without credentials are allowed.
  virtual bool IsOpenToAll(std::string_view target) const = 0;
};

// A Status object of kind Failure, worded as the API server does.
Response StatusResponse(int code, std::string_view reason, std::string_view message);

// "abc" of "Bearer abc"; "" for any other header value.
std::string_view BearerToken(std::string_view authorization);

// The reason phrase of the status line: "Not Found".
std::string_view ReasonPhrase(int status);

}  // namespace berth::http
