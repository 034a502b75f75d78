#include "apiserver/rest/options.h"

#include <algorithm>
#include <charconv>

#include "json/json.h"

namespace berth::apiserver {
namespace {

using schema::ProblemType;
using store::Failure;
using store::Outcome;

constexpr size_t kLongestFieldManager = 128;

std::unexpected<Failure> BadOption(std::string_view kind, ProblemType type, std::string_view field,
                                   std::string message) {
  const store::Resource options{.group = "meta.k8s.io",
                                .version = "v1",
                                .plural = "",
                                .kind = std::string(kind),
                                .is_namespaced = false};
  return std::unexpected(store::Invalid(options, "",
                                        {{.type = type,
                                          .field = std::string(field),
                                          .message = std::move(message),
                                          .hint = {},
                                          .place = {}}}));
}

std::string Unsupported(std::string_view value, std::string_view supported) {
  return "\"" + std::string(value) + "\": supported values: " + std::string(supported);
}

// Nullopt if the option is absent.
Outcome<std::optional<int64_t>> ReadInteger(const http::Query& query, std::string_view name) {
  const std::string_view text = query.Get(name);
  if (text.empty()) return std::nullopt;
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size())
    return std::unexpected(store::BadRequest("the value of " + std::string(name) + ", \"" +
                                             std::string(text) + "\", is not a number"));
  return number;
}

Outcome<bool> ReadDryRun(std::string_view kind, std::span<const std::string_view> values) {
  bool is_dry_run = false;
  for (const std::string_view value : values) {
    if (value.empty()) continue;
    if (value != "All")
      return BadOption(kind, ProblemType::kNotSupported, "dryRun", Unsupported(value, "\"All\""));
    is_dry_run = true;
  }
  return is_dry_run;
}

Outcome<store::FieldValidation> ReadFieldValidation(std::string_view kind, std::string_view value) {
  if (value.empty() || value == "Warn") return store::FieldValidation::kWarn;
  if (value == "Strict") return store::FieldValidation::kStrict;
  if (value == "Ignore") return store::FieldValidation::kIgnore;
  return BadOption(kind, ProblemType::kNotSupported, "fieldValidation",
                   Unsupported(value, R"("Ignore", "Strict", "Warn")"));
}

bool IsPrintable(char c) { return c >= ' ' && c != 0x7f; }

std::string ManagerOf(std::string_view user_agent) {
  std::string manager;
  for (const char c : user_agent.substr(0, user_agent.find('/'))) {
    if (manager.size() < kLongestFieldManager && IsPrintable(c)) manager += c;
  }
  return manager;
}

Outcome<std::string> ReadFieldManager(const http::Query& query, std::string_view user_agent,
                                      std::string_view kind) {
  const std::string_view given = query.Get("fieldManager");
  if (given.size() > kLongestFieldManager)
    return BadOption(kind, ProblemType::kTooLong, "fieldManager", "may not be more than 128 bytes");
  if (!std::ranges::all_of(given, IsPrintable))
    return BadOption(kind, ProblemType::kInvalid, "fieldManager",
                     "should only contain printable characters");
  return given.empty() ? ManagerOf(user_agent) : std::string(given);
}

Outcome<store::VersionMatch> ReadVersionMatch(const http::Query& query, bool is_watch) {
  constexpr std::string_view kField = "resourceVersionMatch";
  const std::string_view text = query.Get(kField);
  if (text.empty()) return store::VersionMatch::kUnset;
  const auto bad = [&](ProblemType type, std::string message) {
    return BadOption("ListOptions", type, kField, std::move(message));
  };
  if (text != "Exact" && text != "NotOlderThan")
    return bad(ProblemType::kNotSupported, Unsupported(text, R"("Exact", "NotOlderThan", "")"));
  const bool begins_with_all = is_watch && query.Has("sendInitialEvents");
  if (is_watch && !begins_with_all)
    return bad(ProblemType::kForbidden, "resourceVersionMatch is forbidden for watch");
  const std::string_view version = query.Get("resourceVersion");
  if (version.empty() && !begins_with_all)
    return bad(ProblemType::kForbidden,
               "resourceVersionMatch is forbidden unless resourceVersion is provided");
  if (text == "NotOlderThan") return store::VersionMatch::kNotOlderThan;
  if (version == "0")
    return bad(ProblemType::kForbidden,
               "resourceVersionMatch \"Exact\" is forbidden for resourceVersion \"0\"");
  return store::VersionMatch::kExact;
}

Outcome<bool> ReadInitialEvents(const http::Query& query, const ListOptions& options) {
  if (!query.Has("sendInitialEvents")) return false;
  const auto forbidden = [](std::string message) {
    return BadOption("ListOptions", ProblemType::kForbidden, "sendInitialEvents",
                     std::move(message));
  };
  if (!options.is_watch) return forbidden("sendInitialEvents is forbidden for list");
  if (options.version_match != store::VersionMatch::kNotOlderThan)
    return forbidden("sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
  return IsSet(query, "sendInitialEvents");
}

Outcome<std::optional<store::Propagation>> ReadPropagation(std::string_view text) {
  if (text.empty()) return std::nullopt;
  if (text == "Background") return store::Propagation::kBackground;
  if (text == "Foreground") return store::Propagation::kForeground;
  if (text == "Orphan") return store::Propagation::kOrphan;
  return BadOption("DeleteOptions", ProblemType::kNotSupported, "propagationPolicy",
                   Unsupported(text, R"("Foreground", "Background", "Orphan", "nil")"));
}

// Unvalidated delete options from the query or the body.
struct RawDeleteOptions {
  std::string uid;
  std::string resource_version;
  std::string propagation;
  std::optional<bool> orphans;
  std::optional<int64_t> grace_period_seconds;
  std::vector<std::string_view> dry_run;
};

Outcome<store::DeleteOptions> Check(const RawDeleteOptions& raw) {
  const auto propagation = ReadPropagation(raw.propagation);
  if (!propagation) return std::unexpected(propagation.error());
  const auto is_dry_run = ReadDryRun("DeleteOptions", raw.dry_run);
  if (!is_dry_run) return std::unexpected(is_dry_run.error());
  if (*propagation && raw.orphans)
    return BadOption(
        "DeleteOptions", ProblemType::kInvalid, "propagationPolicy",
        "\"" + raw.propagation + "\": orphanDependents and deletionPropagation cannot be both set");
  store::DeleteOptions options{.uid = raw.uid,
                               .resource_version = raw.resource_version,
                               .propagation = *propagation,
                               .grace_period_seconds = raw.grace_period_seconds,
                               .is_dry_run = *is_dry_run};
  if (raw.orphans)
    options.propagation =
        *raw.orphans ? store::Propagation::kOrphan : store::Propagation::kBackground;
  return options;
}

Outcome<store::DeleteOptions> FromQuery(const http::Query& query) {
  const auto grace = ReadInteger(query, "gracePeriodSeconds");
  if (!grace) return std::unexpected(grace.error());
  RawDeleteOptions raw{.uid = {},
                       .resource_version = {},
                       .propagation = std::string(query.Get("propagationPolicy")),
                       .orphans = std::nullopt,
                       .grace_period_seconds = *grace,
                       .dry_run = query.All("dryRun")};
  if (query.Has("orphanDependents")) raw.orphans = IsSet(query, "orphanDependents");
  return Check(raw);
}

Outcome<store::DeleteOptions> FromBody(const json::value& body) {
  RawDeleteOptions raw{
      .uid = std::string(json::StringAt(body, {"preconditions", "uid"})),
      .resource_version = std::string(json::StringAt(body, {"preconditions", "resourceVersion"})),
      .propagation = std::string(json::StringAt(body, {"propagationPolicy"})),
      .orphans = std::nullopt,
      .grace_period_seconds = std::nullopt,
      .dry_run = {}};
  if (const json::value* orphans = json::Find(body, {"orphanDependents"});
      orphans != nullptr && orphans->is_bool())
    raw.orphans = orphans->get_bool();
  if (const json::value* grace = json::Find(body, {"gracePeriodSeconds"});
      grace != nullptr && grace->is_int64())
    raw.grace_period_seconds = grace->get_int64();
  if (const json::value* dry_run = json::Find(body, {"dryRun"});
      dry_run != nullptr && dry_run->is_array()) {
    for (const json::value& value : dry_run->get_array())
      raw.dry_run.push_back(value.is_string() ? json::View(value.get_string()) : "?");
  }
  return Check(raw);
}

}  // namespace

bool IsSet(const http::Query& query, std::string_view name) {
  const std::string_view value = query.Get(name);
  return query.Has(name) && value != "false" && value != "False" && value != "FALSE" &&
         value != "0";
}

Outcome<ListOptions> ReadListOptions(const http::Query& query) {
  ListOptions options{.label_selector = std::string(query.Get("labelSelector")),
                      .field_selector = std::string(query.Get("fieldSelector")),
                      .continue_token = std::string(query.Get("continue")),
                      .resource_version = std::string(query.Get("resourceVersion")),
                      .is_watch = IsSet(query, "watch"),
                      .allows_bookmarks = IsSet(query, "allowWatchBookmarks")};
  const auto limit = ReadInteger(query, "limit");
  if (!limit) return std::unexpected(limit.error());
  options.limit = std::max<int64_t>(limit->value_or(0), 0);
  const auto timeout = ReadInteger(query, "timeoutSeconds");
  if (!timeout) return std::unexpected(timeout.error());
  // Capped at a day, which fits into a Duration.
  if (*timeout && **timeout > 0)
    options.timeout = base::Duration::Seconds(std::min<int64_t>(**timeout, 86'400));
  const auto match = ReadVersionMatch(query, options.is_watch);
  if (!match) return std::unexpected(match.error());
  options.version_match = *match;
  const auto initial = ReadInitialEvents(query, options);
  if (!initial) return std::unexpected(initial.error());
  options.sends_initial_events = *initial;
  return options;
}

Outcome<store::WriteOptions> ReadWriteOptions(const http::Query& query, std::string_view user_agent,
                                              std::string_view kind) {
  const auto is_dry_run = ReadDryRun(kind, query.All("dryRun"));
  if (!is_dry_run) return std::unexpected(is_dry_run.error());
  const auto validation = ReadFieldValidation(kind, query.Get("fieldValidation"));
  if (!validation) return std::unexpected(validation.error());
  auto manager = ReadFieldManager(query, user_agent, kind);
  if (!manager) return std::unexpected(manager.error());
  return store::WriteOptions{.is_dry_run = *is_dry_run,
                             .field_manager = *std::move(manager),
                             .field_validation = *validation};
}

Outcome<store::DeleteOptions> ReadDeleteOptions(const http::Query& query, std::string_view body) {
  if (body.empty()) return FromQuery(query);
  const auto parsed = json::Parse(body);
  if (!parsed)
    return std::unexpected(store::BadRequest("the body is not a DeleteOptions object: " +
                                             base::ToString(parsed.error())));
  if (!parsed->is_object())
    return std::unexpected(store::BadRequest("the body is not a DeleteOptions object"));
  const std::string_view kind = json::StringAt(*parsed, {"kind"});
  if (!kind.empty() && kind != "DeleteOptions")
    return std::unexpected(store::BadRequest(
        "expected options of kind DeleteOptions, the body is a " + std::string(kind)));
  return FromBody(*parsed);
}

}  // namespace berth::apiserver
