#pragma once

// Request options from the query and, for deletions, the body. Errors are worded as Kubernetes' API
// server does.

#include <optional>
#include <string>
#include <string_view>

#include "apiserver/rest/target.h"
#include "base/time.h"
#include "store/call.h"
#include "store/failure.h"

namespace berth::apiserver {

struct ListOptions {
  std::string label_selector;
  std::string field_selector;
  int64_t limit = 0;
  std::string continue_token;
  std::string resource_version;
  store::VersionMatch version_match = store::VersionMatch::kUnset;
  bool is_watch = false;
  bool allows_bookmarks = false;
  bool sends_initial_events = false;
  std::optional<base::Duration> timeout;

  friend bool operator==(const ListOptions&, const ListOptions&) = default;
};

store::Outcome<ListOptions> ReadListOptions(const http::Query& query);

// `kind` is CreateOptions, UpdateOptions or PatchOptions, for messages. The field manager defaults
// to the user agent up to its first slash.
store::Outcome<store::WriteOptions> ReadWriteOptions(const http::Query& query,
                                                     std::string_view user_agent,
                                                     std::string_view kind);

// The body is a DeleteOptions object as JSON; the query counts if it is empty.
store::Outcome<store::DeleteOptions> ReadDeleteOptions(const http::Query& query,
                                                       std::string_view body);

// True if the query has the name with a value other than false.
bool IsSet(const http::Query& query, std::string_view name);

}  // namespace berth::apiserver
