// Get, List and Watch.

#include <algorithm>
#include <charconv>
#include <utility>

#include "apiserver/handler/api_handler.h"
#include "apiserver/handler/continue.h"
#include "apiserver/handler/events.h"
#include "apiserver/handler/request.h"
#include "apiserver/object_tree.h"

namespace berth::apiserver {
namespace {

constexpr size_t kFilterChunk = 2000;

// Nullopt if the text is not a valid resourceVersion.
std::optional<Revision> ParseRevision(std::string_view text) {
  Revision revision = 0;
  if (text.empty()) return 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), revision);
  if (error != std::errc() || end != text.data() + text.size() || revision < 0) return std::nullopt;
  return revision;
}

store::Failure BadRevision(const std::string& text) {
  return store::BadRequest("resourceVersion \"" + text +
                           "\" is none of this server's; use one from a list or an object");
}

store::Failure FutureRevision(Revision asked, Revision current) {
  store::Failure failure =
      store::MakeFailure(504, store::reason::kTimeout,
                         "Too large resource version: " + std::to_string(asked) +
                             ", current: " + std::to_string(current));
  api::StatusDetails& details = failure.status.details.emplace();
  details.retry_after_seconds = 1;
  details.causes.push_back(
      {.reason = "ResourceVersionTooLarge", .message = "Too large resource version"});
  return failure;
}

// Selectable fields whose name differs from the stored path.
std::string StoredPath(const StoredKind& kind, const std::string& path) {
  if (kind.is_events_v1) return CoreEventPath(path);
  if (kind.collection == kEventCollection && path == "source") return "source.component";
  if (kind.collection == "jobs.batch" && path == "status.successful") return "status.succeeded";
  return path;
}

store::Outcome<ObjectFilter> FilterOf(const HandlerRequest& request,
                                      const store::Selection& selection) {
  auto labels = ParseLabelSelector(selection.label_selector);
  if (!labels) return std::unexpected(store::BadRequest(base::ToString(labels.error())));
  auto fields = ParseFieldSelector(selection.field_selector);
  if (!fields) return std::unexpected(store::BadRequest(base::ToString(fields.error())));
  for (FieldTerm& term : *fields) {
    const bool is_known = term.path == "metadata.name" || term.path == "metadata.namespace" ||
                          std::ranges::count(request.version->selectable_fields, term.path) > 0;
    if (!is_known)
      return std::unexpected(store::BadRequest(
          "Unable to find \"" + request.ApiVersion() + ", Resource=" + request.resource().plural +
          "\" that match label selector \"" + selection.label_selector + "\", field selector \"" +
          selection.field_selector + "\": field label not supported: " + term.path));
    term.path = StoredPath(*request.kind, term.path);
  }
  return ObjectFilter(std::move(*labels), std::move(*fields));
}

// The revision of a list and its starting point.
struct ListPlan {
  Revision at_revision = 0;
  std::optional<std::pair<std::string, std::string>> after;
};

store::Outcome<ListPlan> PlanList(const store::List& call, Revision current) {
  ListPlan plan;
  if (!call.continue_token.empty()) {
    const auto token = ContinueToken::Parse(call.continue_token);
    if (!token)
      return std::unexpected(
          store::BadRequest("continue key is not valid: take it from the list before"));
    plan.at_revision = token->revision;
    plan.after = {token->namespace_, token->name};
    return plan;
  }
  const auto revision = ParseRevision(call.resource_version);
  if (!revision) return std::unexpected(BadRevision(call.resource_version));
  if (*revision > current) return std::unexpected(FutureRevision(*revision, current));
  const bool is_exact = call.version_match == store::VersionMatch::kExact ||
                        (call.version_match == store::VersionMatch::kUnset && call.limit > 0);
  if (is_exact) plan.at_revision = *revision;
  return plan;
}

store::Failure ListExpired(const store::List& call) {
  return store::Expired(
      call.continue_token.empty()
          ? "The resourceVersion for the provided list is too old."
          : "The provided continue parameter is too old to display a consistent list result. You "
            "can start a new list without the continue parameter.");
}

// Fills a page with matching objects. The filter's selectivity is unknown, so objects are read in
// chunks of one revision.
class PageMaker {
 public:
  PageMaker(const HandlerRequest& request, const ObjectFilter& filter, int64_t limit)
      : request_(request),
        filter_(filter),
        limit_(static_cast<size_t>(std::max<int64_t>(limit, 0))) {
    reply_.warnings = request.warnings;
  }

  // The number of objects to read at once; 0 for all.
  size_t read_limit() const {
    return limit_ == 0 || filter_.is_everything() ? limit_ : std::max(limit_, kFilterChunk);
  }

  // True if the page is full or the range is exhausted.
  bool Take(const Range& range) {
    reply_.resource_version = std::to_string(range.revision);
    for (size_t i = 0; i < range.items.size(); ++i) {
      const RangeItem& item = range.items[i];
      if (!filter_.Matches(*item.item.text)) continue;
      reply_.items.push_back(Present(request_, item.namespace_, item.name, item.item));
      const size_t left = range.items.size() - i - 1 + range.remaining;
      if (reply_.items.size() != limit_ || left == 0) continue;
      EndAt(item, range.revision, left);
      return true;
    }
    return range.remaining == 0;
  }

  store::Reply Finish() && { return std::move(reply_); }

 private:
  void EndAt(const RangeItem& last, Revision revision, size_t left) {
    reply_.continue_token =
        ContinueToken{.revision = revision, .namespace_ = last.namespace_, .name = last.name}
            .ToString();
    if (filter_.is_everything()) reply_.remaining_items = static_cast<int64_t>(left);
  }

  const HandlerRequest& request_;
  const ObjectFilter& filter_;
  size_t limit_;
  store::Reply reply_;
};

}  // namespace

void ApiHandler::Answer(const store::Get& call, const Caller& caller, Done done) {
  auto request = Resolve(call.resource, call.namespace_, call.name, call.subresource, caller);
  if (!request) return done(std::unexpected(request.error()));
  const Item item = storage_->Get(request->id());
  if (!item) return done(std::unexpected(store::NotFound(request->resource(), call.name)));
  store::Reply reply;
  reply.object = Present(*request, request->namespace_, call.name, item);
  reply.resource_version = reply.object.resource_version;
  reply.warnings = std::move(request->warnings);
  done(std::move(reply));
}

void ApiHandler::Answer(const store::List& call, const Caller& caller, Done done) {
  done(DoList(call, caller));
}

store::Outcome<store::Reply> ApiHandler::DoList(const store::List& call,
                                                const Caller& caller) const {
  auto request = Resolve(call.resource, call.selection.namespace_, "", "", caller);
  if (!request) return std::unexpected(request.error());
  const auto filter = FilterOf(*request, call.selection);
  if (!filter) return std::unexpected(filter.error());
  const auto plan = PlanList(call, storage_->revision());
  if (!plan) return std::unexpected(plan.error());

  PageMaker page(*request, *filter, call.limit);
  RangeQuery query{.collection = request->kind->collection,
                   .namespace_ = request->namespace_,
                   .after = plan->after,
                   .limit = page.read_limit(),
                   .at_revision = plan->at_revision};
  while (true) {
    const std::optional<Range> range = storage_->Read(query);
    if (!range) return std::unexpected(ListExpired(call));
    if (page.Take(*range)) return std::move(page).Finish();
    query.at_revision = range->revision;
    query.after = {range->items.back().namespace_, range->items.back().name};
  }
}

store::Outcome<std::unique_ptr<WatchCursor>> ApiHandler::OpenWatch(const store::Watch& watch,
                                                                   std::function<void()> wake) {
  auto request = Resolve(watch.resource, watch.selection.namespace_, "", "", Caller{});
  if (!request) return std::unexpected(request.error());
  auto filter = FilterOf(*request, watch.selection);
  if (!filter) return std::unexpected(filter.error());
  const auto revision = ParseRevision(watch.resource_version);
  if (!revision) return std::unexpected(BadRevision(watch.resource_version));
  const Revision current = storage_->revision();
  if (*revision > current) return std::unexpected(FutureRevision(*revision, current));
  const bool begins_with_state = watch.sends_initial_events || *revision == 0;
  if (!begins_with_state && *revision < storage_->oldest())
    return std::unexpected(store::Expired("too old resource version: " + watch.resource_version +
                                          " (" + std::to_string(storage_->oldest()) + ")"));
  WatchCursor::Start start{.request = std::move(*request),
                           .filter = std::move(*filter),
                           .begins_with_state = begins_with_state,
                           .marks_end_of_state = watch.sends_initial_events,
                           .after = *revision};
  return std::make_unique<WatchCursor>(*storage_, std::move(start), std::move(wake));
}

}  // namespace berth::apiserver
