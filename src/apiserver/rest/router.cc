#include "apiserver/rest/router.h"

#include <optional>
#include <thread>
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

http::Response Render(const RestView& view, const store::Outcome<store::Reply>& reply,
                      base::Time now) {
  return reply ? RenderReply(view, *reply, now)
               : RenderFailure(reply.error(), view.presentation.encoding);
}

}  // namespace

RestRouter::RestRouter(ApiHandler& handler, RestRouterOptions options)
    : handler_(handler), options_(std::move(options)) {}

bool RestRouter::IsOpenToAll(std::string_view target) const {
  return IsHealthPath(TargetPath(target));
}

void RestRouter::Handle(http::Request request, std::shared_ptr<http::Exchange> exchange) {
  if (options_.intercept && options_.intercept(request, exchange)) return;
  const RestTarget target = RestTarget::Parse(request.target);
  if (target.kind == Kind::kObjects && !IsReview(target))
    return HandleObjects(std::move(request), target, std::move(exchange));
  exchange->Respond(Answer(request, target));
}

// --- Objects ------------------------------------------------------------------------------------

void RestRouter::HandleObjects(http::Request request, const RestTarget& target,
                               std::shared_ptr<http::Exchange> exchange) {
  std::shared_ptr<const Catalog> catalog = handler_.Current();
  auto plan = PlanRequest(request, target, *catalog);
  if (!plan) return exchange->Respond(RenderFailure(plan.error()));
  if (const auto* watch = std::get_if<store::Watch>(&plan->operation))
    return StreamWatch(handler_, *watch, std::move(plan->view), std::move(catalog), *exchange);
  Perform(std::get<store::Call>(plan->operation), std::move(plan->view), std::move(catalog),
          CallerOf(request.subject), std::move(exchange));
}

void RestRouter::Perform(const store::Call& call, RestView view,
                         std::shared_ptr<const Catalog> catalog, const Caller& caller,
                         std::shared_ptr<http::Exchange> exchange) {
  // Reads are answered before Do returns; writes on the storage thread.
  const std::thread::id thread = std::this_thread::get_id();
  handler_.Do(call, caller,
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
