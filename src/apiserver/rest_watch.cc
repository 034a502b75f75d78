#include "apiserver/rest_watch.h"

#include <atomic>
#include <utility>

#include "apiserver/rest_response.h"
#include "schema/json_writer.h"

namespace berth::apiserver {
namespace {

constexpr std::string_view kLineEnd = "}\n";
constexpr size_t kLinesAtOnce = 64;
// As clients expect it of Kubernetes: a bookmark about once a minute, and half an hour if they do
// not say how long they want to watch.
constexpr base::Duration kBookmarkPeriod = base::Duration::Seconds(60);
constexpr base::Duration kUsualLength = base::Duration::Seconds(1800);

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

// One client that watches. Lives as long as its stream is open.
class Watcher : public std::enable_shared_from_this<Watcher> {
 public:
  Watcher(EventLines lines, store::Executor& executor, bool allows_bookmarks)
      : lines_(std::move(lines)), executor_(executor), allows_bookmarks_(allows_bookmarks) {}

  // What the service calls when there may be more, on any thread.
  std::function<void()> Waker() {
    return [weak = weak_from_this(), waking = waking_, &executor = executor_] {
      if (waking->exchange(true)) return;
      executor.Post([weak, waking] {
        waking->store(false);
        if (const auto self = weak.lock(); self && self->stream_) self->stream_->Poke();
      });
    };
  }

  void Begin(std::unique_ptr<WatchCursor> cursor, std::shared_ptr<HttpStream> stream,
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

  // Lets the stream go, which holds this.
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
  bool is_up_to_date_ = false;  // nothing was there when last asked
  std::shared_ptr<std::atomic<bool>> waking_ = std::make_shared<std::atomic<bool>>(false);
  std::shared_ptr<HttpStream> stream_;
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
  return {Prefix(event.kind), is_bookmark ? Share(Bookmark(event, now)) : TextOf(event.object, now),
          kLineEnd};
}

EventLines::Line EventLines::Of(const store::Failure& failure) {
  return {R"({"type":"ERROR","object":)", Share(StatusJson(failure)), kLineEnd};
}

SharedText EventLines::TextOf(const store::Object& object, base::Time now) {
  if (table_) {
    const bool is_first = !std::exchange(has_sent_columns_, true);
    return Share(table_->Make({&object, 1}, TableMetadata(object.resource_version), now, is_first));
  }
  if (view_.presentation.form == Presentation::Form::kMetadata)
    return Share(PartialMetadata(object, view_.presentation.table_version));
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

void StreamWatch(Service& service, const store::Watch& watch, RestView view,
                 std::shared_ptr<const Catalog> catalog, HttpExchange& exchange) {
  auto watcher = std::make_shared<Watcher>(EventLines(std::move(view), std::move(catalog)),
                                           exchange.executor(), watch.allows_bookmarks);
  auto cursor = service.OpenWatch(watch, watcher->Waker());
  if (!cursor) return exchange.Respond(RenderFailure(cursor.error()));
  // The stream keeps the watcher for as long as it is open.
  auto stream = exchange.BeginStream({}, {.on_room = [watcher] { watcher->SendMore(); },
                                          .on_closed = [watcher] { watcher->End(); }});
  if (stream != nullptr)
    watcher->Begin(*std::move(cursor), std::move(stream), watch.timeout.value_or(kUsualLength));
}

}  // namespace berth::apiserver
