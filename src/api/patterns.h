#pragma once

#include <string_view>

#include "schema/describe.h"

// The forms that Kubernetes gives to names, for schema::Field::Matches. The predicates look at the
// characters only; fields bound the length separately.
namespace berth::api {

// "a.b-1.c": runs of lower-case letters, digits and '-', joined by dots; no run begins or ends
// with '-'.
bool IsDnsSubdomain(std::string_view text);
inline constexpr schema::Pattern kDnsSubdomainPattern{
    .regex = R"(^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$)",
    .matches = &IsDnsSubdomain,
    .what = "lower-case letters, digits, '-' and '.' such as \"team-a.example.com\"",
};

// "Name" or "prefix.example.com/Name": letters, digits, '-', '_' and '.', a letter or digit at
// both ends; the prefix is a DNS subdomain.
bool IsQualifiedName(std::string_view text);
inline constexpr schema::Pattern kQualifiedNamePattern{
    .regex = R"(^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?)"
             R"((([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$)",
    .matches = &IsQualifiedName,
    .what = "a name such as \"Ready\" or \"example.com/Ready\"",
};

// A word for programs such as "QuotaReserved": a letter first; letters, digits, '_', ',' and ':'
// follow, but neither ',' nor ':' is last.
bool IsReason(std::string_view text);
inline constexpr schema::Pattern kReasonPattern{
    .regex = "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$",
    .matches = &IsReason,
    .what = "one word of letters, digits and '_' such as \"QuotaReserved\"",
};

}  // namespace berth::api
