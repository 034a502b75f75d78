#pragma once

// The options of a request: what stands in its query and, of deletions, in its body. What is wrong
// with them is told in the words of Kubernetes' API server.

#include <optional>
#include <string>
#include <string_view>

#include "apiserver/rest_target.h"
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

store::Outcome<ListOptions> ReadListOptions(const Query& query);

// `kind` is CreateOptions, UpdateOptions or PatchOptions, for messages. A request that names no
// field manager has the program that sends it: the user agent up to its first slash.
store::Outcome<store::WriteOptions> ReadWriteOptions(const Query& query,
                                                     std::string_view user_agent,
                                                     std::string_view kind);

// The body is a DeleteOptions object as JSON; where it is empty the query counts.
store::Outcome<store::DeleteOptions> ReadDeleteOptions(const Query& query, std::string_view body);

// Whether the name stands in the query and its value does not deny it.
bool IsSet(const Query& query, std::string_view name);

}  // namespace berth::apiserver
