#include "dashboard/dashboard.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/fnv.h"
#include "dashboard/files.h"
#include "dashboard/parameters.h"
#include "query/flavor_list.h"
#include "query/manifest_text.h"
#include "query/overview.h"
#include "query/queue_page.h"
#include "query/tree.h"
#include "query/workload_list.h"
#include "query/workload_page.h"
#include "schema/json/writer.h"

namespace berth::dashboard {
namespace {

using http::StatusResponse;

// Ten open pages of one user ask for less than 100 answers a second, most of which are kept ones.
constexpr double kRequestsPerSecond = 100;
constexpr double kRequestBurst = 300;
// Of requests without a valid token.
constexpr double kFailuresPerSecond = 1;
constexpr double kFailureBurst = 20;

constexpr std::pair<std::string_view, std::string_view> kSecurityHeaders[] = {
    {"Content-Security-Policy",
     "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
     "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
    {"X-Content-Type-Options", "nosniff"},
    {"X-Frame-Options", "DENY"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
};

http::Response Secured(http::Response response) {
  for (const auto& [name, value] : kSecurityHeaders) response.headers.emplace_back(name, value);
  return response;
}

http::Response TooMany(std::string_view message) {
  http::Response response = StatusResponse(429, "TooManyRequests", message);
  response.headers.emplace_back("Retry-After", "1");
  return response;
}

http::Response NotFound() {
  return StatusResponse(404, "NotFound", "there is no such object, or none that you may see");
}

http::Response Forbidden(std::string_view what) { return StatusResponse(403, "Forbidden", what); }

std::string TagOf(std::string_view text) {
  std::string tag = "\"";
  schema::AppendUint(tag, base::Fnv1a(text));
  return tag + '"';
}

// The answer, or 304 if the client has it.
http::Response Tagged(const http::Request& request, http::Response response,
                      const std::string& tag) {
  if (request.if_none_match == tag) response = {.status = 304, .headers = {}, .body = nullptr};
  response.headers.emplace_back("ETag", tag);
  return response;
}

bool IsRead(const http::Request& request) {
  return request.method == "GET" || request.method == "HEAD";
}

// The part of a Host header before the port.
std::string_view HostName(std::string_view host) {
  if (host.starts_with('[')) return host.substr(0, host.find(']') + 1);
  return host.substr(0, host.find(':'));
}

// Prints an answer; of an optional one that is absent, nothing.
template <class T>
Answers::Print Printing(T answer) {
  return [answer = std::move(answer)](const std::string& revision) {
    return query::ToJson(answer, revision);
  };
}
template <class T>
Answers::Print Printing(std::optional<T> answer) {
  if (!answer) return [](const std::string&) { return std::string(); };
  return Printing(*std::move(answer));
}

http::Response BadQuery() {
  return StatusResponse(400, "BadRequest",
                        "malformed query: limit and offset are numbers; status is pending, "
                        "admitted, finished or inactive; sort is created, name or priority, with "
                        "- in front to descend");
}

}  // namespace

// A request to the API of an admitted user.
struct Dashboard::Ask {
  http::Request request;
  Route route;
  std::shared_ptr<http::Exchange> exchange;
  query::Viewer viewer;

  void Respond(http::Response response) const { exchange->Respond(Secured(std::move(response))); }
  // Of the answer: the target and the rights.
  std::string Key() const { return request.target + '\n' + viewer.Scope(); }
};

// Belongs to the controllers' thread.
struct Dashboard::History {
  query::UsageHistory usage;
  bool is_ended = false;
};

Dashboard::Dashboard(StateSource source, Gate& gate, Options options)
    : source_(std::move(source)),
      gate_(gate),
      options_(std::move(options)),
      epoch_(std::to_string(source_.controllers.Now().micros) + "-"),
      answers_(source_, epoch_),
      updates_(source_, epoch_),
      what_if_(source_.store, options_.what_if),
      past_(options_.journal),
      requests_(kRequestsPerSecond, kRequestBurst),
      failures_(kFailuresPerSecond, kFailureBurst),
      history_(std::make_shared<History>()) {
  Sample();
}

Dashboard::~Dashboard() {
  source_.controllers.Post([history = history_] { history->is_ended = true; });
}

// Tasks on the controllers' thread keep what they need.
void Dashboard::Sample() {
  struct Sampler {
    StateSource source;
    std::shared_ptr<History> history;

    void Run() const {
      if (history->is_ended) return;
      history->usage.Sample(source.cluster(), source.controllers.Now());
      source.controllers.PostAfter(query::UsageHistory::kStep,
                                   [sampler = *this] { sampler.Run(); });
    }
  };
  source_.controllers.Post([sampler = Sampler(source_, history_)] { sampler.Run(); });
}

bool Dashboard::IsKnownHost(std::string_view host) const {
  return options_.hosts.empty() ||
         std::ranges::find(options_.hosts, HostName(host)) != options_.hosts.end();
}

void Dashboard::Handle(http::Request request, std::shared_ptr<http::Exchange> exchange) {
  if (!IsKnownHost(request.host))
    return exchange->Respond(
        Secured(Forbidden("unknown host name: use the address that the "
                          "server printed")));
  auto ask = std::make_shared<Ask>();
  ask->route = ParseRoute(request.target);
  const Endpoint endpoint = ask->route.endpoint;
  if (IsRead(request) ? endpoint == Endpoint::kPlan
                      : endpoint != Endpoint::kPlan || request.method != "POST")
    return exchange->Respond(Secured(StatusResponse(405, "MethodNotAllowed", "read-only API")));
  if (endpoint == Endpoint::kFile) return ServeFile(ask->route, request, *exchange);
  ask->request = std::move(request);
  ask->exchange = std::move(exchange);
  ServeApi(ask);
}

void Dashboard::ServeFile(const Route& route, const http::Request& request,
                          http::Exchange& exchange) const {
  const File* file = FindFile(route.file);
  if (file == nullptr)
    return exchange.Respond(Secured(StatusResponse(404, "NotFound", "there is no such page")));
  exchange.Respond(Secured(Tagged(request,
                                  {.content_type = std::string(file->content_type),
                                   .headers = {},
                                   .body = http::Share(std::string(file->text))},
                                  TagOf(file->text))));
}

void Dashboard::ServeApi(const std::shared_ptr<Ask>& ask) {
  store::Executor& executor = ask->exchange->executor();
  if (!failures_.HasToken(ask->request.client, executor.Now()))
    return ask->Respond(TooMany("too many requests without a valid token"));
  gate_.Admit(ask->request, executor, [this, ask, &executor](Gate::Verdict verdict) {
    if (!verdict) {
      failures_.Take(ask->request.client, executor.Now());
      return ask->Respond(std::move(verdict.error()));
    }
    ask->viewer = *std::move(verdict);
    if (!requests_.Take(ask->viewer.user, executor.Now()))
      return ask->Respond(TooMany("too many requests"));
    Serve(ask);
  });
}

void Dashboard::Serve(const std::shared_ptr<Ask>& ask) {
  const auto see_all = [viewer = ask->viewer](auto make) -> Answers::Compute {
    return [viewer, make](workload::ClusterState& cluster, base::Time now) {
      return make(cluster, viewer, now);
    };
  };
  switch (ask->route.endpoint) {
    case Endpoint::kSession:
      return ServeSession(*ask);
    case Endpoint::kOverview:
      return Answer(ask, see_all([](auto& cluster, const auto& viewer, base::Time now) {
                      return Printing(query::MakeOverview(cluster, viewer, now));
                    }));
    case Endpoint::kTree:
      return Answer(ask, see_all([](auto& cluster, const auto& viewer, base::Time now) {
                      return Printing(query::MakeTree(cluster, viewer, now));
                    }));
    case Endpoint::kFlavors:
      return Answer(ask, see_all([](auto& cluster, const auto& viewer, base::Time) {
                      return Printing(query::ListFlavors(cluster, viewer));
                    }));
    case Endpoint::kWorkloads:
      return ServeWorkloads(ask);
    case Endpoint::kClusterQueue:
    case Endpoint::kLocalQueue:
      return ServeQueue(ask);
    case Endpoint::kWorkload:
      return ServeWorkload(ask);
    case Endpoint::kManifest:
      return ServeManifest(ask);
    case Endpoint::kPlan:
      return ServePlan(ask);
    case Endpoint::kStartEstimate:
      return ServeEstimate(ask);
    case Endpoint::kUsageHistory:
      return ServeHistory(ask);
    case Endpoint::kLife:
      return ServeLife(ask);
    case Endpoint::kPastQueue:
      return ServePastQueue(ask);
    case Endpoint::kUpdates:
      return updates_.Begin(ask->viewer.user, Secured({.headers = {}, .body = nullptr}),
                            *ask->exchange);
    case Endpoint::kFile:
    case Endpoint::kUnknown:
      return ask->Respond(StatusResponse(404, "NotFound", "there is no such path"));
  }
}

void Dashboard::Answer(const std::shared_ptr<Ask>& ask, Answers::Compute compute,
                       const std::string& moment) {
  const std::string key = ask->Key() + '\n' + moment;
  answers_.Get(key, ask->exchange->executor(), std::move(compute),
               [ask, key](const dashboard::Answer& answer) {
                 if (!answer.text) return ask->Respond(NotFound());
                 const bool is_yaml = ask->route.endpoint == Endpoint::kManifest;
                 ask->Respond(Tagged(
                     ask->request,
                     {.content_type = is_yaml ? "text/yaml; charset=utf-8" : "application/json",
                      .headers = {},
                      .body = answer.text},
                     TagOf(key + '\n' + answer.revision)));
               });
}

void Dashboard::ServeSession(const Ask& ask) const {
  schema::JsonWriter w;
  w.BeginObject().Member("user", ask.viewer.user).Member("mode", options_.mode);
  w.Member("version", options_.version).Key("features").BeginObject();
  w.Member("history", true).Member("plan", ask.viewer.SeesEverything()).Member("eta", true);
  w.Member("journal", past_.is_kept());
  w.EndObject().EndObject();
  ask.Respond({.headers = {}, .body = http::Share(w.Take())});
}

void Dashboard::ServeWorkloads(const std::shared_ptr<Ask>& ask) {
  const auto page = PageOf(ask->route.query);
  const auto filter = FilterOf(ask->route.query);
  if (!page || !filter) return ask->Respond(BadQuery());
  Answer(ask, [viewer = ask->viewer, page = *page, filter = *filter](
                  workload::ClusterState& cluster, base::Time) {
    return Printing(query::ListWorkloads(cluster, viewer, filter, page));
  });
}

void Dashboard::ServeQueue(const std::shared_ptr<Ask>& ask) {
  const auto page = PageOf(ask->route.query);
  if (!page) return ask->Respond(BadQuery());
  Answer(ask, [viewer = ask->viewer, page = *page, name = ask->route.NamespacedName(),
               is_local = ask->route.endpoint == Endpoint::kLocalQueue](
                  workload::ClusterState& cluster, base::Time now) {
    return is_local ? Printing(query::MakeLocalQueuePage(cluster, name, viewer, page, now))
                    : Printing(query::MakeClusterQueuePage(cluster, name, viewer, page, now));
  });
}

void Dashboard::ServeWorkload(const std::shared_ptr<Ask>& ask) {
  Answer(ask, [viewer = ask->viewer, name = ask->route.NamespacedName()](
                  workload::ClusterState& cluster, base::Time) {
    return Printing(query::MakeWorkloadPage(cluster, name, viewer));
  });
}

void Dashboard::ServeManifest(const std::shared_ptr<Ask>& ask) {
  Answer(ask, [viewer = ask->viewer, plural = ask->route.plural,
               name = ask->route.NamespacedName()](workload::ClusterState& cluster, base::Time) {
    return Answers::Print([text = query::ManifestText(cluster, plural, name, viewer)](
                              const std::string&) { return text.value_or(""); });
  });
}

void Dashboard::ServePlan(const std::shared_ptr<Ask>& ask) {
  if (!ask->viewer.SeesEverything())
    return ask->Respond(
        Forbidden("a plan needs permission to list workloads, queues, cohorts and "
                  "flavors in all namespaces"));
  what_if_.Plan(ask->request.body, ask->exchange->executor(),
                [ask](http::Response response) { ask->Respond(std::move(response)); });
}

void Dashboard::ServeEstimate(const std::shared_ptr<Ask>& ask) {
  if (!ask->viewer.workloads.Contains(ask->route.namespace_)) return ask->Respond(NotFound());
  what_if_.EstimateStart(ask->route.NamespacedName(), ask->exchange->executor(),
                         [ask](http::Response response) { ask->Respond(std::move(response)); });
}

void Dashboard::ServeLife(const std::shared_ptr<Ask>& ask) {
  if (!ask->viewer.workloads.Contains(ask->route.namespace_)) return ask->Respond(NotFound());
  past_.Life(ask->route.NamespacedName(), ask->exchange->executor(),
             [ask](http::Response response) { ask->Respond(std::move(response)); });
}

void Dashboard::ServePastQueue(const std::shared_ptr<Ask>& ask) {
  if (!ask->viewer.sees_cluster_queues) return ask->Respond(NotFound());
  const auto at = MomentOf(ask->route.query);
  if (!at)
    return ask->Respond(StatusResponse(400, "BadRequest", "malformed query: at is Unix seconds"));
  past_.Queue(ask->route.name, *at, ask->viewer, ask->exchange->executor(),
              [ask](http::Response response) { ask->Respond(std::move(response)); });
}

void Dashboard::ServeHistory(const std::shared_ptr<Ask>& ask) {
  const auto wanted = HistoryQueryOf(ask->route.query, ask->exchange->executor().Now().seconds());
  if (!wanted)
    return ask->Respond(StatusResponse(400, "BadRequest",
                                       "malformed query: from and to are Unix seconds, from is not "
                                       "after to, points is a number"));
  if (wanted->is_cohort ? !ask->viewer.sees_cohorts : !ask->viewer.sees_cluster_queues)
    return ask->Respond(NotFound());
  Answer(
      ask,
      [history = history_, wanted = *wanted](workload::ClusterState& cluster, base::Time now) {
        const query::UsageHistory::NodeHistory* found =
            history->usage.Find(wanted.is_cohort, wanted.name);
        if (found == nullptr) {  // it may be newer than the last sample
          history->usage.Sample(cluster, now);
          found = history->usage.Find(wanted.is_cohort, wanted.name);
        }
        if (found == nullptr)
          return Answers::Print([](const std::string&) { return std::string(); });
        return Answers::Print(
            [copy = *found, wanted](const std::string&) { return query::ToJson(copy, wanted); });
      },
      std::to_string(wanted->to));
}

}  // namespace berth::dashboard
