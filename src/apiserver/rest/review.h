#pragma once

#include "apiserver/rest/target.h"
#include "http/message.h"
#include "http/tokens.h"

// Self-subject, subject access and token reviews. Every authenticated user is authorized for
// everything.
namespace berth::apiserver {

bool IsReview(const RestTarget& target);

http::Response AnswerReview(http::Request& request, const RestTarget& target,
                            const http::TokenTable& tokens);

}  // namespace berth::apiserver
