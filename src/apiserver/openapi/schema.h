#pragma once

#include <string>

#include "apiserver/rest/catalog.h"
#include "schema/json/writer.h"

namespace berth::apiserver {

// The name of the kind's schema in OpenAPI documents: "io.k8s.batch.v1.Job".
std::string SchemaName(const ServedKind& kind);

// The kind's schema as JSON, with apiVersion, kind, metadata and the
// x-kubernetes-group-version-kind extension. Self-contained: no references.
std::string SchemaDocument(const ServedKind& kind);

// {"group": …, "kind": …, "version": …}
void WriteGroupVersionKind(schema::JsonWriter& w, const store::Resource& resource);

}  // namespace berth::apiserver
