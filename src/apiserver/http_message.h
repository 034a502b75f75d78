#pragma once

// HTTP without the wire: what a handler of requests sees, and what it answers. Everything of one
// connection happens on one thread, that of its executor.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apiserver/certificates.h"
#include "store/executor.h"

namespace berth::apiserver {

// Of all header fields only those that somebody looks at.
struct HttpRequest {
  std::string method;  // "GET"
  std::string target;  // path and query as they were sent: "/api/v1/pods?limit=5"
  std::string accept;
  std::string content_type;
  std::string user_agent;
  std::string if_none_match;
  std::string authorization;
  // The fields X-Remote-…, names in lower case: for whom a proxy asks. Anybody can send them; they
  // mean something where the subject is such a proxy.
  std::vector<std::pair<std::string, std::string>> remote;
  std::string body;
  Subject subject;  // who asks; nobody (user "") only for the paths that are open to all
};

using SharedText = std::shared_ptr<const std::string>;

inline SharedText Share(std::string text) {
  return std::make_shared<const std::string>(std::move(text));
}

struct HttpResponse {
  int status = 200;
  std::string content_type = "application/json";
  std::vector<std::pair<std::string, std::string>> headers;  // further ones; may repeat
  SharedText body;                                           // null is empty
};

// A response without a known end, such as a watch. Texts that the client does not take in time are
// kept up to a limit; past it the stream ends, in good order and with whole pieces.
class HttpStream {
 public:
  virtual ~HttpStream() = default;

  // Sends prefix, text and suffix as one piece. Prefix and suffix must live for ever. Does nothing
  // once the stream is closed.
  virtual void Write(std::string_view prefix, SharedText text, std::string_view suffix) = 0;
  // Has on_room called soon, unless there is no room: there is more to write.
  virtual void Poke() = 0;
  // Sends what was written and ends the response. on_closed is not called.
  virtual void Close() = 0;
};

// What a stream tells whoever writes to it.
struct StreamCallbacks {
  // The client has taken everything so far. Called at the beginning, after that, and after a Poke.
  std::move_only_function<void()> on_room;
  // Once, as a task of its own: the client has gone, was cut off, or the server stops. Nothing that
  // is written afterwards arrives.
  std::move_only_function<void()> on_closed;
};

// One request under way. All calls on the executor's thread; one Respond or one BeginStream.
class HttpExchange {
 public:
  virtual ~HttpExchange() = default;

  virtual store::Executor& executor() = 0;
  virtual void Respond(HttpResponse response) = 0;
  // The body of `head` is not looked at. The callbacks are kept until the stream is closed. Null,
  // with the request answered, if there are as many streams as there may be.
  virtual std::shared_ptr<HttpStream> BeginStream(HttpResponse head, StreamCallbacks callbacks) = 0;
};

class HttpHandler {
 public:
  virtual ~HttpHandler() = default;

  // Called on the exchange's thread, by several such threads at once.
  virtual void Handle(HttpRequest request, std::shared_ptr<HttpExchange> exchange) = 0;
  // Whether a request without credentials may be answered.
  virtual bool IsOpenToAll(std::string_view target) const = 0;
};

// A Status object of kind Failure, as the API server words it.
HttpResponse StatusResponse(int code, std::string_view reason, std::string_view message);

// "abc" of "Bearer abc"; "" if it is anything else.
std::string_view BearerToken(std::string_view authorization);

// The phrase of the status line: "Not Found".
std::string_view ReasonPhrase(int status);

}  // namespace berth::apiserver
