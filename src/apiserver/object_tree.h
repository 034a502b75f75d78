#pragma once

// Objects as JSON trees: their metadata, and the text in which they are stored.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/storage.h"
#include "base/time.h"
#include "store/json.h"
#include "store/object.h"

namespace berth::apiserver {

namespace json = boost::json;

// The metadata of an object, made if it is not there (or is no object).
json::object& Metadata(json::value& object);

// A string of the metadata, "" if absent.
std::string_view MetaString(const json::value& object, std::string_view key);
void SetMetaString(json::value& object, std::string_view key, std::string_view value);
// 0 if absent.
int64_t Generation(const json::value& object);
bool IsBeingDeleted(const json::value& object);
// False if the text of an object shows, without reading it, that it is not.
bool MayBeBeingDeleted(std::string_view text);

std::vector<std::string> Finalizers(const json::value& object);
bool HasFinalizer(const json::value& object, std::string_view finalizer);
void AddFinalizer(json::value& object, std::string_view finalizer);
// False if it was not there.
bool RemoveFinalizer(json::value& object, std::string_view finalizer);

// The keys, sorted, and their JSON equal in both; what stands under `ignored` keys is not looked
// at.
bool SameExcept(const json::object& a, const json::object& b,
                std::initializer_list<std::string_view> ignored);

// Copies a member, or removes it where the source has none.
void CopyMember(const json::object& from, json::object& to, std::string_view key);

// Removes what a path of schema::Problem::field leads to: "spec.a[0].labels[x/y]". Nothing happens
// if there is nothing.
void ErasePath(json::value& object, std::string_view path);

// The text to be stored: apiVersion, kind and metadata first, in that name, namespace, uid and
// resourceVersion first, whose digits are the hole. So what everybody asks for is found quickly.
Draft DraftOf(const json::value& object);

// What a stored text says, found by that order.
std::string_view StoredUid(std::string_view text);
std::string_view StoredCreationTime(std::string_view text);

// The object as it travels.
store::Object ObjectOf(std::string namespace_, std::string name, const Item& item);
// The same from a text that need not be stored.
store::Object ObjectOf(const Text& text);

// The text with another resource version in it, or another apiVersion.
std::string WithVersion(std::string_view stored, Revision revision);
std::string WithApiVersion(std::string_view stored, std::string_view api_version);

}  // namespace berth::apiserver
