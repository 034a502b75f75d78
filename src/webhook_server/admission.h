#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "webhook/admission_reviewer.h"

namespace berth::webhook_server {

enum class ReviewStage { kMutate, kValidate };

// The response to an AdmissionReview (admission.k8s.io/v1): allowed, with a JSON Patch for a
// mutation, or denied with the reason. An Error if the text is not an AdmissionReview.
base::Result<std::string> AnswerAdmission(std::string_view review, ReviewStage stage,
                                          const webhook::AdmissionReviewer& reviewer,
                                          const webhook::Lookup& lookup);

// The path of the webhook of a kind: "/mutate-batch-v1-job", "/validate--v1-pod".
std::string WebhookPath(ReviewStage stage, std::string_view group, std::string_view version,
                        std::string_view kind);

}  // namespace berth::webhook_server
