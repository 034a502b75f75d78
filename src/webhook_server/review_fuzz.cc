// Any body of a webhook call has an answer in JSON with the uid of the request, or is an error. The
// first byte chooses the webhook.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "api/config/configuration.h"
#include "base/check.h"
#include "json/json.h"
#include "webhook/admission_reviewer.h"
#include "webhook_server/admission.h"
#include "webhook_server/conversion.h"

namespace {

using namespace berth;

// A cluster without objects.
class EmptyCluster final : public webhook::Lookup {
 public:
  api::Labels NamespaceLabels(std::string_view) const override { return {}; }
  bool HasLocalQueue(std::string_view, std::string_view) const override { return false; }
  bool HasWorkloadPriorityClass(std::string_view) const override { return false; }
  std::optional<json::value> FindOwner(std::string_view,
                                       const api::OwnerReference&) const override {
    return {};
  }
};

const webhook::AdmissionReviewer& Reviewer() {
  static const webhook::AdmissionReviewer kReviewer = [] {
    api::Configuration configuration;
    configuration.manage_jobs_without_queue_name = true;
    api::ApplyConfigurationDefaults(configuration);
    return webhook::AdmissionReviewer(configuration, api::FeatureGates(),
                                      jobs::IntegrationSet::BuiltIn());
  }();
  return kReviewer;
}

base::Result<std::string> AnswerTo(uint8_t choice, std::string_view body) {
  using webhook_server::ReviewStage;
  if (choice % 3 == 0) return webhook_server::AnswerConversion(body);
  return webhook_server::AnswerAdmission(
      body, choice % 3 == 1 ? ReviewStage::kMutate : ReviewStage::kValidate, Reviewer(),
      EmptyCluster());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view body(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto answer = AnswerTo(data[0], body);
  if (!answer) {
    CHECK(!answer.error().message.empty());
    return 0;
  }
  const auto tree = json::Parse(*answer);
  const auto request = json::Parse(body);
  CHECK(tree.has_value() && request.has_value());
  CHECK(json::StringAt(*tree, {"response", "uid"}) == json::StringAt(*request, {"request", "uid"}));
  return 0;
}
