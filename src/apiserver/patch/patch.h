#pragma once

// JSON patch, merge patch and strategic merge patch; server-side apply is in apply.h. Pure
// functions from the stored object and the patch to the new object or an error.

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "json/json.h"
#include "schema/describe.h"

namespace berth::apiserver {

enum class PatchType : uint8_t { kJson, kMerge, kStrategic, kApply };

// From the Content-Type, parameters ignored. Nullopt if it is not a patch type.
std::optional<PatchType> PatchTypeOf(std::string_view content_type);

enum class PatchFault : uint8_t {
  kBadJson,       // the patch or the target has the wrong JSON type
  kMissing,       // the path does not exist
  kIndex,         // index out of range
  kTestFailed,    // a `test` operation failed
  kBadOperation,  // unknown operation
  kOrder,         // $setElementOrder contradicts the elements of the patch
  kOrderOnEmpty,  // $setElementOrder for an empty list
  kUnorderable,   // $setElementOrder for a list of objects without a merge key
  kNoMergeKey,    // a list element lacks the merge key
  kDirective,     // unknown $patch directive
  kRetainKeys,    // $retainKeys does not list the keys that the patch sets
  kTooLarge,      // exceeds the limits of a request
  kOther,
};

struct PatchError {
  PatchFault fault = PatchFault::kOther;
  std::string message;

  // 400 for a malformed patch, 413 if too large, 422 for one that does not fit the object.
  int HttpCode() const;
};

inline std::unexpected<PatchError> RefusePatch(PatchFault fault, std::string message) {
  return std::unexpected(PatchError{fault, std::move(message)});
}

using PatchResult = std::expected<json::value, PatchError>;

// Limits of one request, so that a small patch cannot produce a huge object or take long.
struct PatchLimits {
  size_t operations = 10'000;             // of a JSON patch
  size_t copied_bytes = 3 * 1024 * 1024;  // by the `copy` operations of a JSON patch
  size_t work = 20'000'000;               // values added, moved and copied by a JSON patch
  size_t depth = 256;                     // nesting of the result
};

// RFC 6902 with Kubernetes' deviations: `replace` of a missing member adds it; `copy` of a missing
// member and omitted values write null; `test` of a missing member finds null; negative indices
// count from the end (for `add` from behind the last element); only the path after its first slash
// counts; the root can be replaced but not added; a null patch changes nothing.
PatchResult ApplyJsonPatch(json::value original, const json::value& patch,
                           const PatchLimits& limits = {});

// RFC 7386 with Kubernetes' deviations: nulls are also removed from objects inside lists of the
// patch, a list as patch replaces the whole object, and a scalar as patch is an error.
PatchResult ApplyMergePatch(json::value original, const json::value& patch);

// Strategic merge patch: objects merge as in a merge patch; lists merge by the merge key of their
// description (schema::Field::PatchBy) or are replaced. Directives: `$patch: replace` and `$patch:
// delete` in an object, `$retainKeys`, `$setElementOrder/list` and `$deleteFromPrimitiveList/list`.
// New elements are prepended unless $setElementOrder says otherwise. In fields without a
// description objects merge and lists are replaced.
//
// Only for built-in kinds: see HasStrategicPatch.
PatchResult ApplyStrategicPatch(json::value original, json::value patch,
                                const schema::Struct& (*structure)());

// True if an API server supports strategic merge patches of the kind. For custom resources it
// answers 415.
bool HasStrategicPatch(const schema::Kind& kind);

}  // namespace berth::apiserver
