#pragma once

#include <string>

#include "explain/account.h"

namespace berth::explain {

// An account for programs: one JSON object with all that ToText says and the figures behind it.
// Amounts are quantities as in manifests; docs/reference/explain.md describes the fields.
std::string ToJson(const Account& account);

}  // namespace berth::explain
