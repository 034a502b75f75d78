#pragma once

// Objects as JSON trees: metadata and the stored text.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/storage/storage.h"
#include "base/time.h"
#include "json/json.h"
#include "store/object.h"

namespace berth::apiserver {

// The metadata of an object; created if absent or not an object.
json::object& Metadata(json::value& object);

// A string field of the metadata; "" if absent.
std::string_view MetaString(const json::value& object, std::string_view key);
void SetMetaString(json::value& object, std::string_view key, std::string_view value);
// 0 if absent.
int64_t Generation(const json::value& object);
bool IsBeingDeleted(const json::value& object);
// Checks the text without parsing; false is certain, true is not.
bool MayBeBeingDeleted(std::string_view text);

std::vector<std::string> Finalizers(const json::value& object);
bool HasFinalizer(const json::value& object, std::string_view finalizer);
void AddFinalizer(json::value& object, std::string_view finalizer);
// False if absent.
bool RemoveFinalizer(json::value& object, std::string_view finalizer);

// True if both have equal members, in any order and not counting `ignored` keys.
bool SameExcept(const json::object& a, const json::object& b,
                std::initializer_list<std::string_view> ignored);

// Copies a member, or removes it if the source has none.
void CopyMember(const json::object& from, json::object& to, std::string_view key);

// Removes the value at a path in the notation of schema::Problem::field: "spec.a[0].labels[x/y]". A
// no-op if absent.
void ErasePath(json::value& object, std::string_view path);

// The text to store. apiVersion, kind and metadata come first, and in metadata name, namespace, uid
// and resourceVersion, so that common lookups are fast. The hole is for the resourceVersion's
// digits.
Draft DraftOf(const json::value& object);

// Read from stored text, relying on that order.
std::string_view StoredUid(std::string_view text);
std::string_view StoredCreationTime(std::string_view text);

// The object in the form of the store interface.
store::Object ObjectOf(std::string namespace_, std::string name, const Item& item);
// As above, for text that is not necessarily stored.
store::Object ObjectOf(const Text& text);

// The text with the resourceVersion or the apiVersion replaced.
std::string WithVersion(std::string_view stored, Revision revision);
std::string WithApiVersion(std::string_view stored, std::string_view api_version);

}  // namespace berth::apiserver
