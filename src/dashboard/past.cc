#include "dashboard/past.h"

#include <utility>

#include "journal/past.h"

namespace berth::dashboard {
namespace {

// Of the journal that the life of a Workload is read from: about a second's work.
constexpr uint64_t kMostBytesOfLives = 64 << 20;

http::Response Unreadable(const base::Error& error) {
  return http::StatusResponse(503, "ServiceUnavailable", error.message);
}

http::Response LifeIn(const std::filesystem::path& journal, const std::string& workload) {
  auto reader = journal::Reader::OpenLatest(journal, kMostBytesOfLives);
  if (!reader) return Unreadable(reader.error());
  schema::JsonWriter w;
  w.BeginObject().Key("steps").BeginArray();
  for (const journal::LifeEvent& event : journal::LifeOf(*reader, workload))
    journal::WriteJson(w, event);
  w.EndArray().EndObject();
  return {.headers = {}, .body = http::Share(w.Take())};
}

http::Response QueueIn(const std::filesystem::path& journal, const std::string& name, base::Time at,
                       const query::Viewer& viewer) {
  auto reader = journal::Reader::OpenAt(journal, at);
  if (!reader) return Unreadable(reader.error());
  const journal::PastQueue past = journal::QueueAt(*reader, name, at);
  if (!past.moment)
    return http::StatusResponse(404, "NotFound",
                                past.has_state ? "there was no ClusterQueue " + name + " then"
                                               : "the journal begins later");
  const auto may_name = [&](std::string_view workload) {
    return viewer.workloads.Contains(workload.substr(0, workload.find('/')));
  };
  return {.headers = {}, .body = http::Share(journal::ToJson(*past.moment, at, may_name))};
}

}  // namespace

Past::Past(std::filesystem::path journal)
    : journal_(std::move(journal)), thread_([this] { inbox_.Run(); }) {}

Past::~Past() {
  inbox_.Stop();
  thread_.join();
}

void Past::Life(std::string namespaced_name, store::Executor& executor, Then then) {
  Start(executor, std::move(then),
        [this, name = std::move(namespaced_name)] { return LifeIn(journal_, name); });
}

void Past::Queue(std::string name, base::Time at, query::Viewer viewer, store::Executor& executor,
                 Then then) {
  Start(executor, std::move(then), [this, at, name = std::move(name), viewer = std::move(viewer)] {
    return QueueIn(journal_, name, at, viewer);
  });
}

void Past::Start(store::Executor& executor, Then then, Work work) {
  if (!is_kept())
    return then(http::StatusResponse(404, "NotFound", "this process keeps no journal"));
  if (is_busy_.exchange(true)) {
    http::Response busy =
        http::StatusResponse(429, "TooManyRequests", "another page of the past is being read");
    busy.headers.emplace_back("Retry-After", "2");
    return then(std::move(busy));
  }
  inbox_.Post([this, &executor, then = std::move(then), work = std::move(work)]() mutable {
    http::Response response = work();
    is_busy_ = false;
    executor.Post([then = std::move(then), response = std::move(response)]() mutable {
      then(std::move(response));
    });
  });
}

}  // namespace berth::dashboard
