#pragma once

#include <string>

#include "apiserver/rest_catalog.h"
#include "schema/json_writer.h"

namespace berth::apiserver {

// What the kind's schema is called in OpenAPI documents: "io.k8s.batch.v1.Job".
std::string SchemaName(const ServedKind& kind);

// The kind's schema as JSON, with its apiVersion, kind and metadata and with the mark by which
// clients find it. Needs nothing beside it: there are no references.
std::string SchemaDocument(const ServedKind& kind);

// {"group": …, "kind": …, "version": …}
void WriteGroupVersionKind(schema::JsonWriter& w, const store::Resource& resource);

}  // namespace berth::apiserver
