#pragma once

#include "apiserver/http_message.h"
#include "apiserver/rest_target.h"
#include "apiserver/tokens.h"

// Questions that clients ask about themselves, who am I, and what may I do, and servers about their
// clients: whose token is this, and may they? Whoever has a certificate or a token of this server
// may do everything.
namespace berth::apiserver {

bool IsReview(const RestTarget& target);

HttpResponse AnswerReview(HttpRequest& request, const RestTarget& target, const TokenTable& tokens);

}  // namespace berth::apiserver
