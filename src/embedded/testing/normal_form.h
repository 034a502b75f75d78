#pragma once

// Objects in the form in which recordings are compared: without what differs from run to run.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "store/json.h"

namespace berth::embedded::testing {

// Texts that are to be replaced wherever they stand, whole or in part: uids and generated names.
using Renaming = std::map<std::string, std::string, std::less<>>;

// No managedFields and resourceVersion, times as "T", no messages, conditions by their type, lists
// of checks by their name; then renamed.
store::json::value Normalized(const store::json::value& object, const Renaming& renaming);

// Where two trees differ: "path: expected … but was …".
std::vector<std::string> Differences(const store::json::value& expected,
                                     const store::json::value& actual);

}  // namespace berth::embedded::testing
