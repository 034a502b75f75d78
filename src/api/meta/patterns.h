#pragma once

#include <string_view>

#include "schema/describe.h"

// Patterns of Kubernetes names for schema::Field::Matches. The predicates check characters only;
// fields limit the length separately.
namespace berth::api {

// "a.b-1.c": labels of lower-case letters, digits and '-', joined by dots. No label begins or ends
// with '-'.
bool IsDnsSubdomain(std::string_view text);
inline constexpr schema::Pattern kDnsSubdomainPattern{
    .regex = R"(^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$)",
    .matches = &IsDnsSubdomain,
    .what = "lower-case letters, digits, '-' and '.' such as \"team-a.example.com\"",
};

// "Name" or "prefix.example.com/Name": letters, digits, '-', '_' and '.', with a letter or digit at
// both ends. The prefix is a DNS subdomain.
bool IsQualifiedName(std::string_view text);
inline constexpr schema::Pattern kQualifiedNamePattern{
    .regex = R"(^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?)"
             R"((([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$)",
    .matches = &IsQualifiedName,
    .what = "a name such as \"Ready\" or \"example.com/Ready\"",
};

// A machine-readable word such as "QuotaReserved": begins with a letter, continues with letters,
// digits, '_', ',' and ':', and does not end with ',' or ':'.
bool IsReason(std::string_view text);
inline constexpr schema::Pattern kReasonPattern{
    .regex = "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$",
    .matches = &IsReason,
    .what = "one word of letters, digits and '_' such as \"QuotaReserved\"",
};

}  // namespace berth::api
