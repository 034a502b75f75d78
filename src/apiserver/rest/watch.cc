#include "apiserver/rest/watch.h"

#include <atomic>
#include <utility>

#include "apiserver/rest/response.h"
#include "schema/json/writer.h"

namespace berth::apiserver {
namespace {

constexpr std::string_view kLineEnd = "}\n";
constexpr size_t kLinesAtOnce = 64;
// As in Kubernetes: a bookmark about every minute, and a default timeout of half an hour.
constexpr base::Duration kBookmarkPeriod = base::Duration::Seconds(60);
constexpr base::Duration kDefaultWatchTimeout = base::Duration::Seconds(1800);

std::string_view Prefix(store::Event::Kind kind) {
  switch (kind) {
    case store::Event::Kind::kAdded:
      return R"({"type":"ADDED","object":)";
    case store::Event::Kind::kModified:
      return R"({"type":"MODIFIED","object":)";
    case store::Event::Kind::kDeleted:
      return R"({"type":"DELETED","object":)";
    case store::Event::Kind::kBookmark:
    case store::Event::Kind::kEnd:
      break;
  }
  return R"({"type":"BOOKMARK","object":)";
}

std::string TableMetadata(std::string_view resource_version) {
  schema::JsonWriter w;
  w.BeginObject().Member("resourceVersion", resource_version).EndObject();
  return w.Take();
}

// One watching client. Lives as long as its stream is open.
class Watcher : public std::enable_shared_from_this<Watcher> {
 public:
  Watcher(EventLines lines, store::Executor& executor, bool allows_bookmarks)
      : lines_(std::move(lines)), executor_(executor), allows_bookmarks_(allows_bookmarks) {}

  // The wake callback of the cursor, for any thread.
  std::function<void()> Waker() {
    return [weak = weak_from_this(), waking = waking_, &executor = executor_] {
      if (waking->exchange(true)) return;
      executor.Post([weak, waking] {
        waking->store(false);
        if (const auto self = weak.lock(); self && self->stream_) self->stream_->ScheduleWrite();
      });
    };
  }

  void Begin(std::unique_ptr<WatchCursor> cursor, std::shared_ptr<http::Stream> stream,
             base::Duration length) {
    cursor_ = std::move(cursor);
    stream_ = std::move(stream);
    executor_.PostAfter(length, [weak = weak_from_this()] {
      if (const auto self = weak.lock()) self->Finish();
    });
    if (allows_bookmarks_) ScheduleBookmark();
  }

  void SendMore() {
    if (stream_ == nullptr) return;
    auto events = cursor_->Take(kLinesAtOnce);
    if (!events) {
      Write(EventLines::Of(events.error()));
      return Finish();
    }
    is_up_to_date_ = events->empty();
    for (const store::Event& event : *events) Write(lines_.Of(event, executor_.Now()));
  }

  // Releases the stream, which owns this.
  void End() {
    cursor_.reset();
    stream_.reset();
  }

 private:
  void Write(const EventLines::Line& line) { stream_->Write(line.prefix, line.text, line.suffix); }

  void Finish() {
    if (stream_ != nullptr) stream_->Close();
    End();
  }

  void ScheduleBookmark() {
    executor_.PostAfter(kBookmarkPeriod, [weak = weak_from_this()] {
      const auto self = weak.lock();
      if (self == nullptr || self->stream_ == nullptr) return;
      if (self->is_up_to_date_)
        self->Write(self->lines_.Of(self->cursor_->Bookmark(), self->executor_.Now()));
      self->ScheduleBookmark();
    });
  }

  EventLines lines_;
  store::Executor& executor_;
  bool allows_bookmarks_;
  bool is_up_to_date_ = false;  // the last Take returned nothing
  std::shared_ptr<std::atomic<bool>> waking_ = std::make_shared<std::atomic<bool>>(false);
  std::shared_ptr<http::Stream> stream_;
  std::unique_ptr<WatchCursor> cursor_;
};

}  // namespace

EventLines::EventLines(RestView view, std::shared_ptr<const Catalog> catalog)
    : view_(std::move(view)), catalog_(std::move(catalog)) {
  if (view_.presentation.form == Presentation::Form::kTable)
    table_.emplace(*view_.kind, view_.row_object, view_.presentation.table_version);
}

EventLines::Line EventLines::Of(const store::Event& event, base::Time now) {
  const bool is_bookmark = event.kind == store::Event::Kind::kBookmark;
  return {Prefix(event.kind),
          is_bookmark ? http::Share(Bookmark(event, now)) : TextOf(event.object, now), kLineEnd};
}

EventLines::Line EventLines::Of(const store::Failure& failure) {
  return {R"({"type":"ERROR","object":)", http::Share(StatusJson(failure)), kLineEnd};
}

http::SharedText EventLines::TextOf(const store::Object& object, base::Time now) {
  if (table_) {
    const bool is_first = !std::exchange(has_sent_columns_, true);
    return http::Share(
        table_->Make({&object, 1}, TableMetadata(object.resource_version), now, is_first));
  }
  if (view_.presentation.form == Presentation::Form::kMetadata)
    return http::Share(PartialMetadata(object, view_.presentation.table_version));
  return object.json;
}

std::string EventLines::Bookmark(const store::Event& event, base::Time now) const {
  if (table_) return table_->Make({}, TableMetadata(event.object.resource_version), now, false);
  const bool is_partial = view_.presentation.form == Presentation::Form::kMetadata;
  const store::Resource& resource = view_.kind->resource;
  schema::JsonWriter w;
  w.BeginObject().Member("kind", is_partial ? "PartialObjectMetadata" : resource.kind);
  w.Member("apiVersion",
           is_partial ? "meta.k8s.io/" + view_.presentation.table_version : resource.ApiVersion());
  w.Key("metadata").BeginObject();
  w.Member("resourceVersion", event.object.resource_version);
  w.Key("creationTimestamp").Raw("null");
  if (event.ends_initial_events)
    w.Key("annotations").BeginObject().Member("k8s.io/initial-events-end", "true").EndObject();
  w.EndObject().EndObject();
  return w.Take();
}

void StreamWatch(ApiHandler& handler, const store::Watch& watch, RestView view,
                 std::shared_ptr<const Catalog> catalog, http::Exchange& exchange) {
  auto watcher = std::make_shared<Watcher>(EventLines(std::move(view), std::move(catalog)),
                                           exchange.executor(), watch.allows_bookmarks);
  auto cursor = handler.OpenWatch(watch, watcher->Waker());
  if (!cursor) return exchange.Respond(RenderFailure(cursor.error()));
  http::Response head;
  AddWarnings((*cursor)->warnings(), head);
  // The stream owns the watcher.
  auto stream =
      exchange.BeginStream(std::move(head), {.on_writable = [watcher] { watcher->SendMore(); },
                                             .on_closed = [watcher] { watcher->End(); }});
  if (stream != nullptr)
    watcher->Begin(*std::move(cursor), std::move(stream),
                   watch.timeout.value_or(kDefaultWatchTimeout));
}

}  // namespace berth::apiserver
