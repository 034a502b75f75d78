#pragma once

// What the admission webhooks say of objects that are written: jobs wait from the moment they are
// created, nonsense is refused, what is probably not meant is warned of. Pure: what an object
// refers to is looked up through Lookup. In a cluster an AdmissionReview asks; the embedded server
// asks in process.

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/cluster_queue.h"
#include "api/cohort.h"
#include "api/configuration.h"
#include "api/feature_gates.h"
#include "api/object.h"
#include "api/validation_options.h"
#include "jobs/integration_set.h"
#include "jobs/managed.h"
#include "schema/problem.h"
#include "store/json.h"

namespace berth::webhook {

// A write that is about to happen.
struct Attempt {
  std::string_view api_version;
  std::string_view kind;
  std::string_view subresource;
  std::string_view namespace_;
  const store::json::value* old_object = nullptr;  // null when it is created
  // Both as their description reads them, for whom it saves reading them again; may be null.
  const api::Object* reading = nullptr;
  const api::Object* old_reading = nullptr;
};

// What there is besides the object.
class Lookup {
 public:
  virtual ~Lookup() = default;
  virtual api::Labels NamespaceLabels(std::string_view name) const = 0;
  virtual bool HasLocalQueue(std::string_view namespace_name, std::string_view name) const = 0;
  virtual bool HasWorkloadPriorityClass(std::string_view name) const = 0;
  // Nullopt if there is no such object, or one of another uid.
  virtual std::optional<store::json::value> FindOwner(std::string_view namespace_name,
                                                      const api::OwnerReference& owner) const = 0;
  // All there are; nothing where they cannot be seen, and then nothing is refused because of them.
  virtual std::vector<api::ClusterQueue> ClusterQueues() const { return {}; }
  virtual std::vector<api::Cohort> Cohorts() const { return {}; }
};

class Reviewer {
 public:
  // The Configuration must have its defaults; the integrations must outlive it.
  Reviewer(const api::Configuration& configuration, const api::FeatureGates& gates,
           const jobs::IntegrationSet& integrations);

  // The object as it is to be stored, before defaults.
  base::Result<store::json::value> Mutate(const Attempt& attempt, store::json::value object,
                                          const Lookup& lookup) const;

  // Why it is refused; empty if it is not. `warnings` are for the person who made the request.
  schema::Problems Validate(const Attempt& attempt, const store::json::value& object,
                            const Lookup& lookup, std::vector<std::string>& warnings) const;

 private:
  bool HasDefaultQueue(const Attempt& attempt, const Lookup& lookup) const;
  // Its kind is managed, or it is a pod through which a managed kind waits.
  bool IsConcerned(const jobs::Integration& integration, const store::json::value& object) const;

  api::FeatureGates gates_;
  api::ValidationOptions options_;
  const jobs::IntegrationSet& integrations_;
  jobs::ManagedJobsPolicy managed_;
};

// "vclusterqueue.kb.io": how clusters name the webhook that refuses objects of a kind.
std::string ValidatingWebhookName(std::string_view kind);

// The refusal in the words of an API server: `admission webhook "…" denied the request: …`.
std::string DenialMessage(std::string_view kind, const schema::Problems& problems);

}  // namespace berth::webhook
