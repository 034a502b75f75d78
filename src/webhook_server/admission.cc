#include "webhook_server/admission.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "apiserver/base64.h"
#include "schema/json_writer.h"
#include "store/json.h"
#include "webhook_server/json_patch.h"

namespace berth::webhook_server {
namespace {

namespace json = store::json;

constexpr int kForbidden = 403;
constexpr int kBadRequest = 400;

// What is said of a write.
struct Verdict {
  int code = 0;  // 0: allowed
  std::string message;
  json::array patch;
  std::vector<std::string> warnings;
};

// The API server puts the name of the webhook in front by itself.
std::string WithoutWebhookName(const std::string& denial) {
  constexpr std::string_view kMark = "denied the request: ";
  const size_t at = denial.find(kMark);
  return at == std::string::npos ? denial : denial.substr(at + kMark.size());
}

class AdmissionRequestView {
 public:
  explicit AdmissionRequestView(const json::value& request)
      : request_(request), api_version_(ApiVersionOf(request)) {}

  std::string_view uid() const { return store::JsonStringAt(request_, {"uid"}); }
  // Only what is created or changed is looked at.
  bool IsWrite() const {
    const std::string_view operation = store::JsonStringAt(request_, {"operation"});
    return operation == "CREATE" || operation == "UPDATE";
  }
  const json::value* object() const { return ObjectAt("object"); }

  webhook::Attempt Attempt() const {
    const bool is_update = store::JsonStringAt(request_, {"operation"}) == "UPDATE";
    return {.api_version = api_version_,
            .kind = store::JsonStringAt(request_, {"kind", "kind"}),
            .subresource = store::JsonStringAt(request_, {"subResource"}),
            .namespace_ = store::JsonStringAt(request_, {"namespace"}),
            .old_object = is_update ? ObjectAt("oldObject") : nullptr};
  }

 private:
  static std::string ApiVersionOf(const json::value& request) {
    const std::string_view group = store::JsonStringAt(request, {"kind", "group"});
    const std::string_view version = store::JsonStringAt(request, {"kind", "version"});
    return group.empty() ? std::string(version) : std::string(group) + "/" + std::string(version);
  }

  const json::value* ObjectAt(std::string_view key) const {
    const json::value* found = store::FindJson(request_, {key});
    return found != nullptr && found->is_object() ? found : nullptr;
  }

  const json::value& request_;
  std::string api_version_;
};

Verdict MutateVerdict(const AdmissionRequestView& request, const webhook::Reviewer& reviewer,
                      const webhook::Lookup& lookup) {
  const json::value& object = *request.object();
  const auto changed = reviewer.Mutate(request.Attempt(), object, lookup);
  if (!changed) return {.code = kBadRequest, .message = base::ToString(changed.error())};
  return {.patch = JsonPatchBetween(object, *changed)};
}

Verdict ValidateVerdict(const AdmissionRequestView& request, const webhook::Reviewer& reviewer,
                        const webhook::Lookup& lookup) {
  Verdict verdict;
  const webhook::Attempt attempt = request.Attempt();
  const schema::Problems problems =
      reviewer.Validate(attempt, *request.object(), lookup, verdict.warnings);
  if (problems.empty()) return verdict;
  verdict.code = kForbidden;
  verdict.message = WithoutWebhookName(webhook::DenialMessage(attempt.kind, problems));
  return verdict;
}

std::string AnswerText(const AdmissionRequestView& request, const Verdict& verdict) {
  schema::JsonWriter w;
  w.BeginObject().Member("apiVersion", "admission.k8s.io/v1").Member("kind", "AdmissionReview");
  w.Key("response").BeginObject().Member("uid", request.uid());
  w.Member("allowed", verdict.code == 0);
  if (verdict.code != 0) {
    w.Key("status").BeginObject().Member("status", "Failure").Member("code", verdict.code);
    w.Member("reason", verdict.code == kForbidden ? "Forbidden" : "BadRequest");
    w.Member("message", verdict.message).EndObject();
  }
  if (!verdict.patch.empty()) {
    w.Member("patchType", "JSONPatch");
    w.Member("patch", apiserver::EncodeBase64(store::PrintJson(verdict.patch)));
  }
  if (!verdict.warnings.empty()) {
    w.Key("warnings").BeginArray();
    for (const std::string& warning : verdict.warnings) w.Value(warning);
    w.EndArray();
  }
  w.EndObject().EndObject();
  return w.text();
}

}  // namespace

base::Result<std::string> AnswerAdmission(std::string_view review, ReviewStage stage,
                                          const webhook::Reviewer& reviewer,
                                          const webhook::Lookup& lookup) {
  const auto tree = store::ParseJson(review);
  if (!tree) return std::unexpected(tree.error());
  const json::value* found = store::FindJson(*tree, {"request"});
  if (found == nullptr || !found->is_object())
    return base::Fail("this is no AdmissionReview with a request");
  const AdmissionRequestView request(*found);
  Verdict verdict;
  if (request.IsWrite() && request.object() != nullptr)
    verdict = stage == ReviewStage::kMutate ? MutateVerdict(request, reviewer, lookup)
                                            : ValidateVerdict(request, reviewer, lookup);
  return AnswerText(request, verdict);
}

std::string WebhookPath(ReviewStage stage, std::string_view group, std::string_view version,
                        std::string_view kind) {
  std::string path(group);
  std::ranges::replace(path, '.', '-');
  path = (stage == ReviewStage::kMutate ? "/mutate-" : "/validate-") + path + "-" +
         std::string(version) + "-";
  for (const char c : kind) path += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return path;
}

}  // namespace berth::webhook_server
