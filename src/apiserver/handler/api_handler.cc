#include "apiserver/handler/api_handler.h"

#include <future>
#include <utility>
#include <variant>

#include "apiserver/handler/decision.h"
#include "apiserver/handler/objects.h"
#include "apiserver/handler/request.h"
#include "apiserver/object_tree.h"
#include "store/system_time.h"

namespace berth::apiserver {
namespace {

constexpr int kMostAttempts = 50;

// The failure for a journal error.
store::Failure NotStored(const base::Error& error) {
  return store::InternalError(base::ToString(error));
}

AdmissionRequest AdmissionRequestOf(const HandlerRequest& request, Operation operation,
                                    const json::value* old_object) {
  return {.operation = operation,
          .resource = request.stored().resource,
          .subresource = request.subresource,
          .namespace_ = request.namespace_,
          .name = request.name,
          .user = request.caller.user,
          .old_object = old_object};
}

}  // namespace

base::Result<std::unique_ptr<ApiHandler>> ApiHandler::Open(Options options) {
  auto storage = Storage::Open(options.storage);
  if (!storage) return std::unexpected(storage.error());
  if (!options.now) options.now = &store::SystemTime;
  std::unique_ptr<ApiHandler> handler(new ApiHandler(std::move(options), std::move(*storage)));
  handler->RefreshKinds();
  if (auto made = handler->MakeSystemNamespaces(); !made) return std::unexpected(made.error());
  return handler;
}

ApiHandler::ApiHandler(Options options, std::unique_ptr<Storage> storage)
    : options_(std::move(options)), storage_(std::move(storage)) {}

ApiHandler::~ApiHandler() = default;

void ApiHandler::AddHook(AdmissionHook& hook) { hooks_.push_back(&hook); }

base::Result<void> ApiHandler::MakeSystemNamespaces() {
  const store::Resource resource{
      .group = {}, .version = "v1", .plural = "namespaces", .kind = "Namespace"};
  for (const std::string name : {"default", "kube-node-lease", "kube-public", "kube-system"}) {
    std::promise<base::Result<void>> done;
    Do(store::Create{.resource = resource,
                     .object = R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":")" +
                               name + "\"}}"},
       Caller{}, [&](store::Outcome<store::Reply> reply) {
         const bool is_there = reply || reply.error().IsAlreadyExists();
         done.set_value(is_there ? base::Result<void>() : base::Fail(reply.error().message()));
       });
    if (auto made = done.get_future().get(); !made) return made;
  }
  return {};
}

void ApiHandler::RefreshKinds() {
  const std::lock_guard lock(kinds_mutex_);
  std::vector<json::value> definitions;
  const auto stored = storage_->Read({.collection = std::string(kDefinitionCollection)});
  for (const RangeItem& item : stored->items)
    if (auto definition = json::Parse(*item.item.text))
      definitions.push_back(std::move(*definition));
  kinds_ = std::make_shared<const KindTable>(definitions);
}

std::shared_ptr<const KindTable> ApiHandler::kinds() const {
  const std::lock_guard lock(kinds_mutex_);
  return kinds_;
}

Text ApiHandler::Find(const store::Resource& resource, const std::string& namespace_,
                      const std::string& name) const {
  const StoredKind* kind = kinds()->Find(resource.group, resource.plural);
  if (kind == nullptr) return nullptr;
  return storage_
      ->Get({.collection = kind->collection,
             .namespace_ = kind->resource.is_namespaced ? namespace_ : "",
             .name = name})
      .text;
}

size_t ApiHandler::Count(const store::Resource& resource) const {
  const StoredKind* kind = kinds()->Find(resource.group, resource.plural);
  return kind == nullptr ? 0 : storage_->Count(kind->collection);
}

store::Outcome<HandlerRequest> ApiHandler::Resolve(const store::Resource& resource,
                                                   std::string_view namespace_,
                                                   std::string_view name,
                                                   std::string_view subresource,
                                                   const Caller& caller) const {
  HandlerRequest request{.kinds = kinds(),
                         .namespace_ = std::string(namespace_),
                         .name = std::string(name),
                         .subresource = std::string(subresource),
                         .caller = caller,
                         .most_bytes = options_.largest_object_bytes};
  request.kind = request.kinds->Find(resource.group, resource.plural);
  if (request.kind != nullptr) request.version = request.kind->FindVersion(resource.version);
  const bool is_known = request.version != nullptr &&
                        (!request.IsStatus() || request.has_status()) &&
                        (!request.IsScale() || request.version->scale) &&
                        (subresource.empty() || request.IsStatus() || request.IsScale());
  if (!is_known) {
    store::Failure failure = store::NotFound(resource, "");
    failure.status.message = "the server could not find the requested resource";
    return std::unexpected(failure);
  }
  request.api_version = resource.ApiVersion();
  request.owners_version =
      request.is_previous() ? request.resource().ApiVersion() : request.api_version;
  if (!request.resource().is_namespaced) request.namespace_.clear();
  if (!request.version->deprecation_warning.empty())
    request.warnings.push_back(request.version->deprecation_warning);
  return request;
}

void ApiHandler::Do(const store::Call& call, const Caller& caller, Done done) {
  std::visit([&](const auto& specific) { Answer(specific, caller, std::move(done)); }, call);
}

void ApiHandler::Write(const std::shared_ptr<HandlerRequest>& request, const Decide& decide,
                       Done done) {
  const auto shared_done = std::make_shared<Done>(std::move(done));
  const size_t warnings = request->warnings.size();
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    request->warnings.resize(warnings);
    auto decision = decide(storage_->Head(request->id()));
    if (!decision) return (*shared_done)(std::unexpected(decision.error()));
    if (decision->kind == WriteDecision::Kind::kNothing || decision->is_dry_run)
      return (*shared_done)(ReplyTo(*request, *decision, decision->Preview()));
    Proposal proposal = std::move(decision->proposal);
    const bool is_taken = storage_->Propose(
        std::move(proposal),
        [this, request, shared_done, summary = decision->Summary()](base::Result<Item> stored) {
          Stored(*request, summary, std::move(stored), *shared_done);
        });
    if (is_taken) return;
  }
  (*shared_done)(std::unexpected(
      store::Conflict(request->resource(), request->name, store::kObjectWasModified)));
}

void ApiHandler::Stored(const HandlerRequest& request, const WriteDecision& decision,
                        base::Result<Item> stored, Done& done) {
  if (!stored) return done(std::unexpected(NotStored(stored.error())));
  if (request.kind->collection == kDefinitionCollection) RefreshKinds();
  done(ReplyTo(request, decision, *stored));
}

store::Outcome<void> ApiHandler::Mutate(HandlerRequest& request, Operation operation,
                                        const json::value* old_object, json::value& object) const {
  const AdmissionRequest admission = AdmissionRequestOf(request, operation, old_object);
  for (AdmissionHook* hook : hooks_) {
    if (auto allowed = hook->Mutate(admission, object, request.warnings); !allowed) return allowed;
  }
  return {};
}

store::Outcome<void> ApiHandler::Validate(HandlerRequest& request, Operation operation,
                                          const json::value* old_object, const json::value& object,
                                          const DecodedObjects& decoded) const {
  AdmissionRequest admission = AdmissionRequestOf(request, operation, old_object);
  if (decoded.object) admission.decoded = &*decoded.object;
  if (decoded.old_object) admission.old_decoded = &*decoded.old_object;
  for (AdmissionHook* hook : hooks_) {
    if (auto allowed = hook->Validate(admission, object, request.warnings); !allowed)
      return allowed;
  }
  return {};
}

}  // namespace berth::apiserver
