#include "api/meta/names.h"

#include <algorithm>

#include "base/text.h"

namespace berth::api {
namespace {

using base::IsLetter;
using base::IsLetterOrDigit;
using base::IsLower;
using base::IsLowerOrDigit;

bool IsLabelCharacter(char c) { return IsLowerOrDigit(c) || c == '-'; }
bool IsNameCharacter(char c) { return IsLetterOrDigit(c) || c == '-' || c == '_' || c == '.'; }

// A letter or digit at both ends; '-', '_' and '.' inside.
bool IsNamePart(std::string_view text) {
  return !text.empty() && IsLetterOrDigit(text.front()) && IsLetterOrDigit(text.back()) &&
         std::ranges::all_of(text, IsNameCharacter);
}

bool HasDns1035Form(std::string_view text) { return IsDnsLabel(text) && IsLower(text.front()); }

void CheckLength(std::string_view text, size_t limit, NameProblems& problems) {
  if (text.size() <= limit) return;
  problems.push_back("must be no more than " + std::to_string(limit) + " bytes");
}

constexpr std::string_view kNameForm =
    "must be letters, digits, '-', '_' and '.', with a letter or digit at both ends, such as "
    "\"my.name-1\"";

void CheckPrefix(std::string_view prefix, NameProblems& problems) {
  if (prefix.empty()) {
    problems.push_back("must have something before '/'");
    return;
  }
  for (const std::string& problem : Dns1123SubdomainProblems(prefix)) {
    problems.push_back("before '/' " + problem);
  }
}

}  // namespace

bool IsDnsLabel(std::string_view text) {
  return !text.empty() && IsLowerOrDigit(text.front()) && IsLowerOrDigit(text.back()) &&
         std::ranges::all_of(text, IsLabelCharacter);
}

bool IsKindName(std::string_view text) {
  return !text.empty() && IsLetter(text.front()) && IsLetterOrDigit(text.back()) &&
         std::ranges::all_of(text, [](char c) { return IsLetterOrDigit(c) || c == '-'; });
}

NameProblems Dns1123LabelProblems(std::string_view text) {
  NameProblems problems;
  CheckLength(text, kMaxLabelLength, problems);
  if (IsDnsLabel(text)) return problems;
  problems.push_back(
      IsDnsSubdomain(text)
          ? "must not contain dots"
          : "must be lower-case letters, digits and '-', with a letter or digit at both ends, "
            "such as \"team-a\"");
  return problems;
}

NameProblems Dns1123SubdomainProblems(std::string_view text) {
  NameProblems problems;
  CheckLength(text, kMaxSubdomainLength, problems);
  if (!IsDnsSubdomain(text)) {
    problems.push_back(
        "must be lower-case letters, digits, '-' and '.', with a letter or digit at both ends of "
        "every part, such as \"team-a.example.com\"");
  }
  return problems;
}

NameProblems Dns1035LabelProblems(std::string_view text) {
  NameProblems problems;
  CheckLength(text, kMaxLabelLength, problems);
  if (!HasDns1035Form(text)) {
    problems.push_back(
        "must be lower-case letters, digits and '-', with a letter first and a letter or digit "
        "last, such as \"team-a\"");
  }
  return problems;
}

NameProblems QualifiedNameProblems(std::string_view text) {
  NameProblems problems;
  std::string_view name = text;
  if (size_t slash = text.find('/'); slash != std::string_view::npos) {
    if (text.find('/', slash + 1) != std::string_view::npos) {
      return {"must have no more than one '/', such as \"example.com/my-name\""};
    }
    CheckPrefix(text.substr(0, slash), problems);
    name = text.substr(slash + 1);
  }
  if (name.empty()) problems.push_back("must have a name after the optional prefix");
  CheckLength(name, kMaxLabelLength, problems);
  if (!IsNamePart(name)) problems.emplace_back(kNameForm);
  return problems;
}

NameProblems LabelValueProblems(std::string_view text) {
  NameProblems problems;
  CheckLength(text, kMaxLabelLength, problems);
  if (!text.empty() && !IsNamePart(text)) problems.emplace_back(kNameForm);
  return problems;
}

bool IsDns1123Label(std::string_view text) {
  return text.size() <= kMaxLabelLength && IsDnsLabel(text);
}

bool IsDns1123Subdomain(std::string_view text) {
  return text.size() <= kMaxSubdomainLength && IsDnsSubdomain(text);
}

bool IsDns1035Label(std::string_view text) {
  return text.size() <= kMaxLabelLength && HasDns1035Form(text);
}

bool IsLabelKey(std::string_view text) { return QualifiedNameProblems(text).empty(); }

bool IsLabelValue(std::string_view text) {
  return text.size() <= kMaxLabelLength && (text.empty() || IsNamePart(text));
}

}  // namespace berth::api
