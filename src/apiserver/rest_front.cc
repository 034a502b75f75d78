#include "apiserver/rest_front.h"

#include <optional>
#include <thread>
#include <utility>
#include <variant>

#include "apiserver/discovery.h"
#include "apiserver/rest_accept.h"
#include "apiserver/rest_request.h"
#include "apiserver/rest_response.h"
#include "apiserver/rest_review.h"
#include "apiserver/rest_watch.h"
#include "base/sha1.h"
#include "schema/json_writer.h"

namespace berth::apiserver {
namespace {

using Kind = RestTarget::Kind;

std::string_view TargetPath(std::string_view target) { return target.substr(0, target.find('?')); }

bool IsHealthPath(std::string_view path) {
  for (const std::string_view root : {"/healthz", "/livez", "/readyz"}) {
    if (path == root || (path.starts_with(root) && path[root.size()] == '/')) return true;
  }
  return false;
}

HttpResponse PlainText(int status, std::string text) {
  return {.status = status,
          .content_type = "text/plain; charset=utf-8",
          .body = Share(std::move(text))};
}

HttpResponse NotFound() { return RenderFailure(UnknownResource()); }

HttpResponse NotAcceptable(std::string_view accepted) {
  return StatusResponse(406, store::reason::kNotAcceptable,
                        "only the following media types are accepted: " + std::string(accepted));
}

bool IsRead(const HttpRequest& request) {
  return request.method == "GET" || request.method == "HEAD";
}

HttpResponse OrNotFound(std::optional<std::string> document) {
  return document ? RenderJson(*std::move(document)) : NotFound();
}

// A document that clients keep: they hear 304 while theirs is the same.
HttpResponse Cached(const HttpRequest& request, HttpResponse response, std::string_view hash) {
  const std::string tag = "\"" + std::string(hash) + "\"";
  response.headers.emplace_back("ETag", tag);
  response.headers.emplace_back("Vary", "Accept");
  if (request.if_none_match != tag) return response;
  response.status = 304;
  response.body = nullptr;
  return response;
}

Caller CallerOf(const Subject& subject) {
  Caller caller{.user = subject.user, .groups = subject.groups};
  caller.groups.emplace_back("system:authenticated");
  return caller;
}

HttpResponse Render(const RestView& view, const store::Outcome<store::Reply>& reply,
                    base::Time now) {
  return reply ? RenderReply(view, *reply, now)
               : RenderFailure(reply.error(), view.presentation.encoding);
}

}  // namespace

RestFront::RestFront(Service& service, RestFrontOptions options)
    : service_(service), options_(std::move(options)) {}

bool RestFront::IsOpenToAll(std::string_view target) const {
  return IsHealthPath(TargetPath(target));
}

void RestFront::Handle(HttpRequest request, std::shared_ptr<HttpExchange> exchange) {
  if (options_.elsewhere && options_.elsewhere(request, exchange)) return;
  const RestTarget target = RestTarget::Parse(request.target);
  if (target.kind == Kind::kObjects && !IsReview(target))
    return HandleObjects(std::move(request), target, std::move(exchange));
  exchange->Respond(Answer(request, target));
}

// --- Objects ------------------------------------------------------------------------------------

void RestFront::HandleObjects(HttpRequest request, const RestTarget& target,
                              std::shared_ptr<HttpExchange> exchange) {
  std::shared_ptr<const Catalog> catalog = service_.Current();
  auto plan = PlanRequest(request, target, *catalog);
  if (!plan) return exchange->Respond(RenderFailure(plan.error()));
  if (const auto* watch = std::get_if<store::Watch>(&plan->what))
    return StreamWatch(service_, *watch, std::move(plan->view), std::move(catalog), *exchange);
  Perform(std::get<store::Call>(plan->what), std::move(plan->view), std::move(catalog),
          CallerOf(request.subject), std::move(exchange));
}

void RestFront::Perform(const store::Call& call, RestView view,
                        std::shared_ptr<const Catalog> catalog, const Caller& caller,
                        std::shared_ptr<HttpExchange> exchange) {
  // Reads are answered before Do returns, and need no detour; writes by the thread that stores.
  const std::thread::id thread = std::this_thread::get_id();
  service_.Do(call, caller,
              [thread, view = std::move(view), catalog = std::move(catalog),
               exchange = std::move(exchange)](store::Outcome<store::Reply> reply) mutable {
                store::Executor& executor = exchange->executor();
                auto respond = [view = std::move(view), catalog = std::move(catalog),
                                exchange = std::move(exchange), reply = std::move(reply)] {
                  exchange->Respond(Render(view, reply, exchange->executor().Now()));
                };
                if (std::this_thread::get_id() == thread) return respond();
                executor.Post(std::move(respond));
              });
}

// --- Everything else ----------------------------------------------------------------------------

HttpResponse RestFront::Answer(HttpRequest& request, const RestTarget& target) {
  if (IsReview(target)) return AnswerReview(request, target, options_.tokens);
  if (!IsRead(request))
    return StatusResponse(405, store::reason::kMethodNotAllowed,
                          "the server does not allow this method on the requested resource");
  if (target.kind != Kind::kOther) return AnswerDiscovery(request, target, *service_.Current());
  return AnswerOther(request, target);
}

HttpResponse RestFront::AnswerDiscovery(const HttpRequest& request, const RestTarget& target,
                                        const Catalog& catalog) const {
  if (target.kind == Kind::kGroup) return OrNotFound(GroupDocument(catalog, target.group));
  if (target.kind == Kind::kVersion)
    return OrNotFound(ResourcesDocument(catalog, target.group, target.version));
  const bool is_core = target.kind == Kind::kCoreVersions;
  const std::optional<std::string> form = ChooseDiscovery(request.accept);
  if (!form) return NotAcceptable("application/json");
  HttpResponse response = RenderJson(!form->empty() ? AggregatedDocument(catalog, is_core, *form)
                                     : is_core ? CoreVersionsDocument(catalog, options_.address)
                                               : GroupsDocument(catalog));
  if (!form->empty()) response.content_type = AggregatedContentType(*form);
  const std::string hash = base::Sha1Hex(*response.body);
  return Cached(request, std::move(response), hash);
}

HttpResponse RestFront::AnswerOther(const HttpRequest& request, const RestTarget& target) {
  if (IsHealthPath(target.path)) return PlainText(200, "ok");
  if (target.path == "/version" || target.path == "/version/") return AnswerVersion();
  if (target.path.starts_with("/openapi/")) return AnswerOpenApi(request, target.path);
  if (target.path == "/") return AnswerPaths(*service_.Current());
  if (target.path.starts_with("/api")) return NotFound();
  return PlainText(404, "404 page not found\n");
}

HttpResponse RestFront::AnswerVersion() const {
  schema::JsonWriter w;
  w.BeginObject().Member("major", "1").Member("minor", options_.kubernetes_minor);
  w.Member("gitVersion", "v1." + options_.kubernetes_minor + ".0+berth-" + options_.berth_version);
  w.Member("gitCommit", "").Member("gitTreeState", "clean").Member("buildDate", "");
  w.Member("goVersion", "none").Member("compiler", "none").Member("platform", "linux/amd64");
  w.EndObject();
  return RenderJson(w.Take());
}

HttpResponse RestFront::AnswerPaths(const Catalog& catalog) const {
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

std::shared_ptr<OpenApi> RestFront::CurrentOpenApi() {
  std::shared_ptr<const Catalog> catalog = service_.Current();
  const std::lock_guard lock(mutex_);
  if (openapi_ == nullptr || &openapi_->catalog() != catalog.get())
    openapi_ = std::make_shared<OpenApi>(std::move(catalog), options_.berth_version);
  return openapi_;
}

HttpResponse RestFront::AnswerOpenApi(const HttpRequest& request, std::string_view path) {
  constexpr std::string_view kIndex = "/openapi/v3";
  const std::shared_ptr<OpenApi> openapi = CurrentOpenApi();
  // Some clients ask for protocol buffers first. They are told that there are none, and take JSON.
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
