#pragma once

// The three kinds of PATCH that change a tree without knowing who owns what; the fourth,
// server-side apply, is in apply.h. All are functions of values: the stored object and the patch
// in, the new object or the reason why not out.

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "schema/describe.h"
#include "store/json.h"

namespace berth::apiserver {

namespace json = boost::json;

enum class PatchType : uint8_t { kJson, kMerge, kStrategic, kApply };

// By the Content-Type of the request, parameters ignored. Nullopt if it is none of the four.
std::optional<PatchType> PatchTypeOf(std::string_view content_type);

enum class PatchFault : uint8_t {
  kBadJson,       // the patch (or what is patched) is not of the JSON type that it must be
  kMissing,       // it names something that is not there
  kIndex,         // no place in the list
  kTestFailed,    // a `test` operation found something else
  kBadOperation,  // no such operation
  kOrder,         // $setElementOrder does not agree with the elements of the patch
  kOrderOnEmpty,  // $setElementOrder for a list that has no elements
  kUnorderable,   // $setElementOrder for a list of objects without a merge key
  kNoMergeKey,    // an element of a list lacks the field that tells elements apart
  kDirective,     // no such $patch
  kRetainKeys,    // $retainKeys does not name what the patch sets
  kTooLarge,      // more work than one request may ask for
  kOther,
};

struct PatchError {
  PatchFault fault = PatchFault::kOther;
  std::string message;

  // The HTTP status: 400 for a patch that makes no sense, 413, or 422 for one that does not fit the
  // object.
  int HttpCode() const;
};

inline std::unexpected<PatchError> RefusePatch(PatchFault fault, std::string message) {
  return std::unexpected(PatchError{fault, std::move(message)});
}

using PatchResult = std::expected<json::value, PatchError>;

// What one request may ask for, so that a small patch cannot make a huge object or a long wait.
struct PatchLimits {
  size_t operations = 10'000;             // of a JSON patch
  size_t copied_bytes = 3 * 1024 * 1024;  // by the `copy` operations of a JSON patch
  size_t work = 20'000'000;               // values that a JSON patch adds, moves and copies
  size_t depth = 256;                     // of the object that results
};

// RFC 6902, where Kubernetes differs as Kubernetes does it: `replace` of a missing member adds it,
// `copy` of a missing member and values that are left out write null, `test` of a missing member
// finds null, negative indices count from the end (for `add` from behind the last element), only
// the text after the first slash of a path counts, the root can be replaced but not added, and a
// null patch changes nothing.
PatchResult ApplyJsonPatch(json::value original, const json::value& patch,
                           const PatchLimits& limits = {});

// RFC 7386. As Kubernetes does it, nulls are also left out of objects inside of lists that the
// patch brings, a list as the patch replaces the whole, and a scalar as the patch is an error.
PatchResult ApplyMergePatch(json::value original, const json::value& patch);

// A strategic merge patch: objects merge as in a merge patch; lists merge by the merge key that the
// description has for them (schema::Field::PatchBy), or are replaced. `$patch: replace` and
// `$patch: delete` in an object, `$retainKeys`, `$setElementOrder/list` and
// `$deleteFromPrimitiveList/list` direct it. Elements that the patch adds stand in front of those
// the server has, unless $setElementOrder says otherwise. Where the description knows no field,
// objects merge and lists are replaced.
//
// Only built-in kinds have such patches: see HasStrategicPatch.
PatchResult ApplyStrategicPatch(json::value original, json::value patch,
                                const schema::Struct& (*structure)());

// Whether an API server takes strategic merge patches of the kind. For kinds that are
// CustomResourceDefinitions in a real cluster it does not and answers 415.
bool HasStrategicPatch(const schema::Kind& kind);

}  // namespace berth::apiserver
