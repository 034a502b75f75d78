#include "ctl/failure.h"

namespace berth::ctl {
namespace {

constexpr std::string_view kFromServer = "Error from server";
constexpr std::string_view kNoConnection = "Unable to connect to the server";

std::string HintFor(const store::Failure& failure) {
  if (failure.code() == 0) return "is the cluster up, and the right --context chosen?";
  if (failure.Has(store::reason::kUnauthorized))
    return "the credentials of the kubeconfig are not valid or have expired; log in again";
  if (failure.Has(store::reason::kForbidden))
    return "ask an administrator for this permission, or choose another --context or --as";
  if (failure.IsNotFound()) return "look for its name with `list`; its namespace is that of -n";
  if (failure.IsAlreadyExists())
    return "choose another name, or change the existing object with `edit` or `patch`";
  if (failure.IsConflict()) return "the object has changed meanwhile; run the command again";
  return {};
}

}  // namespace

base::Error ErrorOf(const store::Failure& failure) {
  std::string message(failure.code() == 0 ? kNoConnection : kFromServer);
  if (failure.code() != 0 && !failure.status.reason.empty())
    message += " (" + failure.status.reason + ")";
  return {.message = message + ": " + failure.message(), .hint = HintFor(failure), .place = {}};
}

std::string ToText(const base::Error& error) {
  const bool is_complete =
      error.message.starts_with(kFromServer) || error.message.starts_with(kNoConnection);
  const std::string place = base::ToString(error.place);
  std::string text =
      (is_complete ? "" : "error: ") + place + (place.empty() ? "" : ": ") + error.message + "\n";
  if (!error.hint.empty()) text += "  " + error.hint + "\n";
  return text;
}

}  // namespace berth::ctl
