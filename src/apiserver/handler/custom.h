#pragma once

// Custom resources and their CustomResourceDefinitions.

#include <string>
#include <vector>

#include "apiserver/handler/request.h"
#include "base/time.h"
#include "json/json.h"
#include "store/failure.h"

namespace berth::apiserver {

// Prunes fields unknown to the schema and returns their paths.
std::vector<std::string> PruneCustom(const HandlerRequest& request, json::value& object);

// Defaults and validates a custom resource or a definition.
store::Outcome<void> DefaultAndValidateCustom(const HandlerRequest& request,
                                              const json::value* old_object, json::value& object);

// Defaults the names of a definition and sets its status: accepted and established at once, unless
// another definition has the same kind.
void Establish(const KindTable& kinds, base::Time now, json::value& definition);

}  // namespace berth::apiserver
