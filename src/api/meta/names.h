#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/meta/patterns.h"
#include "schema/describe.h"

// Kubernetes' naming rules, length limits included. Patterns for field lists, which check
// characters only, are in patterns.h and at the end of this file.
namespace berth::api {

// In bytes.
inline constexpr size_t kMaxLabelLength = 63;  // also of label values and names of label keys
inline constexpr size_t kMaxSubdomainLength = 253;

// Violated naming rules as sentence fragments such as "must be no more than 63 bytes"; empty if the
// name is valid. A Kubernetes API server reports the same number of causes for the same text.
using NameProblems = std::vector<std::string>;

// "team-a": names of Namespaces, pod sets and most objects that become host names.
NameProblems Dns1123LabelProblems(std::string_view text);
// "team-a.example.com": names of most objects.
NameProblems Dns1123SubdomainProblems(std::string_view text);
// "team-a", beginning with a letter: names of Services.
NameProblems Dns1035LabelProblems(std::string_view text);
// "example.com/Name" or "Name": label keys, resource names, condition types.
NameProblems QualifiedNameProblems(std::string_view text);
// Label values, which may be empty.
NameProblems LabelValueProblems(std::string_view text);

bool IsDns1123Label(std::string_view text);
bool IsDns1123Subdomain(std::string_view text);
bool IsDns1035Label(std::string_view text);
bool IsLabelKey(std::string_view text);
bool IsLabelValue(std::string_view text);

// Lower-case letters, digits and '-', without '-' at either end.
bool IsDnsLabel(std::string_view text);
inline constexpr schema::Pattern kDnsLabelPattern{
    .regex = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",
    .matches = &IsDnsLabel,
    .what = "lower-case letters, digits and '-' such as \"team-a\"",
};

// Letters, digits and '-'; begins with a letter, does not end with '-'.
bool IsKindName(std::string_view text);
inline constexpr schema::Pattern kKindNamePattern{
    .regex = "^(?i)[a-z]([-a-z0-9]*[a-z0-9])?$",
    .matches = &IsKindName,
    .what = "letters, digits and '-' such as \"ProvisioningRequestConfig\"",
};

// Bounds of an object's name in a list or as a map value.
inline constexpr schema::Bounds kObjectNameBounds{.max_length = kMaxSubdomainLength,
                                                  .pattern = &kDnsSubdomainPattern};

}  // namespace berth::api
