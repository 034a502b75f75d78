#pragma once

// Objects of kinds that CustomResourceDefinitions define, and the definitions themselves.

#include <string>
#include <vector>

#include "apiserver/service_request.h"
#include "base/time.h"
#include "store/failure.h"
#include "store/json.h"

namespace berth::apiserver {

// Drops what the schema of the definition does not know, and tells which fields that were.
std::vector<std::string> DropUndefined(const ServiceRequest& request, store::json::value& object);

// Defaults and checks by the schema of the definition, as Settle does.
store::Outcome<void> SettleDefined(const ServiceRequest& request,
                                   const store::json::value* old_object,
                                   store::json::value& object);

// Fills in the names that a definition leaves out, and its status: it is accepted and served as
// soon as it is stored, unless another definition has its kind already.
void Establish(const KindTable& kinds, base::Time now, store::json::value& definition);

}  // namespace berth::apiserver
