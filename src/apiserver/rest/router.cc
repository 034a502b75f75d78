#include "apiserver/rest/router.h"

#include <optional>
#include <thread>
#include <type_traits>
#include <utility>
#include <variant>

#include "apiserver/openapi/protobuf.h"
#include "apiserver/rest/accept.h"
#include "apiserver/rest/discovery.h"
#include "apiserver/rest/request.h"
#include "apiserver/rest/response.h"
#include "apiserver/rest/review.h"
#include "apiserver/rest/watch.h"
#include "base/sha1.h"
#include "schema/json/writer.h"

namespace berth::apiserver {
namespace {

using Kind = RestTarget::Kind;

// A request takes about a microsecond for each ten bytes that it reads or writes.
constexpr size_t kQuickBytes = 64 << 10;
constexpr size_t kQuickObjects = 500;

std::string_view TargetPath(std::string_view target) { return target.substr(0, target.find('?')); }

bool IsHealthPath(std::string_view path) {
  for (const std::string_view root : {"/healthz", "/livez", "/readyz"}) {
    if (path == root || (path.starts_with(root) && path[root.size()] == '/')) return true;
  }
  return false;
}

http::Response PlainText(int status, std::string text) {
  return {.status = status,
          .content_type = "text/plain; charset=utf-8",
          .body = http::Share(std::move(text))};
}

http::Response NotFound() { return RenderFailure(UnknownResource()); }

http::Response NotAcceptable(std::string_view accepted) {
  return http::StatusResponse(
      406, store::reason::kNotAcceptable,
      "only the following media types are accepted: " + std::string(accepted));
}

// Every user of the server may do everything, so no user has fewer rights.
http::Response NoImpersonation() {
  return http::StatusResponse(
      403, store::reason::kForbidden,
      "impersonation is not supported; leave out --as, --as-group and --as-uid");
}

bool IsRead(const http::Request& request) {
  return request.method == "GET" || request.method == "HEAD";
}

http::Response OrNotFound(std::optional<std::string> document) {
  return document ? RenderJson(*std::move(document)) : NotFound();
}

bool PrefersOpenApiProtobuf(std::string_view accept) {
  const std::string type = ParseAccept(accept).front().type;
  return type == kOpenApiProtobufType || type == kOldOpenApiProtobufType;
}

// A response with an ETag; 304 if the client's copy is current.
http::Response Cached(const http::Request& request, http::Response response,
                      std::string_view hash) {
  const std::string tag = "\"" + std::string(hash) + "\"";
  response.headers.emplace_back("ETag", tag);
  response.headers.emplace_back("Vary", "Accept");
  if (request.if_none_match != tag) return response;
  response.status = 304;
  response.body = nullptr;
  return response;
}

Caller CallerOf(const http::Subject& subject) {
  Caller caller{.user = subject.user, .groups = subject.groups};
  caller.groups.emplace_back("system:authenticated");
  return caller;
}

// `is_here`: on the thread of the exchange. Another thread keeps nothing of the exchange, which is
// destroyed on its own.
void Send(std::shared_ptr<http::Exchange> exchange, http::Response response, bool is_here) {
  if (is_here) return exchange->Respond(std::move(response));
  store::Executor& executor = exchange->executor();
  executor.Post([exchange = std::move(exchange), response = std::move(response)]() mutable {
    exchange->Respond(std::move(response));
  });
}

http::Response Render(const RestView& view, const store::Outcome<store::Reply>& reply,
                      base::Time now) {
  return reply ? RenderReply(view, *reply, now)
               : RenderFailure(reply.error(), view.presentation.encoding);
}

}  // namespace

RestRouter::RestRouter(ApiHandler& handler, RestRouterOptions options)
    : handler_(handler), options_(std::move(options)), slow_thread_([this] { slow_work_.Run(); }) {}

RestRouter::~RestRouter() {
  slow_work_.Stop();
  slow_thread_.join();
}

bool RestRouter::IsOpenToAll(std::string_view target) const {
  return IsHealthPath(TargetPath(target));
}

void RestRouter::Handle(http::Request request, std::shared_ptr<http::Exchange> exchange) {
  if (request.is_impersonated) return exchange->Respond(NoImpersonation());
  if (options_.intercept && options_.intercept(request, exchange)) return;
  const RestTarget target = RestTarget::Parse(request.target);
  if (target.kind != Kind::kObjects || IsReview(target))
    return exchange->Respond(Answer(request, target));
  if (IsRead(request) || request.body.size() <= kQuickBytes)
    return HandleObjects(std::move(request), target, std::move(exchange));
  slow_work_.Post([this, request = std::move(request), exchange = std::move(exchange)]() mutable {
    const std::string text = request.target;
    HandleObjects(std::move(request), RestTarget::Parse(text), std::move(exchange));
  });
}

// --- Objects ------------------------------------------------------------------------------------

// A call and the answer to it.
struct RestRouter::Work {
  store::Call call;
  RestView view;
  std::shared_ptr<const Catalog> catalog;
  Caller caller;
  std::shared_ptr<http::Exchange> exchange;

  http::Response Answer(const store::Outcome<store::Reply>& reply) const {
    return Render(view, reply, exchange->executor().Now());
  }
};

void RestRouter::HandleObjects(http::Request request, const RestTarget& target,
                               std::shared_ptr<http::Exchange> exchange) {
  std::shared_ptr<const Catalog> catalog = handler_.Current();
  auto plan = PlanRequest(request, target, *catalog);
  const bool is_here = std::this_thread::get_id() != slow_thread_.get_id();
  if (!plan) return Send(std::move(exchange), RenderFailure(plan.error()), is_here);
  const auto* watch = std::get_if<store::Watch>(&plan->operation);
  if (watch != nullptr && !is_here) return Send(std::move(exchange), NotFound(), is_here);
  if (watch != nullptr)
    return StreamWatch(handler_, *watch, std::move(plan->view), std::move(catalog), *exchange);
  Work work{.call = std::get<store::Call>(std::move(plan->operation)),
            .view = std::move(plan->view),
            .catalog = std::move(catalog),
            .caller = CallerOf(request.subject),
            .exchange = std::move(exchange)};
  if (!is_here) return PerformSlowly(std::move(work));
  if (!MayTakeLong(work.call)) return Perform(std::move(work));
  slow_work_.Post([this, work = std::move(work)]() mutable { PerformSlowly(std::move(work)); });
}

// By the size of what it reads.
bool RestRouter::MayTakeLong(const store::Call& call) const {
  return std::visit(
      [this]<class T>(const T& specific) {
        if constexpr (requires { specific.name; }) {
          const Text stored = handler_.Find(specific.resource, specific.namespace_, specific.name);
          return stored != nullptr && stored->size() > kQuickBytes;
        } else if constexpr (std::is_same_v<T, store::Create>) {
          return false;
        } else {
          return handler_.Count(specific.resource) > kQuickObjects;
        }
      },
      call);
}

void RestRouter::Perform(Work work) {
  // Reads are answered before Do returns; writes on the storage thread.
  const std::thread::id thread = std::this_thread::get_id();
  const store::Call call = std::move(work.call);
  const Caller caller = std::move(work.caller);
  handler_.Do(call, caller,
              [thread, work = std::move(work)](store::Outcome<store::Reply> reply) mutable {
                store::Executor& executor = work.exchange->executor();
                auto respond = [work = std::move(work), reply = std::move(reply)] {
                  work.exchange->Respond(work.Answer(reply));
                };
                if (std::this_thread::get_id() == thread) return respond();
                executor.Post(std::move(respond));
              });
}

// On the thread for slow work, where the answer is rendered, too.
void RestRouter::PerformSlowly(Work work) {
  const store::Call call = std::move(work.call);
  const Caller caller = std::move(work.caller);
  handler_.Do(call, caller,
              [this, work = std::move(work)](store::Outcome<store::Reply> reply) mutable {
                auto respond = [work = std::move(work), reply = std::move(reply)]() mutable {
                  http::Response response = work.Answer(reply);
                  Send(std::move(work.exchange), std::move(response), false);
                };
                if (std::this_thread::get_id() == slow_thread_.get_id()) return respond();
                slow_work_.Post(std::move(respond));
              });
}

// --- Other paths --------------------------------------------------------------------------------

http::Response RestRouter::Answer(http::Request& request, const RestTarget& target) {
  if (IsReview(target)) return AnswerReview(request, target, options_.tokens);
  if (!IsRead(request))
    return http::StatusResponse(405, store::reason::kMethodNotAllowed,
                                "the server does not allow this method on the requested resource");
  if (target.kind != Kind::kOther) return AnswerDiscovery(request, target, *handler_.Current());
  return AnswerOther(request, target);
}

http::Response RestRouter::AnswerDiscovery(const http::Request& request, const RestTarget& target,
                                           const Catalog& catalog) const {
  if (target.kind == Kind::kGroup) return OrNotFound(GroupDocument(catalog, target.group));
  if (target.kind == Kind::kVersion)
    return OrNotFound(ResourcesDocument(catalog, target.group, target.version));
  const bool is_core = target.kind == Kind::kCoreVersions;
  const std::optional<std::string> form = ChooseDiscovery(request.accept);
  if (!form) return NotAcceptable("application/json");
  http::Response response = RenderJson(!form->empty() ? AggregatedDocument(catalog, is_core, *form)
                                       : is_core ? CoreVersionsDocument(catalog, options_.address)
                                                 : GroupsDocument(catalog));
  if (!form->empty()) response.content_type = AggregatedContentType(*form);
  const std::string hash = base::Sha1Hex(*response.body);
  return Cached(request, std::move(response), hash);
}

http::Response RestRouter::AnswerOther(const http::Request& request, const RestTarget& target) {
  if (IsHealthPath(target.path)) return PlainText(200, "ok");
  if (target.path == "/version" || target.path == "/version/") return AnswerVersion();
  if (target.path.starts_with("/openapi/")) return AnswerOpenApi(request, target.path);
  if (target.path == "/") return AnswerPaths(*handler_.Current());
  if (target.path.starts_with("/api")) return NotFound();
  return PlainText(404, "404 page not found\n");
}

http::Response RestRouter::AnswerVersion() const {
  schema::JsonWriter w;
  w.BeginObject().Member("major", "1").Member("minor", options_.kubernetes_minor);
  w.Member("gitVersion", "v1." + options_.kubernetes_minor + ".0+berth-" + options_.berth_version);
  w.Member("gitCommit", "").Member("gitTreeState", "clean").Member("buildDate", "");
  w.Member("goVersion", "none").Member("compiler", "none").Member("platform", "linux/amd64");
  w.EndObject();
  return RenderJson(w.Take());
}

http::Response RestRouter::AnswerPaths(const Catalog& catalog) const {
  schema::JsonWriter w;
  w.BeginObject().Key("paths").BeginArray().Value("/api");
  for (const Catalog::GroupVersion& version : catalog.versions())
    w.Value((version.group.empty() ? "/api/" : "/apis/") + version.Name());
  for (const std::string_view path :
       {"/apis", "/healthz", "/livez", "/openapi/v2", "/openapi/v3", "/readyz", "/version"})
    w.Value(path);
  w.EndArray().EndObject();
  return RenderJson(w.Take());
}

std::shared_ptr<OpenApi> RestRouter::CurrentOpenApi() {
  std::shared_ptr<const Catalog> catalog = handler_.Current();
  const std::lock_guard lock(mutex_);
  if (openapi_ == nullptr || &openapi_->catalog() != catalog.get())
    openapi_ = std::make_shared<OpenApi>(std::move(catalog), options_.berth_version);
  return openapi_;
}

http::Response RestRouter::AnswerOpenApi(const http::Request& request, std::string_view path) {
  constexpr std::string_view kIndex = "/openapi/v3";
  const std::shared_ptr<OpenApi> openapi = CurrentOpenApi();
  if (path == "/openapi/v2" && PrefersOpenApiProtobuf(request.accept)) {
    const Document document = openapi->Version2Protobuf();
    return Cached(
        request,
        {.content_type = std::string(kOpenApiProtobufType), .headers = {}, .body = document.text},
        document.hash);
  }
  // Some clients try protobuf first and fall back to JSON on 406.
  if (!ChoosePresentation(request.accept)) return NotAcceptable("application/json");
  const Document document = path == "/openapi/v2"                      ? openapi->Version2()
                            : path == kIndex || path == "/openapi/v3/" ? openapi->Index()
                            : path.starts_with("/openapi/v3/")
                                ? openapi->Version3(path.substr(kIndex.size() + 1))
                                : Document{};
  if (document.text == nullptr) return NotFound();
  return Cached(request, {.body = document.text}, document.hash);
}

}  // namespace berth::apiserver
