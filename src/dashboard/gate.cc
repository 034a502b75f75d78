#include "dashboard/gate.h"

#include <utility>

namespace berth::dashboard {

void LocalGate::Admit(const http::Request& request, store::Executor&,
                      std::move_only_function<void(Verdict)> then) {
  if (!request.subject.user.empty()) return then(query::Viewer::OfEverything(request.subject.user));
  then(std::unexpected(http::StatusResponse(
      401, "Unauthorized",
      "token required: open the address that `berth up` prints, or send a token of tokens.csv as "
      "a bearer token")));
}

}  // namespace berth::dashboard
