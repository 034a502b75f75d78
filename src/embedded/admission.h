#pragma once

#include "apiserver/handler/admission.h"
#include "apiserver/handler/api_handler.h"
#include "webhook/admission_reviewer.h"

namespace berth::embedded {

// The admission webhooks of the embedded server, called in process.
class Admission final : public apiserver::AdmissionHook {
 public:
  // Both must outlive the hook.
  Admission(apiserver::ApiHandler& handler, const webhook::AdmissionReviewer& reviewer)
      : handler_(handler), reviewer_(reviewer) {}

  store::Outcome<void> Mutate(const store::AdmissionRequest& request, json::value& object,
                              std::vector<std::string>& warnings) override;
  store::Outcome<void> Validate(const store::AdmissionRequest& request, const json::value& object,
                                std::vector<std::string>& warnings) override;

 private:
  apiserver::ApiHandler& handler_;
  const webhook::AdmissionReviewer& reviewer_;
};

}  // namespace berth::embedded
