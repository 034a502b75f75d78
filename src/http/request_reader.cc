#include "http/request_reader.h"

#include <boost/asio/buffer.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"

namespace berth::http {
namespace {

namespace http = boost::beast::http;

std::string_view BeastView(boost::beast::string_view text) { return {text.data(), text.size()}; }

}  // namespace

struct RequestReader::Parser {
  http::request_parser<http::string_body> parser;
  boost::system::error_code error;
  // A complete header that is not accepted.
  struct Fault {
    int status;
    std::string message;
  };
  std::optional<Fault> fault;

  std::string_view Field(http::field name) const { return BeastView(parser.get()[name]); }

  // What intermediaries and this server could understand differently.
  std::optional<Fault> FindFault() const {
    const size_t hosts = parser.get().count(http::field::host);
    if (hosts > 1 || (hosts == 0 && parser.get().version() >= 11))
      return Fault{400, "the request has " + std::to_string(hosts) + " Host fields; send one"};
    const auto [begin, end] = parser.get().equal_range(http::field::transfer_encoding);
    const bool is_chunked =
        begin != end && std::next(begin) == end && boost::beast::iequals(begin->value(), "chunked");
    if (begin == end || is_chunked) return std::nullopt;
    return Fault{501, "only the Transfer-Encoding chunked is supported"};
  }

  bool IsImpersonated() const {
    for (const auto& field : parser.get())
      if (base::LowerCase(BeastView(field.name_string())).starts_with("impersonate-")) return true;
    return false;
  }

  std::vector<std::pair<std::string, std::string>> RemoteFields() const {
    std::vector<std::pair<std::string, std::string>> fields;
    for (const auto& field : parser.get())
      if (std::string name = base::LowerCase(BeastView(field.name_string()));
          name.starts_with("x-remote-"))
        fields.emplace_back(std::move(name), BeastView(field.value()));
    return fields;
  }
};

RequestReader::RequestReader(const Limits& limits)
    : limits_(limits), parser_(std::make_unique<Parser>()) {
  parser_->parser.header_limit(static_cast<uint32_t>(limits.header_bytes));
  parser_->parser.body_limit(limits.body_bytes);
  parser_->parser.eager(true);
}
RequestReader::~RequestReader() = default;
RequestReader::RequestReader(RequestReader&&) noexcept = default;
RequestReader& RequestReader::operator=(RequestReader&&) noexcept = default;

size_t RequestReader::Put(std::string_view bytes) {
  if (bytes.empty() || state_ == State::kDone || state_ == State::kRefused) return 0;
  auto& parser = parser_->parser;
  const size_t used =
      parser.put(boost::asio::const_buffer(bytes.data(), bytes.size()), parser_->error);
  const bool is_broken = parser_->error && parser_->error != http::error::need_more;
  if (!is_broken && state_ == State::kHeader && parser.is_header_done())
    parser_->fault = parser_->FindFault();
  const bool is_refused = is_broken || parser_->fault;
  state_ = is_refused                ? State::kRefused
           : parser.is_done()        ? State::kDone
           : parser.is_header_done() ? State::kBody
                                     : State::kHeader;
  return used;
}

std::string_view RequestReader::target() const { return BeastView(parser_->parser.get().target()); }
std::string_view RequestReader::authorization() const {
  return parser_->Field(http::field::authorization);
}
bool RequestReader::is_head() const { return parser_->parser.get().method() == http::verb::head; }
bool RequestReader::keeps_alive() const { return parser_->parser.get().keep_alive(); }
bool RequestReader::awaits_continue() const {
  return state_ == State::kBody && parser_->Field(http::field::expect) == "100-continue";
}

Request RequestReader::Take() {
  auto& message = parser_->parser.get();
  const auto field = [&](http::field name) { return std::string(parser_->Field(name)); };
  Request request{.method = std::string(BeastView(message.method_string())),
                  .target = std::string(BeastView(message.target())),
                  .accept = field(http::field::accept),
                  .content_type = field(http::field::content_type),
                  .user_agent = field(http::field::user_agent),
                  .if_none_match = field(http::field::if_none_match),
                  .authorization = field(http::field::authorization),
                  .host = field(http::field::host),
                  .remote = parser_->RemoteFields(),
                  .is_impersonated = parser_->IsImpersonated(),
                  .body = std::move(message.body()),
                  .client = {},
                  .subject = {}};
  // Repeated Accept lines are equivalent to one comma-separated list.
  const auto [begin, end] = message.equal_range(http::field::accept);
  for (auto more = begin == end ? end : std::next(begin); more != end; ++more)
    request.accept += "," + std::string(BeastView(more->value()));
  return request;
}

Response RequestReader::Refusal() const {
  if (const auto& fault = parser_->fault)
    return StatusResponse(fault->status, fault->status == 501 ? "NotImplemented" : "BadRequest",
                          fault->message);
  if (parser_->error == http::error::body_limit)
    return StatusResponse(
        413, "RequestEntityTooLarge",
        "Request entity too large: limit is " + std::to_string(limits_.body_bytes));
  if (parser_->error == http::error::header_limit)
    return StatusResponse(431, "BadRequest", "the header of the request is too large");
  return StatusResponse(400, "BadRequest",
                        "malformed HTTP/1.1 request: " + parser_->error.message());
}

}  // namespace berth::http
