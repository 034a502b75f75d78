#pragma once

// The semantics of the Kubernetes API, on top of Storage and without HTTP.
//
// A written object passes through: decoding (unknown fields are dropped, with a warning or an error
// as the request's fieldValidation says), server-set fields, mutating admission, defaulting,
// validation, managed fields, validating admission, storage. A write that changes nothing stores
// nothing and keeps the resourceVersion. Concurrent writes of an object are retried on the newer
// state unless the request has a resourceVersion.
//
// Kinds described in `api` are decoded, defaulted and validated by their description, custom
// resources by the schema of their CustomResourceDefinition. A definition is served from the moment
// its creation is answered.
//
// Deleting an object with finalizers marks it; it is removed with the last finalizer. The Collector
// (collector.h) deletes dependents and empties terminating namespaces.
//
// Thread-safe. Writes are prepared, and reads answered, on the calling thread; writes are
// answered on the storage thread.

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "apiserver/handler/admission.h"
#include "apiserver/handler/watch.h"
#include "apiserver/kinds.h"
#include "apiserver/rest/catalog.h"
#include "apiserver/storage/storage.h"
#include "base/error.h"
#include "base/time.h"
#include "store/store.h"

namespace berth::apiserver {

struct DecodedObjects;
struct HandlerRequest;
struct WriteDecision;

class ApiHandler final : public CatalogSource {
 public:
  struct Options {
    Storage::Options storage;
    std::function<base::Time()> now;  // the system clock if empty
    size_t largest_object_bytes = 3 << 20;
  };
  using Done = std::move_only_function<void(store::Outcome<store::Reply>)>;

  // Creates the namespaces default, kube-system, kube-public and kube-node-lease if missing.
  static base::Result<std::unique_ptr<ApiHandler>> Open(Options options);
  ~ApiHandler() override;

  // Call before the first request, in calling order. Hooks must outlive the handler.
  void AddHook(AdmissionHook& hook);

  // Calls `done` exactly once, possibly before returning.
  void Do(const store::Call& call, const Caller& caller, Done done);

  // Opens a pull-based watch; see WatchCursor. `wake` is called on any thread when there may be
  // more events; it must not block, call the handler or destroy the cursor.
  store::Outcome<std::unique_ptr<WatchCursor>> OpenWatch(const store::Watch& watch,
                                                         std::function<void()> wake);

  // Non-blocking lookup for admission hooks. Null if not found.
  Text Find(const store::Resource& resource, const std::string& namespace_,
            const std::string& name) const;

  // The number of objects of a kind, in all namespaces.
  size_t Count(const store::Resource& resource) const;

  std::shared_ptr<const KindTable> kinds() const;
  std::shared_ptr<const Catalog> Current() const override { return kinds()->catalog(); }
  Storage& storage() { return *storage_; }
  base::Time Now() const { return options_.now(); }

 private:
  using Decide = std::function<store::Outcome<WriteDecision>(const Item& head)>;

  ApiHandler(Options options, std::unique_ptr<Storage> storage);

  base::Result<void> MakeSystemNamespaces();
  void RefreshKinds();
  store::Outcome<HandlerRequest> Resolve(const store::Resource& resource,
                                         std::string_view namespace_, std::string_view name,
                                         std::string_view subresource, const Caller& caller) const;

  void Answer(const store::Get& call, const Caller& caller, Done done);
  void Answer(const store::List& call, const Caller& caller, Done done);
  void Answer(const store::Create& call, const Caller& caller, Done done);
  void Answer(const store::Update& call, const Caller& caller, Done done);
  void Answer(const store::Patch& call, const Caller& caller, Done done);
  void Answer(const store::Delete& call, const Caller& caller, Done done);
  void Answer(const store::DeleteCollection& call, const Caller& caller, Done done);

  store::Outcome<store::Reply> DoList(const store::List& call, const Caller& caller) const;

  // The common write loop: decide on the newest state and store; retry if another write came first.
  void Write(const std::shared_ptr<HandlerRequest>& request, const Decide& decide, Done done);
  void Stored(const HandlerRequest& request, const WriteDecision& decision,
              base::Result<Item> stored, Done& done);

  store::Outcome<WriteDecision> DecideCreate(HandlerRequest& request, json::value object);
  store::Outcome<WriteDecision> DecideUpdate(HandlerRequest& request, const Item& head,
                                             const json::value& old_object, json::value object);
  store::Outcome<WriteDecision> DecidePatch(HandlerRequest& request, const store::Patch& patch,
                                            const Item& head);
  store::Outcome<WriteDecision> DecideApply(HandlerRequest& request, const store::Patch& patch,
                                            const Item& head);
  store::Outcome<WriteDecision> DecideDelete(HandlerRequest& request,
                                             const store::DeleteOptions& options, const Item& head);
  store::Outcome<void> CheckNamespace(const HandlerRequest& request, WriteDecision& decision) const;
  store::Outcome<void> Mutate(HandlerRequest& request, Operation operation,
                              const json::value* old_object, json::value& object) const;
  store::Outcome<void> Validate(HandlerRequest& request, Operation operation,
                                const json::value* old_object, const json::value& object,
                                const DecodedObjects& decoded) const;

  Options options_;
  std::unique_ptr<Storage> storage_;
  std::vector<AdmissionHook*> hooks_;

  mutable std::mutex kinds_mutex_;
  std::shared_ptr<const KindTable> kinds_;
};

}  // namespace berth::apiserver
