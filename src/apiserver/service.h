#pragma once

// What requests mean: the semantics of Kubernetes' API server, on top of Storage and without HTTP.
//
// An object that is written passes, in this order: reading (fields that the kind does not know are
// dropped, with a warning or an error as the request wants it), what the server sets itself, the
// mutating hooks, defaults, validation, field ownership, the validating hooks, storing. A write
// that changes nothing stores nothing and gives no new version. Writes of one object that cross
// each other are tried again on the newer state, unless the request names the version it was made
// for.
//
// Objects of a described kind (`api`) are read, defaulted and checked by their description; those
// of a CustomResourceDefinition by its schema. A definition is served from the moment its creation
// is answered.
//
// Deleting an object with finalizers marks it; it goes with the last of them. What it owns is
// deleted by the Collector (collector.h), which also empties namespaces that are being deleted.
//
// Threads: any thread may call. Preparing a write, and answering a read, happens on the calling
// thread; a write is answered on the thread that stores.

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "apiserver/kinds.h"
#include "apiserver/rest_catalog.h"
#include "apiserver/service_admission.h"
#include "apiserver/service_watch.h"
#include "apiserver/storage.h"
#include "base/error.h"
#include "base/time.h"
#include "store/store.h"

namespace berth::apiserver {

struct Readings;
struct ServiceRequest;
struct WriteDecision;

class Service final : public CatalogSource {
 public:
  struct Options {
    Storage::Options storage;
    std::function<base::Time()> now;  // the system's clock if empty
    size_t largest_object_bytes = 3 << 20;
  };
  using Done = std::move_only_function<void(store::Outcome<store::Reply>)>;

  // Makes the namespaces default, kube-system, kube-public and kube-node-lease if they are missing.
  static base::Result<std::unique_ptr<Service>> Open(Options options);
  ~Service() override;

  // Before the first request; in the order in which they are to be asked. They must outlive it.
  void AddHook(AdmissionHook& hook);

  // Calls `done` exactly once, perhaps before it returns.
  void Do(const store::Call& call, const Caller& caller, Done done);

  // A watch, to be pulled; see WatchCursor. `wake` is called on any thread when there may be more,
  // must be quick, and must neither call the service nor end the cursor.
  store::Outcome<std::unique_ptr<WatchCursor>> OpenWatch(const store::Watch& watch,
                                                         std::function<void()> wake);

  // Does not wait for anything: for hooks that look up what a request refers to. Null if there is
  // none.
  Text Find(const store::Resource& resource, const std::string& namespace_,
            const std::string& name) const;

  std::shared_ptr<const KindTable> kinds() const;
  std::shared_ptr<const Catalog> Current() const override { return kinds()->catalog(); }
  Storage& storage() { return *storage_; }
  base::Time Now() const { return options_.now(); }

 private:
  using Decide = std::function<store::Outcome<WriteDecision>(const Item& head)>;

  Service(Options options, std::unique_ptr<Storage> storage);

  base::Result<void> MakeSystemNamespaces();
  void RefreshKinds();
  store::Outcome<ServiceRequest> Resolve(const store::Resource& resource,
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

  // The loop of all writes: decide on the newest state, store, and once more if it was overtaken.
  void Write(const std::shared_ptr<ServiceRequest>& request, const Decide& decide, Done done);
  void Stored(const ServiceRequest& request, const WriteDecision& decision,
              base::Result<Item> stored, Done& done);

  store::Outcome<WriteDecision> DecideCreate(ServiceRequest& request, store::json::value object);
  store::Outcome<WriteDecision> DecideUpdate(ServiceRequest& request, const Item& head,
                                             const store::json::value& old_object,
                                             store::json::value object);
  store::Outcome<WriteDecision> DecidePatch(ServiceRequest& request, const store::Patch& patch,
                                            const Item& head);
  store::Outcome<WriteDecision> DecideApply(ServiceRequest& request, const store::Patch& patch,
                                            const Item& head);
  store::Outcome<WriteDecision> DecideDelete(ServiceRequest& request,
                                             const store::DeleteOptions& options, const Item& head);
  store::Outcome<void> CheckNamespace(const ServiceRequest& request, WriteDecision& decision) const;
  store::Outcome<void> Mutate(ServiceRequest& request, Operation operation,
                              const store::json::value* old_object,
                              store::json::value& object) const;
  store::Outcome<void> Validate(ServiceRequest& request, Operation operation,
                                const store::json::value* old_object,
                                const store::json::value& object, const Readings& readings) const;
  store::Outcome<void> CheckSize(const Draft& draft) const;

  Options options_;
  std::unique_ptr<Storage> storage_;
  std::vector<AdmissionHook*> hooks_;

  mutable std::mutex kinds_mutex_;
  std::shared_ptr<const KindTable> kinds_;
};

}  // namespace berth::apiserver
