#pragma once

#include "api/meta/object.h"
#include "apiserver/handler/request.h"
#include "json/json.h"
#include "schema/problem.h"

namespace berth::apiserver {

// Validates the metadata, by the same rules for every kind: names, labels, annotations, finalizers
// and owner references; no new finalizers on a terminating object.
schema::Problems MetadataProblems(const HandlerRequest& request, const json::value* old_object,
                                  const json::value& object);

// Validation rules of a described kind beyond its description.
schema::Problems KindProblems(const api::Object& object, const api::Object* old_object);

}  // namespace berth::apiserver
