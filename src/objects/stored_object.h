#pragma once

// Objects as an API server stores them, made of manifests.

#include <span>
#include <string_view>

#include "api/meta/object.h"

namespace berth::objects {

inline constexpr std::string_view kDefaultNamespace = "default";

// The default namespace for an empty one.
std::string_view NamespaceOrDefault(std::string_view name);

// Fills in defaults, and moves an object of a namespaced kind without a namespace into the default
// one. Objects of other kinds lose their namespace. Identity stays: a manifest that names no uid
// has none afterwards.
void Complete(api::Object& object);

// A completed copy.
api::Object AsStored(const api::Object& manifest);

// Makes a uid of kind, namespace and name for an object without one.
void EnsureUid(std::string_view kind, api::ObjectMeta& metadata);

// Appends "namespace/name" to uids that objects of different names share: copied manifests tend to
// keep the uid of the original. Several versions of one object may share a uid. Empty uids stay.
void SeparateUids(std::span<api::ObjectMeta* const> objects);

}  // namespace berth::objects
