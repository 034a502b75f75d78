#pragma once

#include "api/object.h"
#include "apiserver/service_request.h"
#include "schema/problem.h"
#include "store/json.h"

namespace berth::apiserver {

// What is wrong with an object's metadata, which is the same for every kind: forms of names,
// labels, annotations, finalizers and owner references; that nothing new may hold up an object
// which is being deleted.
schema::Problems MetadataProblems(const ServiceRequest& request,
                                  const store::json::value* old_object,
                                  const store::json::value& object);

// What is wrong with an object of a described kind that its description cannot say.
schema::Problems KindProblems(const api::Object& object, const api::Object* old_object);

}  // namespace berth::apiserver
