#pragma once

#include <array>
#include <cstddef>
#include <memory_resource>
#include <string_view>
#include <vector>

#include "schema/layout.h"

namespace berth::schema {

// A fast path for JSON as API servers write it: compact, valid, fields mostly in the order of the
// last object. Single pass without position tracking: on anything unexpected (a blank, a duplicate
// key, a value of the wrong type, bad syntax) it gives up, and the careful reader of decode.cc,
// which reports problems, starts over.
//
// Lenient: unknown fields are kept, missing ones ignored.
class QuickReader {
 public:
  // Bytes that must be readable behind a text; the first of them is NUL.
  static constexpr size_t kPadding = 64;

  explicit QuickReader(int max_depth) : max_depth_(max_depth) {}

  // Returns true if the whole text was read into `out`; otherwise `out` is unspecified.
  // Precondition: valid UTF-8. An object may have the apiVersion and kind of `kind`, or any if that
  // is null; the apiVersion is ignored for previous versions.
  bool Read(std::string_view text, Layout& layout, void* out, const Kind* kind, bool is_previous);

 private:
  struct Frame;

  // Consecutive members of the text that are copied to Extra unchanged.
  struct Run {
    const char* begin;
    const char* end;
  };

  // Each takes the start of a value and returns its end, or null to give up.
  const char* ReadStruct(const char* at, Layout& layout, void* self, bool is_root);
  [[gnu::always_inline]] const char* Finish(const char* at, const Frame& frame);
  [[gnu::always_inline]] const char* ReadMember(const char* at, Frame& frame, Slot& slot);
  [[gnu::always_inline]] const char* ReadField(const char* at, Layout& layout, Slot& slot,
                                               void* self);
  const char* ReadValue(const char* at, const Type& type, Layout* structure, void* target);
  const char* ReadList(const char* at, const Type& type, Layout* structure, void* list);
  const char* ReadMap(const char* at, const Type& type, Layout* structure, void* map);
  const char* ReadJson(const char* at, void* target);
  const char* ReadUnknown(const char* at, Frame& frame);
  const char* ReadTypeMeta(const char* at, std::string_view key, bool& seen);
  const char* Skip(const char* at, int depth);
  const char* SkipObject(const char* at, int depth);
  const char* SkipArray(const char* at, int depth);
  void AddToRun(const Frame& frame, const char* begin, const char* end);
  void StoreRuns(const Frame& frame);
  bool AddNewKey(std::string_view key, size_t first_key);

  int max_depth_;
  const Kind* kind_ = nullptr;
  bool is_previous_ = false;
  bool seen_kind_ = false;
  bool seen_api_version_ = false;
  // Enough for most objects.
  std::array<std::byte, 2048> room_;
  std::pmr::monotonic_buffer_resource memory_{room_.data(), room_.size()};
  std::pmr::vector<std::string_view> keys_{&memory_};  // of the enclosing free-form objects
  std::pmr::vector<Run> runs_{&memory_};               // of the enclosing structs
};

}  // namespace berth::schema
