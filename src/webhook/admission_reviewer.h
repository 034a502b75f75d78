#pragma once

// The admission webhooks: jobs are suspended on create, invalid objects are rejected, suspicious
// ones get warnings. Pure: objects that the reviewed one refers to come through Lookup. In a
// cluster an AdmissionReview carries the request; the embedded server calls in process.

#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/config/configuration.h"
#include "api/config/feature_gates.h"
#include "api/kueue/cluster_queue.h"
#include "api/kueue/cohort.h"
#include "api/kueue/workload.h"
#include "api/meta/object.h"
#include "api/meta/validation_options.h"
#include "jobs/integration_set.h"
#include "jobs/managed.h"
#include "json/json.h"
#include "schema/problem.h"
#include "store/admission_request.h"
#include "webhook/lookup.h"
#include "webhook/quota_review.h"

namespace berth::webhook {

using store::AdmissionRequest;

class AdmissionReviewer {
 public:
  // The Configuration must be defaulted; the integrations must outlive the reviewer.
  AdmissionReviewer(const api::Configuration& configuration, const api::FeatureGates& gates,
                    const jobs::IntegrationSet& integrations);

  // The object to be stored, before API defaults.
  base::Result<json::value> Mutate(const AdmissionRequest& request, json::value object,
                                   const Lookup& lookup) const;

  // The reasons for rejection; empty if the write is allowed. `warnings` are for the user.
  schema::Problems Validate(const AdmissionRequest& request, const json::value& object,
                            const Lookup& lookup, std::vector<std::string>& warnings) const;

 private:
  bool HasDefaultQueue(const AdmissionRequest& request, const Lookup& lookup) const;
  // Whether the kind is managed, or the object is a pod through which a managed kind is queued.
  bool IsManagedKind(const jobs::Integration& integration, const json::value& object) const;

  // Warns of a job that is managed without a queue name.
  void WarnOfMissingQueue(const AdmissionRequest& request, const json::value& job,
                          const Lookup& lookup, std::vector<std::string>& warnings) const;
  void WarnOfQuota(const AdmissionRequest& request, const api::Workload& workload,
                   const Lookup& lookup, std::vector<std::string>& warnings) const;
  void WarnOfQuota(const AdmissionRequest& request, const jobs::Integration& integration,
                   const json::value& job, const Lookup& lookup,
                   std::vector<std::string>& warnings) const;

  bool CannotBorrow(const std::optional<api::AdmissionConstraints>& constraints) const;

  api::FeatureGates gates_;
  api::ValidationOptions options_;
  const jobs::IntegrationSet& integrations_;
  jobs::ManagedJobsPolicy managed_;
  QuotaReview quota_;
};

// The name of a kind's validating webhook: "vclusterqueue.kb.io".
std::string ValidatingWebhookName(std::string_view kind);

// The rejection as an API server words it: `admission webhook "…" denied the request: …`, with the
// hints of the problems.
std::string DenialMessage(std::string_view kind, const schema::Problems& problems);

}  // namespace berth::webhook
