#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "webhook/reviewer.h"

namespace berth::webhook_server {

enum class ReviewStage { kMutate, kValidate };

// The answer to an AdmissionReview (admission.k8s.io/v1): allowed, with a JSON Patch where
// something is to be changed, or denied with the reason. An Error if this is no review at all.
base::Result<std::string> AnswerAdmission(std::string_view review, ReviewStage stage,
                                          const webhook::Reviewer& reviewer,
                                          const webhook::Lookup& lookup);

// Where the webhooks of a kind are served: "/mutate-batch-v1-job", "/validate--v1-pod".
std::string WebhookPath(ReviewStage stage, std::string_view group, std::string_view version,
                        std::string_view kind);

}  // namespace berth::webhook_server
