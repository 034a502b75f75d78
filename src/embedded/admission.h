#pragma once

#include "apiserver/service.h"
#include "apiserver/service_admission.h"
#include "webhook/reviewer.h"

namespace berth::embedded {

// The webhooks of the embedded server, asked in process.
class Admission final : public apiserver::AdmissionHook {
 public:
  // Both must outlive it.
  Admission(apiserver::Service& service, const webhook::Reviewer& reviewer)
      : service_(service), reviewer_(reviewer) {}

  store::Outcome<void> Mutate(const apiserver::AdmissionAttempt& attempt,
                              store::json::value& object) override;
  store::Outcome<void> Validate(const apiserver::AdmissionAttempt& attempt,
                                const store::json::value& object) override;

 private:
  apiserver::Service& service_;
  const webhook::Reviewer& reviewer_;
};

}  // namespace berth::embedded
