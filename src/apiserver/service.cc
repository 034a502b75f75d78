#include "apiserver/service.h"

#include <future>
#include <utility>
#include <variant>

#include "apiserver/object_tree.h"
#include "apiserver/service_decision.h"
#include "apiserver/service_objects.h"
#include "apiserver/service_request.h"
#include "store/system_time.h"

namespace berth::apiserver {
namespace {

constexpr int kMostAttempts = 50;

// The Status of a journal that does not store.
store::Failure NotStored(const base::Error& error) {
  return store::InternalError(base::ToString(error));
}

AdmissionAttempt AttemptOf(ServiceRequest& request, Operation operation,
                           const json::value* old_object) {
  return {.operation = operation,
          .resource = request.stored().resource,
          .subresource = request.subresource,
          .namespace_ = request.namespace_,
          .name = request.name,
          .caller = request.caller,
          .is_dry_run = request.options.is_dry_run,
          .old_object = old_object,
          .warnings = request.warnings};
}

}  // namespace

base::Result<std::unique_ptr<Service>> Service::Open(Options options) {
  auto storage = Storage::Open(options.storage);
  if (!storage) return std::unexpected(storage.error());
  if (!options.now) options.now = &store::SystemTime;
  std::unique_ptr<Service> service(new Service(std::move(options), std::move(*storage)));
  service->RefreshKinds();
  if (auto made = service->MakeSystemNamespaces(); !made) return std::unexpected(made.error());
  return service;
}

Service::Service(Options options, std::unique_ptr<Storage> storage)
    : options_(std::move(options)), storage_(std::move(storage)) {}

Service::~Service() = default;

void Service::AddHook(AdmissionHook& hook) { hooks_.push_back(&hook); }

base::Result<void> Service::MakeSystemNamespaces() {
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

void Service::RefreshKinds() {
  const std::lock_guard lock(kinds_mutex_);
  std::vector<json::value> definitions;
  const auto stored = storage_->Read({.collection = std::string(kDefinitionCollection)});
  for (const RangeItem& item : stored->items)
    if (auto definition = store::ParseJson(*item.item.text))
      definitions.push_back(std::move(*definition));
  kinds_ = std::make_shared<const KindTable>(definitions);
}

std::shared_ptr<const KindTable> Service::kinds() const {
  const std::lock_guard lock(kinds_mutex_);
  return kinds_;
}

Text Service::Find(const store::Resource& resource, const std::string& namespace_,
                   const std::string& name) const {
  const StoredKind* kind = kinds()->Find(resource.group, resource.plural);
  if (kind == nullptr) return nullptr;
  return storage_
      ->Get({.collection = kind->collection,
             .namespace_ = kind->resource.is_namespaced ? namespace_ : "",
             .name = name})
      .text;
}

store::Outcome<ServiceRequest> Service::Resolve(const store::Resource& resource,
                                                std::string_view namespace_, std::string_view name,
                                                std::string_view subresource,
                                                const Caller& caller) const {
  ServiceRequest request{.kinds = kinds(),
                         .namespace_ = std::string(namespace_),
                         .name = std::string(name),
                         .subresource = std::string(subresource),
                         .caller = caller};
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
      request.is_former() ? request.resource().ApiVersion() : request.api_version;
  if (!request.resource().is_namespaced) request.namespace_.clear();
  if (!request.version->deprecation_warning.empty())
    request.warnings.push_back(request.version->deprecation_warning);
  return request;
}

void Service::Do(const store::Call& call, const Caller& caller, Done done) {
  std::visit([&](const auto& specific) { Answer(specific, caller, std::move(done)); }, call);
}

void Service::Write(const std::shared_ptr<ServiceRequest>& request, const Decide& decide,
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

void Service::Stored(const ServiceRequest& request, const WriteDecision& decision,
                     base::Result<Item> stored, Done& done) {
  if (!stored) return done(std::unexpected(NotStored(stored.error())));
  if (request.kind->collection == kDefinitionCollection) RefreshKinds();
  done(ReplyTo(request, decision, *stored));
}

store::Outcome<void> Service::Mutate(ServiceRequest& request, Operation operation,
                                     const json::value* old_object, json::value& object) const {
  const AdmissionAttempt attempt = AttemptOf(request, operation, old_object);
  for (AdmissionHook* hook : hooks_) {
    if (auto allowed = hook->Mutate(attempt, object); !allowed) return allowed;
  }
  return {};
}

store::Outcome<void> Service::Validate(ServiceRequest& request, Operation operation,
                                       const json::value* old_object, const json::value& object,
                                       const Readings& readings) const {
  AdmissionAttempt attempt = AttemptOf(request, operation, old_object);
  if (readings.object) attempt.reading = &*readings.object;
  if (readings.old_object) attempt.old_reading = &*readings.old_object;
  for (AdmissionHook* hook : hooks_) {
    if (auto allowed = hook->Validate(attempt, object); !allowed) return allowed;
  }
  return {};
}

store::Outcome<void> Service::CheckSize(const Draft& draft) const {
  if (draft.text.size() <= options_.largest_object_bytes) return {};
  return std::unexpected(
      store::TooLarge("limit is " + std::to_string(options_.largest_object_bytes) + " bytes"));
}

}  // namespace berth::apiserver
