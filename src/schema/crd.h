#pragma once

#include <string>

#include "schema/describe.h"

namespace berth::schema {

// The CustomResourceDefinition of a kind as JSON: a structural schema with every bound, enum, list
// type, default and CEL rule of its description, printer columns, names and the status subresource.
//
// The former versions of the kind's API are in it as well. Where they differ by more than their
// name, objects must be converted on their way in and out. With kWebhook that is the task of
// Kueue's webhook service; as long as it does not answer, requests in today's version work and
// others are refused. With kNone there is no such service, so former versions of these kinds are
// not served.
enum class Conversion { kWebhook, kNone };
std::string CustomResourceDefinition(const Kind& kind,
                                     Conversion conversion = Conversion::kWebhook);

// The schema of a struct as JSON, for people and clients rather than for checking: as in the
// definition, but with all of metadata, with quantities as plain strings and with the merge keys of
// strategic patches. With `is_former` it is that of the former version of the API.
std::string OpenApiSchema(const Struct& type, bool is_former = false);

}  // namespace berth::schema
