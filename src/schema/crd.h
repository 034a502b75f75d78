#pragma once

#include <string>

#include "schema/describe.h"

namespace berth::schema {

// The CustomResourceDefinition of a kind as JSON: a structural schema with every bound, enum, list
// type, default and CEL rule of its description, printer columns, names and the status subresource.
//
// Includes the previous versions of the kind's API. If they differ in more than their name, objects
// must be converted. With kWebhook, Kueue's webhook service converts; while it does not respond,
// requests in the current version work and others fail. With kNone there is no such service, and
// previous versions of these kinds are not served.
enum class Conversion { kWebhook, kNone };
std::string CustomResourceDefinition(const Kind& kind,
                                     Conversion conversion = Conversion::kWebhook);

// The warning that API servers send with every response in a previous version of the kind.
std::string DeprecationWarning(const Kind& kind, std::string_view version);

// The schema of a struct as JSON, for documentation and clients rather than validation: like the
// CRD schema, but with all of metadata, with quantities as plain strings and with the merge keys of
// strategic merge patches. With `is_previous`, the schema of the previous API version.
std::string OpenApiSchema(const Struct& type, bool is_previous = false);

}  // namespace berth::schema
