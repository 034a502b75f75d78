#include "kube/response.h"

#include <charconv>
#include <optional>
#include <utility>
#include <variant>

#include "schema/decode.h"
#include "schema/json/index.h"
#include "schema/json/walk.h"

namespace berth::kube {
namespace {

constexpr size_t kMostOfABody = 300;  // quoted in messages

std::string_view ReasonOf(int status) {
  namespace reason = store::reason;
  switch (status) {
    case 400:
      return reason::kBadRequest;
    case 401:
      return reason::kUnauthorized;
    case 403:
      return reason::kForbidden;
    case 404:
      return reason::kNotFound;
    case 405:
      return reason::kMethodNotAllowed;
    case 409:
      return reason::kConflict;
    case 410:
      return reason::kExpired;
    case 413:
      return reason::kRequestEntityTooLarge;
    case 415:
      return reason::kUnsupportedMediaType;
    case 422:
      return reason::kInvalid;
    case 429:
      return reason::kTooManyRequests;
    case 500:
      return reason::kInternalError;
    case 503:
      return reason::kServiceUnavailable;
    case 504:
      return reason::kTimeout;
    default:
      return "";
  }
}

std::optional<api::Status> StatusIn(std::string_view body) {
  auto read = schema::Decode<api::Status>(body);
  if (!read || read->status != api::kStatusFailure) return std::nullopt;
  return std::move(*read);
}

const store::Resource& ResourceIn(const store::Call& call) {
  return std::visit([](const auto& c) -> const store::Resource& { return c.resource; }, call);
}

store::Failure Unreadable(const std::string& why) {
  return store::Unreachable("the API server's answer cannot be read: " + why);
}

// Whether the object at the token has apiVersion and kind.
bool SaysItsKind(const schema::JsonIndex& index, size_t token) {
  bool has_kind = false;
  schema::WalkObject(index, token,
                     [&](size_t key, size_t) { has_kind |= index.token(key) == "\"kind\""; });
  return has_kind;
}

// Splits a list without building a tree: the text of each item is copied once.
class ListReader {
 public:
  ListReader(const store::Resource& resource, store::Reply& reply)
      : head_("{\"apiVersion\":\"" + resource.ApiVersion() + "\",\"kind\":\"" + resource.kind +
              "\""),
        reply_(reply) {}

  store::Outcome<void> Read(std::string_view text) {
    if (const auto fault = index_.Build(text)) return std::unexpected(Unreadable(fault->message));
    if (index_.first(0) != '{') return std::unexpected(Unreadable("it is no list"));
    const auto broken = schema::WalkObject(index_, 0, [&](size_t key, size_t value) {
      if (index_.token(key) == "\"metadata\"") ReadMetadata(value);
      if (index_.token(key) == "\"items\"") ReadItems(value);
    });
    if (broken && error_.empty()) error_ = "it is no JSON";
    if (!error_.empty()) return std::unexpected(Unreadable(error_));
    return {};
  }

 private:
  void ReadMetadata(size_t token) {
    const auto read = schema::Decode<api::ListMeta>(schema::ValueText(index_, token));
    if (!read) {
      error_ = "its metadata is damaged";
      return;
    }
    reply_.resource_version = read->resource_version;
    reply_.continue_token = read->continue_token;
    reply_.remaining_items = read->remaining_item_count;
  }

  void ReadItems(size_t token) {
    if (index_.first(token) == 'n') return;  // null: none
    if (index_.first(token) != '[') {
      error_ = "items is no list";
      return;
    }
    const auto broken = schema::WalkList(index_, token, [&](size_t item) { ReadItem(item); });
    if (broken) error_ = "items is damaged";
  }

  void ReadItem(size_t token) {
    if (!error_.empty()) return;
    std::string text(schema::ValueText(index_, token));
    if (index_.first(token) == '{' && !SaysItsKind(index_, token))
      text.replace(0, 1, index_.first(token + 1) == '}' ? head_ : head_ + ",");
    auto object = store::Object::FromJson(std::move(text));
    if (object) {
      reply_.items.push_back(std::move(*object));
    } else {
      error_ = object.error().message;
    }
  }

  schema::JsonIndex index_;
  std::string head_;
  store::Reply& reply_;
  std::string error_;
};

store::Outcome<void> ReadObjectInto(store::Reply& reply, std::string body) {
  auto object = store::Object::FromJson(std::move(body));
  if (!object) return std::unexpected(Unreadable(object.error().message));
  reply.object = std::move(*object);
  return {};
}

// A Delete returns the object while finalizers are pending, and a Status of Success once it is
// gone.
bool IsSuccessStatus(std::string_view body) {
  const auto read = schema::Decode<api::Status>(body);
  return read && read->status == api::kStatusSuccess;
}

}  // namespace

std::string WarningText(std::string_view field) {
  const size_t begin = field.find('"');
  const size_t end = field.rfind('"');
  if (begin == std::string_view::npos || end <= begin) return std::string(field);
  std::string text;
  for (size_t i = begin + 1; i < end; ++i) {
    if (field[i] == '\\' && i + 1 < end) ++i;
    text += field[i];
  }
  return text;
}

store::Failure FailureFrom(const Response& response) {
  store::Failure failure;
  if (auto status = StatusIn(response.body)) {
    failure.status = std::move(*status);
  } else {
    failure.status.status = api::kStatusFailure;
    failure.status.message = response.body.substr(0, kMostOfABody);
    while (failure.status.message.ends_with('\n')) failure.status.message.pop_back();
  }
  if (failure.status.code == 0) failure.status.code = response.status;
  if (failure.status.reason.empty()) failure.status.reason = ReasonOf(failure.status.code);
  int32_t seconds = 0;
  const std::string& wait = response.retry_after;
  std::from_chars(wait.data(), wait.data() + wait.size(), seconds);
  if (seconds > 0 && failure.retry_after_seconds() == 0) {
    if (!failure.status.details) failure.status.details.emplace();
    failure.status.details->retry_after_seconds = seconds;
  }
  return failure;
}

store::Outcome<store::Reply> ReplyFrom(const store::Call& call, Response response) {
  if (response.status < 200 || response.status > 299) return std::unexpected(FailureFrom(response));
  store::Reply reply;
  for (const std::string& field : response.warnings) reply.warnings.push_back(WarningText(field));
  reply.was_created = response.status == 201;
  store::Outcome<void> read;
  const bool is_list = std::holds_alternative<store::List>(call);
  const bool is_collection = is_list || std::holds_alternative<store::DeleteCollection>(call);
  const bool may_be_status = std::holds_alternative<store::Delete>(call) ||
                             std::holds_alternative<store::DeleteCollection>(call);
  if (may_be_status && IsSuccessStatus(response.body)) {
    reply.was_removed = true;
  } else if (is_collection) {
    read = ListReader(ResourceIn(call), reply).Read(response.body);
  } else {
    read = ReadObjectInto(reply, std::move(response.body));
  }
  if (!read) return std::unexpected(read.error());
  return reply;
}

}  // namespace berth::kube
