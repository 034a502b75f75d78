#pragma once

// Objects in normal form for comparison with recordings: without fields that differ between runs.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "json/json.h"

namespace berth::embedded::testing {

// Replacements of uids and generated names, wherever they occur.
using Renaming = std::map<std::string, std::string, std::less<>>;

// Without managedFields, resourceVersion, messages and the fields that API servers add to pods;
// times as "T"; conditions by type, checks by name, owners in any order; then renamed.
json::value Normalized(const json::value& object, const Renaming& renaming);

// The differences of two trees: "path: expected … but was …".
std::vector<std::string> Differences(const json::value& expected, const json::value& actual);

}  // namespace berth::embedded::testing
