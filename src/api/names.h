#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/patterns.h"
#include "schema/describe.h"

// The rules for names in Kubernetes, each complete with its length. Patterns for field lists, which
// look at the characters only, are in patterns.h and at the end of this file.
namespace berth::api {

// In bytes.
inline constexpr size_t kMaxLabelLength = 63;  // also of label values and names of label keys
inline constexpr size_t kMaxSubdomainLength = 253;

// What keeps `text` from being a name of this form, a sentence fragment for each broken rule, such
// as "must be no more than 63 bytes"; empty if it is one. The number of entries is the number of
// causes that a Kubernetes API server reports for the same text.
using NameProblems = std::vector<std::string>;

// "team-a": the name of a Namespace, of most objects that become host names, of a pod set.
NameProblems Dns1123LabelProblems(std::string_view text);
// "team-a.example.com": the name of most objects.
NameProblems Dns1123SubdomainProblems(std::string_view text);
// "team-a", with a letter first: the name of a Service.
NameProblems Dns1035LabelProblems(std::string_view text);
// "example.com/Name" or "Name": a label key, a resource name, a condition type.
NameProblems QualifiedNameProblems(std::string_view text);
// The value of a label, which may be empty.
NameProblems LabelValueProblems(std::string_view text);

bool IsDns1123Label(std::string_view text);
bool IsDns1123Subdomain(std::string_view text);
bool IsDns1035Label(std::string_view text);
bool IsLabelKey(std::string_view text);
bool IsLabelValue(std::string_view text);

// Lower-case letters, digits and '-', but no '-' at either end.
bool IsDnsLabel(std::string_view text);
inline constexpr schema::Pattern kDnsLabelPattern{
    .regex = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",
    .matches = &IsDnsLabel,
    .what = "lower-case letters, digits and '-' such as \"team-a\"",
};

// Letters, digits and '-': a letter first, no '-' last.
bool IsKindName(std::string_view text);
inline constexpr schema::Pattern kKindNamePattern{
    .regex = "^(?i)[a-z]([-a-z0-9]*[a-z0-9])?$",
    .matches = &IsKindName,
    .what = "letters, digits and '-' such as \"ProvisioningRequestConfig\"",
};

// The bounds of an object's name where it stands in a list or as the value of a map.
inline constexpr schema::Bounds kObjectNameBounds{.max_length = kMaxSubdomainLength,
                                                  .pattern = &kDnsSubdomainPattern};

}  // namespace berth::api
